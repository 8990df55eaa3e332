"""The version, where every room can read it: the package's own top imports all of them."""

__version__ = "0.1.0"
