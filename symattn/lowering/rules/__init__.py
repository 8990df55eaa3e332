"""One rule for each node: its source from its operands'."""
