"""From an author's file to the placeholders in it: where each stands, what it asks for, how it is filled."""

from symattn.reading.placeholders.placeholder import Placeholder
from symattn.reading.placeholders.reader import find_placeholders

__all__ = ["Placeholder", "find_placeholders"]
