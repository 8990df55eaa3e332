"""Shapes that articles print: read, inferred from the shapes of what they are made of, and held against each other."""
