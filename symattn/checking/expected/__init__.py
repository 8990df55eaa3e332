"""What a printed number is held against: the formula before it, or what its name and the words around it say."""
