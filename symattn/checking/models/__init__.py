"""What the letters of a formula are worth: forward passes, blocks, states and rotations, at points or in general."""
