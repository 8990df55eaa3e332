"""Lines of programs that compute attention, read by themselves: scores, masks, outputs, heads, blocks."""
