"""The catalogue of definitions: what a printed formula is held against, by what it defines."""
