"""The command line: arguments to calls to exit codes."""
