"""Results to documents, figures and JSON."""
