"""What tables and lines of columns work out: cells with their workings, and columns made of other columns."""
