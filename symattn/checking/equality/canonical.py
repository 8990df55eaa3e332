"""A product of entries with named bound indices -> the same with numbered ones, equal for products that are alike.

Connected parts are labelled one by one: colours are refined until they are stable, then one index of the first colour
that several have is singled out, each in turn, and the least text wins (McKay's individualisation and refinement).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction

from symattn.checking.equality.indices import Index, Variable, lone
from symattn.checking.equality.terms import Budget, Factor, Product, Term, least, name, variables_of

Powered = tuple[Factor, Fraction]


def canonical(product: Product, budget: Budget) -> Term:
    """The term of a product that no rule changes any more."""
    parts = []
    for factors, bound in _connected(product):
        text, order = _labelled(factors, bound, budget)
        parts.append((text, order, factors))
    parts.sort(key=lambda part: part[0])
    new, made, powered = dict[Variable, Index](), list[Variable](), list[Powered]()
    for _, order, factors in parts:
        for v in order:
            made.append(Variable(len(made), v.size))
            new[v] = lone(made[-1])
        for (atom, at), exponent in factors:
            renamed = tuple(i.renamed(new) for i in at)
            powered.append(((atom, least(renamed, atom.symmetries)), exponent))
    written = sorted((write(p, name), k) for k, p in enumerate(powered))
    key = "".join(f"[{v.size}]" for v in made) + " ".join(text for text, _ in written)
    return Term(tuple(powered[k] for _, k in written), tuple(made), key)


def write(powered: Powered, label: Callable[[Variable], str]) -> str:
    """A factor as text, the same for arguments that are interchangeable."""
    (atom, at), exponent = powered
    texts = [i.write(label) for i in at]
    inside = min(",".join(texts[k] for k in order) for order in atom.symmetries or (range(len(at)),))
    return f"{atom.key}({inside})" + ("" if exponent == 1 else f"^{exponent}")


def _connected(product: Product) -> list[tuple[list[Powered], list[Variable]]]:
    """The factors in groups that share no bound index; those without any are groups of their own."""
    group: dict[Variable, int] = {v: k for k, v in enumerate(product.bound)}
    for factor in product.factors:
        met = {group[v] for v in variables_of([factor]) if v in group}
        if len(met) > 1:
            least = min(met)
            group = {v: least if g in met else g for v, g in group.items()}
    gathered: dict[object, tuple[list[Powered], list[Variable]]] = defaultdict(lambda: ([], []))
    for v, g in group.items():
        gathered[g][1].append(v)
    for factor, exponent in product.factors.items():
        own = next((group[v] for v in variables_of([factor]) if v in group), None)
        gathered[factor if own is None else own][0].append((factor, exponent))
    return list(gathered.values())


def _labelled(factors: list[Powered], bound: list[Variable], budget: Budget) -> tuple[str, list[Variable]]:
    """The text of a connected part, and its bound indices in order."""
    if not bound:
        return write(factors[0], name), []
    sizes = {text: rank for rank, text in enumerate(sorted({str(v.size) for v in bound}))}
    return _search(factors, {v: sizes[str(v.size)] for v in bound}, budget)


def _search(factors: list[Powered], colours: dict[Variable, int], budget: Budget) -> tuple[str, list[Variable]]:
    budget.spend()
    colours = _refined(factors, colours)
    cells: dict[int, list[Variable]] = defaultdict(list)
    for v, colour in colours.items():
        cells[colour].append(v)
    shared = next((cells[c] for c in sorted(cells) if len(cells[c]) > 1), None)
    if shared is None:
        order = sorted(colours, key=lambda v: colours[v])
        sizes = "".join(f"[{v.size}]" for v in order)
        return sizes + _text(factors, {v: str(k) for k, v in enumerate(order)}), order
    tried = [_search(factors, {v: 2 * c + (v != one) for v, c in colours.items()}, budget) for one in shared]
    return min(tried, key=lambda found: found[0])


def _text(factors: list[Powered], labels: dict[Variable, str]) -> str:
    return " ".join(sorted(write(p, lambda v: labels.get(v) or name(v)) for p in factors))


def _refined(factors: list[Powered], colours: dict[Variable, int]) -> dict[Variable, int]:
    meetings = {v: [p for p in factors if v in variables_of([p[0]])] for v in colours}
    while len(set(colours.values())) < len(colours):
        signs: dict[Variable, tuple[int, list[str]]] = {}
        for v, met in meetings.items():

            def label(w: Variable, v: Variable = v, colours: dict[Variable, int] = colours) -> str:
                return "*" if w == v else str(colours[w]) if w in colours else name(w)

            signs[v] = (colours[v], sorted(write(p, label) for p in met))
        ranks = {repr(s): k for k, s in enumerate(sorted(signs.values(), key=lambda s: (s[0], s[1])))}
        ranks = {text: k for k, text in enumerate(ranks)}
        new = {v: ranks[repr(s)] for v, s in signs.items()}
        if len(set(new.values())) == len(set(colours.values())):
            return new
        colours = new
    return colours
