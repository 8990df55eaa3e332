"""Claims that stand in words: what is divided by, what a letter is called, when a format overflows."""
