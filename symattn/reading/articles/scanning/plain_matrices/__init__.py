"""Matrices as plain text draws them: in boxes, side by side, with slashes between rows, in attributes of a tag."""
