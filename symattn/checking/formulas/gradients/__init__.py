"""Printed gradients, held against the derivative of the forward pass that the article writes down."""
