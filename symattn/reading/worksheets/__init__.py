"""Worksheets: TOML to expressions, values and claims."""
