"""Float formats, and arithmetic that rounds to them."""
