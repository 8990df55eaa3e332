"""Values that an article has letters of its own for: what a key reads from the state, `v_old = S_{t-1}ᵀ k_t`, which
updates take off, and what a step writes into it, u_t where S_t = Σ_{i ≤ t} u_i k_iᵀ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.models.letters import letter_of
from symattn.checking.models.states import DECAYS, LETTERS, READ, WRITTEN
from symattn.checking.naming import rewrite
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

MOST_NESTED = 3  # names within names
GREEK = {"alpha": "α", "beta": "β", "gamma": "γ", "lambda": "λ", "phi": "φ"}


def find_read(_: Article, statements: Sequence[Statement]) -> dict[f.Name, f.Expression]:
    """The names that are said to be a state times a key and stand beside the value of a step elsewhere."""
    found: dict[f.Name, f.Expression] = {}
    for statement in statements:
        name = statement.left
        if len(statement.equals) != 2 or not isinstance(name, f.Name) or letter_of(name).key in LETTERS:
            continue
        step = _step_of_key(statement.equals[1])
        others = (other for other in statements if other is not statement)
        if step and any(_is_beside_value(name, step, other) for other in others):
            found[name] = f.Name(READ, (step,))
    return found


def find_written(_: Article, statements: Sequence[Statement]) -> dict[f.Name, f.Expression]:
    """The names u_t, u_i of which the state is said to be the sum, each with the key of its step."""
    bases = {base for statement in statements for base in _summed_with_keys(statement.equals)}
    names = {part for s in statements for side in s.equals for part in f.walk(side) if isinstance(part, f.Name)}
    return {name: f.Name(WRITTEN, name.sub) for name in names if name.base in bases and len(name.sub) == 1}


def _summed_with_keys(sides: Sequence[f.Expression]) -> Iterator[str]:
    """The letter u of S_t = Σ_{i ≤ t} u_i k_iᵀ, in either order."""
    left, *others = sides or (f.Name(""),)
    if not isinstance(left, f.Name) or LETTERS.get(left.base) != "S":
        return
    for side in others:
        if isinstance(side, f.BigSum) and isinstance(side.body, f.Product) and len(side.body.factors) == 2:
            factors = [x.operand if isinstance(x, f.Transpose) else x for x in side.body.factors]
            named = {x.base for x in factors if isinstance(x, f.Name) and x.sub == (side.index,)}
            yield from (x for x in named if len(named) == 2 and "k" in named and x not in LETTERS and x.islower())


def _step_of_key(e: f.Expression) -> str:
    """The step of the key that a state is multiplied by, and of nothing else."""
    if not isinstance(e, f.Product) or len(e.factors) != 2:
        return ""
    factors = [x.operand if isinstance(x, f.Transpose) else x for x in e.factors]
    letters = [letter_of(x) for x in factors if isinstance(x, f.Name)]
    kinds = {LETTERS.get(x.key): x.indices for x in letters}
    if set(kinds) != {"S", "k"} or any(len(indices) != 1 for indices in kinds.values()):
        return ""
    return kinds["k"][0] if kinds["S"][0] == f"{kinds['k'][0]}-1" else ""


def _is_beside_value(name: f.Name, step: str, other: Statement) -> bool:
    """Whether an equation has the name and the value of the step."""
    parts = {part for side in other.equals[1:] for part in f.walk(side) if isinstance(part, f.Name)}
    return name in parts and any(LETTERS.get(x.key) == "v" and x.indices == (step,) for x in map(letter_of, parts))


def find_row_projection(_: Article, statements: Sequence[Statement]) -> bool:
    """Whether keys or values of a step are rows by their projection, k_t = x_t W_k."""
    for statement in statements:
        match statement.equals:
            case (f.Name("k" | "v", (_,), ()), f.Product((f.Name(token, (_,), ()), f.Name("W")))) if token.islower():
                return True
    return False


def is_flat_product(sides: Sequence[f.Expression]) -> bool:
    """Whether a vector is multiplied by the state with a program's @, q_t @ S_t, and by nothing else."""
    match sides:
        case (f.Name(), f.Product((f.Name() as one, f.Name() as other), ("@",))):
            return {LETTERS.get(letter_of(one).key), LETTERS.get(letter_of(other).key)} in ({"S", "q"}, {"S", "k"})
    return False


def without_scale(sides: Sequence[f.Expression]) -> list[f.Expression]:
    """`o = S_t q_t / √d_k` as o_t = S_t q_t: queries may be scaled, and the output has their step."""
    match sides:
        case (
            f.Name("o" | "y", sub, ()) as left,
            f.Quotient(f.Product((f.Name() as a, f.Name() as b)) as read, f.Root(f.Name("d"))),
        ):
            steps = {letter_of(x).indices for x in (a, b)}
            if len(steps) == 1 and {LETTERS.get(letter_of(x).key) for x in (a, b)} == {"S", "q"}:
                return [left if sub else replace(left, sub=a.sub), read]
    return list(sides)


def judge_unfit_read(statement: Statement, sides: Sequence[f.Expression], context: Context) -> Formula | None:
    """`o_t = q_t S_t` of an article whose vectors are columns, by an outer product k_t k_tᵀ: it fits in no layout."""
    match sides:
        case (f.Name("o"), f.Product((f.Name() as first, f.Name() as state), ("",))):
            parts = (part for s in context.statements for side in s.equals for part in f.walk(side))
            outer = any(map(_is_outer, parts))
            if outer and [LETTERS.get(letter_of(x).key) for x in (first, state)] == ["q", "S"]:
                return refuse(statement, Sentence("theorem.state_fails"))
    return None


def _is_outer(e: f.Expression) -> bool:
    """Whether it is β k kᵀ, a matrix beside the identity."""
    match e:
        case f.Sum((f.Name("I"), f.Product(factors)), (1, -1)) if len(factors) > 1:
            one, other = factors[-2:]
            key = isinstance(one, f.Name) and one.base == "k"
            return key and isinstance(other, f.Transpose) and other.operand == one
    return False


def put_in(sides: Sequence[f.Expression], known: Mapping[f.Name, f.Expression]) -> list[f.Expression]:
    """The sides with what names are said to be, and the names in that."""
    made = list(sides)
    for _ in range(MOST_NESTED):
        made = [
            rewrite(side, lambda part: known.get(part, part) if isinstance(part, f.Name) else part) for side in made
        ]
    return made


def as_output(left: f.Expression, others: Sequence[f.Expression]) -> f.Expression:
    """The o_t that h_t is where the query of the step reads the state: what is read is the output."""
    if not isinstance(left, f.Name) or letter_of(left).key in LETTERS or len(letter_of(left).indices) != 1:
        return left
    if left.base in ("output", "out"):
        return replace(left, base="o")
    letters = {LETTERS.get(letter_of(part).key) for side in others for part in f.walk(side) if isinstance(part, f.Name)}
    reads = {"q", "S"} <= letters and letters.isdisjoint("kvo")
    capital = any(part.base == "Q" for side in others for part in f.walk(side) if isinstance(part, f.Name))
    return f.Name("O" if capital else "o", left.sub, start=left.start, end=left.end) if reads else left


def is_own_name(statement: Statement, context: Context) -> bool:
    """Whether what is read has a name with a mark, or another one than the output of the article, o_t."""
    left, *others = statement.equals
    if as_output(left, others) is left or not isinstance(left, f.Name):
        return False
    return not letter_of(left).key.isalpha() or context.once(_name_outputs)


def _name_outputs(_: Article, statements: Sequence[Statement]) -> bool:
    """Whether a line says what the output o_t is."""
    lefts = (statement.left for statement in statements if len(statement.equals) > 1)
    return any(isinstance(left, f.Name) and LETTERS.get(letter_of(left).key) == "o" for left in lefts)


def find_auxiliaries(_: Article, statements: Sequence[Statement]) -> dict[f.Name, f.Expression]:
    """The letters with a step that no recurrence has of itself, and what they are said to be."""
    found: dict[f.Name, f.Expression] = {}
    for statement in statements:
        if len(statement.equals) < 2 or not isinstance(statement.left, f.Name):
            continue
        letter = letter_of(statement.left)
        own = letter.key in LETTERS or letter.key in DECAYS or letter.key == "β"
        named = not letter.indices and letter.key.partition("_")[0] in LETTERS  # v_delta of a program
        if (len(letter.indices) == 1 or named) and not own and statement.left not in f.walk(statement.equals[1]):
            found.setdefault(statement.left, statement.equals[1])
    return found


def find_named(article: Article, statements: Sequence[Statement]) -> dict[f.Name, f.Expression]:
    """All of these names, and what they are said to be; what a key reads and what a step writes are known anyway."""
    return {
        name: e for find in (find_auxiliaries, find_read, find_written) for name, e in find(article, statements).items()
    }
