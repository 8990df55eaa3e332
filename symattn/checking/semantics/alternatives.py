"""Items of a list that are alternatives: each sets a letter from the same beginning, and none goes on from another.

`- SGD: w ← w − 0.1·2 = 0.8` and `- Adam: w = 0.9` stand side by side; `- Step 2: w ← …` goes on from step 1.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from symattn.patterns import regex

_ITEM = regex(r"(?P<indent>[ \t>]*)[-*+•] (?P<label>[^:：=←\n]{1,80}[:：])?")
_COUNTED = regex(r"[\s#=]\d+[\s*_`]*[:：]")
_SETS = r"(?<![^\W_]){}[`$\s]*(?:=|≈|←|⟵|\\leftarrow\b|\\gets\b)"


def is_set_by_another_item(letters: Collection[str], before: str) -> bool:
    """Whether the item in which a text ends sets one of the letters, and an item above it in the list sets that too.

    >>> is_set_by_another_item("w", "- Adam: w = 0.9\\n- AdamW: w ← ")
    True
    >>> is_set_by_another_item("w", "- Step 1: w = 0.9\\n- Step 2: w ← ")
    False
    """
    *above, line = before.split("\n")
    item = _ITEM.match(line)
    if item is None or item["label"] is None or _COUNTED.search(item["label"]):
        return False
    sets = [re.compile(_SETS.format(re.escape(letter))) for letter in letters]
    sets = [each for each in sets if each.search(line)]
    for other in reversed(above):
        if not sets or (other.strip() and not _ITEM.match(other) and not other.startswith((" ", "\t"))):
            break
        beside = _ITEM.match(other)
        if beside is not None and beside["indent"] == item["indent"] and any(each.search(other) for each in sets):
            return True
    return False
