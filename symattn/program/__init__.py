"""Steps, and passes from program to program or to sizes."""
