"""The lines of a program as statements, and whether these say all that it does."""
