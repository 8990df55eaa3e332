"""Rotary positions: R_m turns a pair of features by mθ; vectors are pairs, or complex numbers beside e^{imθ}.

A complex number a + bi stands as the matrix [[a, −b], [b, a]], so that products, conjugates (transposes) and rotations
are those of matrices. Angles and positions are any numbers, since the identities hold for all.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction

from symattn.checking.models.evaluate import Model, Scope, UnsettledError, evaluate, inner
from symattn.checking.models.rings import Numbers, Size
from symattn.checking.models.tensors import MisfitError, Tensor, Tensors, draw_rows
from symattn.checking.models.turned import GREEK, VECTORS
from symattn.patterns import regex
from symattn.reading import formula as f

PAIR = 2
POSITIONS = frozenset(("m", "n", "t", "s", "a", "b", "pos", "p", "Δ"))
ANGLES = frozenset("θωφ")
ROTATE = frozenset(("f", "rope", "rot", "rotate"))
LABELS = regex(r"[Θθω]|[dD](?:_\w+)?")
UNITS = (f.Name("i"), f.Name("j"))  # what the imaginary unit is called
_OF_PAIR = regex(r"(?<=[\w)][θωφ])_([ij])$")  # of R_{mθ_i}; many write R_{θ_i} for it, which is by no angle θ_i
_TIMES = regex(r"\(([^()]+)\)([α-ω])")
_FEATURE = regex(r"[0-9]|2[ijk](?:[-+]1)?")


class RotationModel(Model):
    """Letters of a statement on rotations. `plane` says that vectors are complex numbers."""

    def __init__(
        self,
        *,
        columns: bool,
        plane: bool = False,
        seed: int = 0,
        bare: frozenset[str] = frozenset(),
        whole: bool = True,
        scalars: bool = False,
        clockwise: bool = False,
        blocks: frozenset[str] = frozenset(),
        direct: bool = False,
        vectors: bool = True,
    ) -> None:
        self.tensors, self.columns, self.plane, self.seed = Tensors(Numbers()), columns, plane, seed
        self.angle = next((letter for letter in "θωφ" if letter in bare), "θ")  # what R_m turns by, m times
        self.bare = bare  # vectors that occur without their position, so that q_m may be q turned already
        self.blocks = blocks  # what numbers pairs of features, the i of θ_i: no position
        self.clockwise = clockwise  # whether R_m turns by −mθ
        self.scalars = scalars  # whether every letter is a number
        self.direct = direct  # whether R(t) turns by t itself, as cos t beside it says
        self.pairs = set[str]()  # the i of θ_i
        self.vectors = vectors  # whether vectors are turned, so that q below R is none of two positions
        self.whole = whole  # whether R or f(x, m) turns a pair by the one angle θ
        self.sizes: Mapping[str, Size] = {"d": PAIR}
        self.drawn: dict[str, Tensor] = {}

    # --- letters

    def _scalar(self, name: str) -> Tensor:
        if name not in self.drawn:
            generator = random.Random(f"{name} {self.seed}")
            self.drawn[name] = self.tensors.number(Fraction(generator.randint(1, 12), generator.choice((3, 5, 7))))
        return self.drawn[name]

    def _pair(self, name: str) -> Tensor:
        """The two features of a vector, as a column."""
        parts = [self._scalar(f"{name},{k}") for k in (1, 2)]
        return self.tensors.make((PAIR, 1), lambda i, _: parts[i].at())

    def _matrix(self, name: str) -> Tensor:
        if name not in self.drawn:
            self.drawn[name] = self.tensors.written(draw_rows(f"{name} {self.seed}", PAIR, PAIR, 3, 2))
        return self.drawn[name]

    def rotation(self, angle: Tensor) -> Tensor:
        t = self.tensors
        c, s = t.apply("cos", angle).at(), t.apply("sin", angle).at()
        entries = ((c, -s), (s, c))
        return t.make((PAIR, PAIR), lambda i, j: entries[i][j])

    def _turn(self, position: Tensor, whole: bool = False) -> Tensor:
        """R_m; a `whole` angle is not times θ."""
        angle = position if whole or self.direct else self.tensors.hadamard(position, self._scalar("θ"))
        return self.rotation(self.tensors.scale(angle, -1) if self.clockwise else angle)

    def value(self, name: f.Name, scope: Scope) -> Tensor:
        if self.scalars:
            return self._scalar("_".join((name.base, *name.sub, *name.sup)))
        if name.base == "R":
            return self._rotation_of(name)
        if name.base == "I" and not name.sup and (not name.sub or name.sub in (("2",), ("d",))):
            return self.tensors.identity(PAIR)
        if name.base == "W" and (name.sub or name.sup):
            return self._matrix("W_" + ",".join(mark.lower() for mark in (*name.sub, *name.sup)))
        if name.base in self._other_angles() and not name.sub and not name.sup:
            return self._scalar(name.base)
        if name.base in ANGLES and not name.sup and (not name.sub or name.sub in (("i",), ("j",))):
            for index in name.sub:
                self._note_pair(index)
            return self._scalar("θ")
        if name.base in ANGLES and not name.sup and len(name.sub) == 1 and name.sub[0].isdigit() and not self.whole:
            return self._scalar(f"θ_{name.sub[0]}")
        if self.plane and name in UNITS:
            return self._unit()
        if name.base in POSITIONS and not name.sub and not name.sup:
            return self._scalar(name.base)
        if name.base in VECTORS:
            return self._vector(name)
        raise UnsettledError(name.base)

    def _vector(self, name: f.Name) -> Tensor:
        """A vector, or with the number of a feature one of its two: x_1, x^{(2)}_m, x_{m,1}."""
        marks = [mark.strip("()") for mark in (*name.sub, *name.sup) if mark != "*"]
        parts = [mark for mark in marks if _FEATURE.fullmatch(mark)]
        own = "_".join((name.base, *(mark for mark in marks if mark not in parts)))
        if own != name.base and name.base in self.bare:
            raise UnsettledError(own)
        if any(mark not in POSITIONS and mark not in ("i", "j") for mark in own.split("_")[1:]) or len(parts) > 1:
            raise UnsettledError(name.base)
        if parts:
            return self._scalar(f"{own},{parts[0]}")
        pair = self._pair(own)
        if self.plane:
            number = self._number(pair)
            return self.tensors.transpose(number) if "*" in name.sup else number
        return pair if self.columns else self.tensors.transpose(pair)

    def _number(self, pair: Tensor) -> Tensor:
        """A pair as a complex number."""
        a, b = pair.at(0, 0), pair.at(1, 0)
        entries = ((a, -b), (b, a))
        return self.tensors.make((PAIR, PAIR), lambda i, j: entries[i][j])

    def _projected(self, e: f.Product, scope: Scope) -> Tensor | None:
        """W_q x as the complex number of its two features: W_q multiplies the pair, and no complex number."""
        if len(e.factors) != 2 or not all(isinstance(x, f.Name) for x in e.factors):
            return None
        weight, vector = e.factors
        assert isinstance(weight, f.Name) and isinstance(vector, f.Name)
        if weight.base != "W" or vector.base not in VECTORS or any(_FEATURE.fullmatch(mark) for mark in vector.sub):
            return None
        number = self._vector(vector)
        return self._number(self.tensors.multiply(self.value(weight, scope), self.tensors.column(number, 0)))

    def _unit(self) -> Tensor:
        return self._number(self.tensors.make((PAIR, 1), lambda i, _: self.tensors.ring.number(Fraction(int(i)))))

    def _other_angles(self) -> frozenset[str]:
        """The letters of angles beside the one that R_m turns by."""
        return frozenset("αβγψδ") | ((ANGLES & self.bare) - {self.angle})

    def _rotation_of(self, name: f.Name) -> Tensor:
        """R_m, R_{Θ,n-m} and R^m, by a position times θ; R_θ and R_{α+β}, by the angle itself."""
        marks = [self._without_pair(mark) for mark in (*name.sub, *name.sup) if mark not in self.blocks]
        marks = [mark for mark in marks if not LABELS.fullmatch(mark)] or [mark for mark in marks if mark in ANGLES]
        if len(marks) != 1:
            raise UnsettledError("R")
        spread = _TIMES.fullmatch(marks[0])
        if spread is not None:  # R_{(n-m)θ}
            steps, angle = self._total(_pieces(spread[1])), self.value(f.Name(spread[2]), Scope(self))
            return self._turn(self.tensors.hadamard(steps, angle), whole=True)
        mark = marks[0].strip("()")
        return self._turn(self._total(_pieces(mark)), whole=bool(GREEK.intersection(mark)))

    def _without_pair(self, mark: str) -> str:
        """A mark without the i of mθ_i."""
        found = _OF_PAIR.search(mark)
        if found is None:
            return mark
        self._note_pair(found[1])
        return mark[: found.start()]

    def _note_pair(self, index: str) -> None:
        """θ_i is the angle of the one pair that is looked at. Raises UnsettledError where θ_j stands beside it."""
        self.pairs.add(index)
        if len(self.pairs) > 1:
            raise UnsettledError(f"θ_{index}")

    def _total(self, pieces: Sequence[str]) -> Tensor:
        """The sum n − m of a mark, whose pieces may have an angle: mθ, 2θ."""
        t, total, sign = self.tensors, self.tensors.number(0), 1
        for piece in pieces:
            if piece in "+-":
                sign = 1 if piece == "+" else -1
                continue
            step, angle = (piece[:-1], piece[-1]) if piece[-1] in GREEK else (piece, "")
            known = step.isdigit() or step in POSITIONS or step in ("", "i", "j", "k")
            if not known and not (step == "q" and not self.vectors):  # R_p R_q, beside no vector
                raise UnsettledError(piece)
            times = t.number(int(step)) if step.isdigit() else self._scalar(step) if step else t.number(1)
            by = self.value(f.Name(angle), Scope(self)) if angle else t.number(1)
            total = t.add(total, t.scale(t.hadamard(times, by), sign))
        return total

    # --- forms

    def special(self, e: f.Expression, scope: Scope) -> Tensor | None:
        if isinstance(e, f.Call) and e.function == "exp" and is_turned(e):
            return self.rotation(_angle(e.arguments[0], scope))
        if isinstance(e, f.Call) and e.function in ROTATE and not e.label and len(e.arguments) in (2, 3):
            return self._rotated(e, scope)
        if isinstance(e, f.Call) and e.function == "R":
            angle = evaluate(e.arguments[0], scope) if len(e.arguments) == 1 else None
            if angle is None or not angle.is_number:
                raise UnsettledError("R")
            return self._turn(angle, whole=any(isinstance(x, f.Name) and x.base in GREEK for x in f.walk(e)))
        if isinstance(e, f.Call) and e.function == "norm" and len(e.arguments) == 1 and not self.plane:
            vector = evaluate(e.arguments[0], scope)
            return self.tensors.apply("sqrt", inner(self.tensors, vector, vector)) if vector.is_vector else None
        if isinstance(e, f.Sum) and self.plane:
            return self._complex_sum(e, scope)
        if isinstance(e, f.Call) and e.function in ("sin", "cos", "exp") and not self._is_real(e.arguments[0], scope):
            raise UnsettledError(e.function)
        if isinstance(e, f.Call) and e.function == "diag" and len(e.arguments) > 1:
            numbers = [evaluate(a, scope) for a in e.arguments]
            if all(x.is_number for x in numbers):
                return self.tensors.diagonal(self.tensors.make((len(numbers), 1), lambda i, _: numbers[i].at()))
        if isinstance(e, f.Product) and self.plane and (projected := self._projected(e, scope)) is not None:
            return projected
        if isinstance(e, f.Product) and e.factors[0] in (f.Name("Re"), f.Name("ℜ")) and self.plane:
            rest = f.Product(e.factors[1:], e.operators[1:]) if len(e.factors) > 2 else e.factors[1]
            return self.tensors.entry(evaluate(rest, scope), 0, 0)
        if isinstance(e, f.Call) and e.function == "re" and self.plane:
            return self.tensors.entry(evaluate(e.arguments[0], scope), 0, 0)
        if isinstance(e, f.Call) and e.function == "inner" and self.plane:
            return self._inner(*(evaluate(a, scope) for a in e.arguments))
        return None

    def _inner(self, x: Tensor, y: Tensor) -> Tensor:
        """Re(x y*) of two complex numbers, the inner product of the pairs that they are."""
        if x.shape != y.shape:
            raise MisfitError((x.shape, y.shape))
        return inner(self.tensors, *((x, y) if x.is_number else (self.tensors.column(z, 0) for z in (x, y))))

    def _is_real(self, e: f.Expression, scope: Scope) -> bool:
        return evaluate(e, scope).is_number

    def _complex_sum(self, e: f.Sum, scope: Scope) -> Tensor:
        """Terms of which some are complex numbers: a real one beside them is one too."""
        t = self.tensors
        terms = [t.scale(evaluate(x, scope), sign) for x, sign in zip(e.terms, e.signs, strict=True)]
        if not all(x.is_number for x in terms):
            one = self._number(t.make((PAIR, 1), lambda i, _: t.ring.number(Fraction(int(not i)))))
            terms = [t.hadamard(x, one) if x.is_number else x for x in terms]
        return t.add(*terms)

    def _rotated(self, e: f.Call, scope: Scope) -> Tensor:
        """f(x, m) or RoPE(x_1, x_2, m): the vector turned by its position."""
        *features, position = (evaluate(a, scope) for a in e.arguments)
        t = self.tensors
        if not position.is_number:
            raise UnsettledError(e.function)
        turned = self._turn(position)
        if len(features) == 2:
            if not all(x.is_number for x in features):
                raise UnsettledError(e.function)
            return t.multiply(turned, t.make((PAIR, 1), lambda i, _: features[i].at()))
        (x,) = features
        if x.is_number or self.plane:
            return t.multiply(turned, x)
        return t.multiply(turned, x) if x.shape[1] == 1 else t.multiply(x, t.transpose(turned))


def _pieces(text: str) -> list[str]:
    made = [""]
    for c in text:
        if c in "+-":
            made += [c, ""]
        else:
            made[-1] += c
    return [piece for piece in made if piece]


def is_turned(e: f.Expression) -> bool:
    """Whether an exponential has the imaginary unit in it."""
    return any(part in (f.Name("i"), f.Name("j")) for part in f.walk(e))


def _angle(e: f.Expression, scope: Scope) -> Tensor:
    """The φ of iφ."""
    t = scope.model.tensors
    if isinstance(e, f.Sum) and len(e.terms) == 1:
        return t.scale(_angle(e.terms[0], scope), e.signs[0])
    if isinstance(e, f.Product):
        rest = [x for x in e.factors if x not in (f.Name("i"), f.Name("j"))]
        if rest and len(rest) == len(e.factors) - 1:
            return t.hadamard(*(evaluate(x, scope) for x in rest))
    raise UnsettledError("angle")


def free_letters_in(e: f.Expression) -> Sequence[str]:
    """The vectors and weights that an expression is made of, without their positions."""
    return sorted({part.base for part in f.walk(e) if isinstance(part, f.Name) and part.base in {*VECTORS, "W"}})
