"""The two terms of a binary cross-entropy, y log p and (1 − y) log(1 − p)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from symattn.reading import formula as f

_LABELS = frozenset(("true", "target", "label", "gold", "gt"))
_PREDICTIONS = frozenset(("pred", "predicted", "hat", "prob", "probs"))


def is_label(name: f.Name) -> bool:
    """Whether a name is one of labels: y, t, y_true."""
    return not is_prediction(name) and (name.base in ("y", "t", *_LABELS) or not _LABELS.isdisjoint(name.sub))


def is_prediction(name: f.Name) -> bool:
    """Whether a name is one of predicted probabilities: p, ŷ, y_pred."""
    return name.base in ("y\u0302", "p", *_PREDICTIONS) or not _PREDICTIONS.isdisjoint(name.sub)


@dataclass(frozen=True)
class Part:
    """A term of the loss: the logarithm, the label in front of it, and whether it is added."""

    label: f.Expression
    inside: f.Expression
    added: bool


class OtherFormError(Exception):
    """It is no sum of logarithms with labels in front."""


def find_parts(e: f.Expression, *, added: bool) -> Iterator[Part]:
    """The terms of a loss, whatever positive number it is multiplied with.

    Raises OtherFormError where it is made in another way.
    """
    match e:
        case f.Matrix(rows=((inside,),)):
            yield from find_parts(inside, added=added)
        case f.Sum(terms, signs):
            yield from _parts_of_sum(terms, [added is (sign > 0) for sign in signs])
        case f.BigSum(body=body, condition=None):
            yield from find_parts(body, added=added)
        case f.Quotient(top, bottom) if not _has_log(bottom):
            yield from find_parts(top, added=added)
        case f.Product(factors):
            logs = [factor for factor in factors if _has_log(factor)]
            others = [factor for factor in factors if not _has_log(factor)]
            if len(logs) != 1:
                raise OtherFormError
            added = added is (sum(map(_is_negative, others)) % 2 == 0)
            match logs[0], [factor for factor in others if not _is_scale(factor)]:
                case f.Call("log", (inside,), ()), [label]:
                    yield Part(label, inside, added)
                case f.Call(), _:
                    raise OtherFormError
                case whole, []:
                    yield from find_parts(whole, added=added)
                case _:
                    raise OtherFormError
        case _:
            raise OtherFormError


def _parts_of_sum(terms: Sequence[f.Expression], added: Sequence[bool]) -> Iterator[Part]:
    """Σ y log p + (1 − y) log(1 − p) without brackets: Σ, and the sign before it, are meant for all of it."""
    first, *others = terms
    if any(isinstance(part, f.BigSum) for part in f.walk(first)) and others:
        if not all(added[0] is not sign or added[0] for sign in added[1:]):
            raise OtherFormError
        added = [added[0]] * len(terms)
    for term, sign in zip(terms, added, strict=True):
        yield from find_parts(term, added=sign)


def _has_log(e: f.Expression) -> bool:
    return any(isinstance(part, f.Call) and part.function == "log" for part in f.walk(e))


def _is_negative(e: f.Expression) -> bool:
    match e:
        case f.Number(value=value):
            return value < 0
        case f.Sum((_,), (-1,)):
            return True
        case f.Quotient(top, _):
            return _is_negative(top)
    return False


def _is_scale(e: f.Expression) -> bool:
    """1/m, −1/m or a number."""
    match e:
        case f.Number():
            return True
        case f.Sum((inside,), _):
            return _is_scale(inside)
        case f.Quotient(f.Number(), f.Name() | f.Number()):
            return True
    return False


def _is_rest(e: f.Expression, of: f.Expression) -> bool:
    """Whether it is 1 without the other."""
    match e:
        case f.Sum((f.Number(value=one), other), (1, -1)):
            return one == 1 and other == of
    return False


def are_one(parts: Sequence[Part]) -> bool:
    """Whether they are y log p and (1 − y) log(1 − p), in any order, and p is what is predicted."""
    return any(
        _is_rest(rest.label, first.label) and _is_rest(rest.inside, first.inside) and not _is_turned(first)
        for first, rest in (parts, parts[::-1])
    )


def _is_turned(part: Part) -> bool:
    """p log y, but neither t log y nor p log q."""
    match part.label, part.inside:
        case f.Name("p"), f.Name("q"):
            return False
        case f.Name() as label, f.Name() as inside:
            return (is_label(inside) and not is_label(label)) or (is_prediction(label) and not is_prediction(inside))
    return False
