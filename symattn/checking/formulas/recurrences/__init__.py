"""What goes on token by token or block by block: online softmax, states, chunks, and their closed forms."""
