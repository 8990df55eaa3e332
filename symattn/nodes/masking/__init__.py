"""Which keys a query may look at, and what that does to its scores."""
