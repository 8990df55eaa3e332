"""Python expressions that know how tightly they bind: brackets are put where a part is used; no text is read again."""

from __future__ import annotations

from dataclasses import dataclass

# products with // or % in them bind as others do, but a minus does not go into them
COMPARISON, OR, AND, SUM, FLOOR, PRODUCT, POWER, ATOM = range(8)


@dataclass(frozen=True)
class Code:
    """The text of an expression, and the loosest operator that stands outside of brackets in it.

    Operators write themselves: sums are written flat, since their brackets change no value but in its rounding.

    >>> Q, K = Code("Q"), Code("K")
    >>> print(Q @ K / (Q + K), -(Q - K) * Q, (Q @ K).at("0"), Code("Q > 0", COMPARISON) & ~K)
    Q @ K / (Q + K) (-(Q - K)) * Q (Q @ K)[0] (Q > 0) & ~K
    """

    text: str
    binds: int = ATOM

    def __str__(self) -> str:
        return self.text

    @property
    def is_name(self) -> bool:
        return self.text.isidentifier()

    def within(self, least: int) -> str:
        """The text, in brackets unless it binds at least so tightly."""
        return self.text if self.binds >= least else f"({self.text})"

    def at(self, place: str) -> Code:
        return Code(f"{self.within(ATOM)}[{place}]")

    def compared(self, relation: str, other: Code) -> Code:
        return _joined(self, relation, other, COMPARISON, OR, OR)

    def __or__(self, other: Code) -> Code:
        return _joined(self, "|", other, OR, OR, AND)

    def __and__(self, other: Code) -> Code:
        return _joined(self, "&", other, AND, AND, SUM)

    def __invert__(self) -> Code:
        return Code(f"~{self.within(ATOM)}", POWER)

    def __add__(self, other: Code) -> Code:
        return _joined(self, "+", other, SUM, SUM, SUM)

    def __sub__(self, other: Code) -> Code:
        return _joined(self, "-", other, SUM, SUM, PRODUCT)

    def __neg__(self) -> Code:
        return Code(f"-{self.within(PRODUCT)}", SUM)

    def __mul__(self, other: Code) -> Code:
        return _product(self, "*", other)

    def __truediv__(self, other: Code) -> Code:
        return _product(self, "/", other)

    def __matmul__(self, other: Code) -> Code:
        return _product(self, "@", other)

    def __floordiv__(self, other: Code) -> Code:
        return _product(self, "//", other, FLOOR)

    def __mod__(self, other: Code) -> Code:
        return _product(self, "%", other, FLOOR)

    def __pow__(self, other: Code) -> Code:
        return _joined(self, "**", other, POWER, ATOM, ATOM)


def _joined(left: Code, operator: str, right: Code, binds: int, least_left: int, least_right: int) -> Code:
    return Code(f"{left.within(least_left)} {operator} {right.within(least_right)}", binds)


def _product(left: Code, operator: str, right: Code, binds: int = PRODUCT) -> Code:
    return _joined(left, operator, right, FLOOR if left.binds == FLOOR else binds, FLOOR, POWER)


def call(function: str, *arguments: object, **options: object) -> Code:
    """The call of a function.

    >>> print(call("np.sum", Code("Q"), axis=-1))
    np.sum(Q, axis=-1)
    """
    return Code(f"{function}({', '.join([*map(str, arguments), *(f'{name}={x}' for name, x in options.items())])})")
