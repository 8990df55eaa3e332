"""The statements of an article: printed formulas with their places, their words, and what a judge is given."""
