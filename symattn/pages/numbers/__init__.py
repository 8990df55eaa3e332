"""Numbers on a page: cells, places of decimals, what is left out, entries and chains spelled out."""
