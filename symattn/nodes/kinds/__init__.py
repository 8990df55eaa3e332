"""The kinds of attention, each taken apart into elementary nodes."""
