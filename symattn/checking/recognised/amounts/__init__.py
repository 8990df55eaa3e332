"""Arithmetic with words and units between its numbers: "2 × 32 layers × 4,096 × 2 bytes = 512 KiB"."""
