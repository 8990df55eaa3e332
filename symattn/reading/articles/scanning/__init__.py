"""What the readers share: texts with their places, and the ways in which mathematics stands in a text."""
