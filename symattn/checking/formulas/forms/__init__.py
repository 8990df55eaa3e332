"""Formulas that are known by their form alone, each with the slip that is made in it."""
