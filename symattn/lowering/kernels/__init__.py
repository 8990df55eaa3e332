"""What lowered modules are put together from: NumPy functions, copied in the words in which they stand here."""
