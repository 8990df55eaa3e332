"""Names in generated source: only identifiers that are made here ever reach it."""

from __future__ import annotations

import builtins
import keyword
import re

from symattn.patterns import regex

RESERVED = frozenset({"np", "Any", "Array", "SHAPES", "annotations", "attention"}) | {  # what modules say themselves
    *("threads", "kind", "sizes", "lead", "logits", "head", "heads", "block", "rows", "columns", "math", "like"),
}
_NO_WORD = regex(r"[^\w.']")
_GREEK = {"μ": "mu", "λ": "lambda_", "φ": "phi", "θ": "theta", "σ": "sigma", "α": "alpha", "β": "beta", "τ": "tau"}


class Names:
    """One identifier for each thing, none twice.

    >>> names = Names()
    >>> names.fresh("W_Q"), names.fresh("Q'"), names.fresh("import os; x"), names.fresh("lambda"), names.fresh("W_Q")
    ('W_Q', 'Q_prime', 'import_os_x', 'lambda_', 'W_Q_2')
    """

    def __init__(self, taken: frozenset[str] = RESERVED) -> None:
        self.taken = set(taken)

    def fresh(self, wanted: str) -> str:
        """An identifier like what is wanted."""
        base = identifier(wanted)
        name = (
            base
            if base not in self.taken
            else next(f"{base}_{k}" for k in range(2, len(self.taken) + 3) if f"{base}_{k}" not in self.taken)
        )
        self.taken.add(name)
        return name


def word(key: str, mark: str = "") -> str:
    """The name of a step as it may stand in a text: names of steps are ours, but for blocks of inputs.

    >>> word("dW^Q"), word("dW^Q", "_")
    ('dWQ', 'dW_Q')
    """
    return _NO_WORD.sub(mark, key)


def identifier(text: str) -> str:
    """ASCII letters, digits and underscores of a text; never empty, a keyword, private, or a name of Python's own.

    >>> identifier("Q^(1)"), identifier("1/0"), identifier("查询"), identifier("__class__"), identifier("range")
    ('Q_1', 'x_1_0', 'x', 'class_', 'range_')
    """
    for letter, word in _GREEK.items():
        text = text.replace(letter, word)
    text = text.replace("'", "_prime").replace("′", "_prime").replace("~", "_tilde")
    words = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_")[:60] or "x"
    words = words if words[0].isalpha() else f"x_{words}"
    taken = keyword.iskeyword(words) or keyword.issoftkeyword(words) or hasattr(builtins, words)
    return f"{words}_" if taken else words
