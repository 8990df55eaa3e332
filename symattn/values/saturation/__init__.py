"""What softmax loses, measured."""
