"""Equations whose sides are worked out: by what the article says of their symbols, or whatever these are."""
