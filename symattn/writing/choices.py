"""What can be chosen by name, without an import: `--help` lists it and starts at once."""

NOTATIONS = ("vaswani", "phuong-hutter", "bishop", "jurafsky-martin", "prince", "flash")
LEVELS = ("matrix", "token", "index")
TARGETS = ("latex", "markdown", "text", "html", "json")
