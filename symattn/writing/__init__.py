"""Boxes, notation, sentences and writers."""
