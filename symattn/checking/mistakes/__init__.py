"""Known mistakes, and the search for the one that explains a wrong number."""
