"""Where tokens stand: rotated pairs, tables by relative position, slopes by distance."""
