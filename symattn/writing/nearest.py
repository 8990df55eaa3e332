"""Which name was meant: what a refusal says of one that is not known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from symattn.writing.prose import Sentence

MOST_LISTED = 16  # names on one line
LONGEST = 60  # characters of a name that are compared
_IGNORED = str.maketrans("", "", "_-^(){} ")


def nearest(given: object, known: Iterable[str], alike: float = 0.6) -> str | None:
    """The known name that is spelled most alike; None where none is near.

    Two are near that agree in that share of their letters at least. Case, hyphens and underscores make
    no difference where a name agrees without them.

    >>> nearest("Wk", ["W_Q", "W_K", "W_V"]), nearest("casual", ["none", "causal"]), nearest("x", ["y"])
    ('W_K', 'causal', None)
    """
    import difflib

    folded: dict[str, str] = {}
    for name in known:
        folded.setdefault(_fold(name), name)
    near = difflib.get_close_matches(_fold(str(given)[:LONGEST]), folded, 1, alike)
    return folded[near[0]] if near else None


def listed(given: object, known: Iterable[str], alike: float = 0.6) -> Sentence:
    """All known names, of many the first and the last, and the one that was probably meant: the end of a sentence.

    >>> print(listed("casual", ["none", "causal"]))
    none, causal; did you mean "causal"?
    """
    known = list(known)
    shown = known if len(known) <= MOST_LISTED else [*known[: MOST_LISTED - 4], "…", *known[-3:]]
    near, names = nearest(given, known, alike), ", ".join(shown)
    return (
        Sentence("known_names", known=names) if near is None else Sentence("known_names_near", known=names, near=near)
    )


def hint(given: str, known: Iterable[str], elsewhere: Mapping[str, Iterable[str]] | None = None) -> Sentence:
    """Where lists are long: the name that was probably meant, or else all; first the table where the name is known,
    which is "" where it stands before all tables.

    >>> print(hint("drive", ["derive", "check"]), hint("Q", ["tokens"], {"inputs": ["Q", "K"]}))
    did you mean "derive"? it belongs under [inputs]
    """
    known = list(known)
    for table, names in (elsewhere or {}).items():
        if given in names:
            return Sentence("belongs_under", table=table) if table else Sentence("belongs_on_top")
    near = nearest(given, known)
    return Sentence("known_keys", known=", ".join(known)) if near is None else Sentence("did_you_mean", name=near)


def _fold(name: str) -> str:
    return name.casefold().translate(_IGNORED) or name
