"""Nodes that are steps as they are: products, sums, blocks and functions of entries; families of heads."""
