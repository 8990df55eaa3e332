"""The order of the steps, and which of them are one call."""
