"""Which name was meant: what a refusal says of one that is not known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from symattn.writing.prose import Sentence

MOST_LISTED = 16  # names on one line
LONGEST = 60  # characters of a name that are compared
SHORTEST_WORD = 4  # letters of a word by which a longer name is known
_IGNORED = str.maketrans("", "", "_-^(){} ")


def nearest(given: object, known: Iterable[str], alike: float = 0.6) -> str | None:
    """The known name that is spelled most alike; None where none is near.

    Two are near that agree in that share of their letters at least. Case, hyphens and underscores make
    no difference where a name agrees without them. A name that is all words of the other goes before what is only
    spelled alike.

    >>> nearest("Wk", ["W_Q", "W_K", "W_V"]), nearest("casual", ["none", "causal"]), nearest("x", ["y"])
    ('W_K', 'causal', None)
    >>> nearest("linear-attention", ["linear", "retention"]), nearest("shift", ["two-keys", "shift-invariance"])
    ('linear', 'shift-invariance')
    """
    import difflib

    folded: dict[str, str] = {}
    for name in known:
        folded.setdefault(_fold(name), name)
    if _fold(str(given)) not in folded and (same := _by_words(str(given)[:LONGEST], folded.values())) is not None:
        return same
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


def hint(
    given: str,
    known: Iterable[str],
    elsewhere: Mapping[str, Iterable[str]] | None = None,
    *,
    listed_by: str = "",
) -> Sentence:
    """Where lists are long: the name that was probably meant, or else all, or the command that lists them; first the
    table where the name is known, which is "" where it stands before all tables.

    >>> print(hint("drive", ["derive", "check"]), hint("Q", ["tokens"], {"inputs": ["Q", "K"]}))
    did you mean "derive"? it belongs under [inputs]
    """
    known = list(known)
    for table, names in (elsewhere or {}).items():
        if given in names:
            return Sentence("belongs_under", table=table) if table else Sentence("belongs_on_top")
    near = nearest(given, known)
    if near is not None:
        return Sentence("did_you_mean", name=near)
    return Sentence("listed_by", command=listed_by) if listed_by else Sentence("known_keys", known=", ".join(known))


def _by_words(given: str, known: Iterable[str]) -> str | None:
    """The longest known name whose words are all in the given one; else the only one that has all words of this."""
    words = _words(given)
    within = [name for name in known if (own := _words(name)) and own < words]
    if within:
        return max(within, key=len)
    around = [name for name in known if words and words < _words(name)]
    return around[0] if len(around) == 1 else None


def _words(name: str) -> frozenset[str]:
    """The words of a name; none where one is too short to say which name is meant."""
    words = frozenset(name.casefold().replace("_", "-").replace(" ", "-").split("-"))
    return words if min(map(len, words)) >= SHORTEST_WORD else frozenset()


def _fold(name: str) -> str:
    return name.casefold().translate(_IGNORED) or name
