"""Chains as their writers mean them, where what is printed shows it: parted at arrows, squares with their signs."""
