"""Numbers printed without a formula, recognised by what they are: "exp: 1.649, 12.182" below the scores."""
