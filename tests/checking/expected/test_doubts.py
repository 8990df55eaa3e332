"""Reasons not to accuse, each beside the number that only looks like one of them."""

from dataclasses import replace
from fractions import Fraction

import pytest
from flint import arb

from symattn.checking.expected.doubts import (
    begins_an_example,
    find_guess,
    in_another_unit,
    is_in_thousands,
    is_of_shapes,
    puts_in_another,
    said_to_change,
)
from symattn.checking.semantics.environment import Environment, Print, Stated
from symattn.checking.verdicts import Definition, Printed
from symattn.reading import formula as f
from symattn.reading.formula import parse
from symattn.values.balls import Balls
from symattn.values.printed import enclose


def table(*rows: str) -> Printed:
    """What is printed, with decimals as the last places."""
    texts = [row.split(",") for row in rows]
    return Printed.of(
        [[(Fraction(t), Fraction(1, 10 ** len(t.partition(".")[2])), t, (0, 0)) for t in r] for r in texts]
    )


def true(*rows: str) -> Balls:
    return enclose([[Fraction(t) for t in row.split(",")] for row in rows])


@pytest.mark.parametrize(
    ("printed", "value", "before", "after", "doubted"),
    [
        # written out in the unit that a prefix counts
        ("20000000000000", "20", r"10\,\text{TFLOPs} \cdot 2", "", True),
        ("20000000000", "20", r"10\,\text{TFLOPs} \cdot 2", "", False),
        ("20000000000", "20", r"10 GFLOPs \cdot 2", "", True),
        ("20000000000000", "20", r"4 kB beside 10 TFLOPs \cdot 2", "", True),
        ("21000000000000", "20", r"10 TFLOPs \cdot 2", "", False),
        ("0", "20", r"10 TFLOPs \cdot 2", "", False),
        # things of which there is no part, and those of which the last is not full
        ("6", "20/3", "10 / 1.5", " sessions", True),
        ("7", "20/3", "10 / 1.5", " sessions", False),
        ("5", "20/3", "10 / 1.5", " sessions", False),
        ("6", "20/3", "10 * 2", " sessions", False),
        ("6.0", "20/3", "10 / 1.5", " sessions", False),
        ("6", "20/3", "10 / 1.5", " meters", False),
        ("2", "4/3", "1024 / 768", " tiles", True),
        ("3", "4/3", "1024 / 768", " tiles", False),
        ("2", "4/3", "1024 / 768", " sessions", False),
        ("2", "4/3", "1024 * 768", " tiles", False),
        # of what is counted one by one, thousands
        ("38.4", "38400", "50 * 768", " FLOPs", True),
        ("38400", "38.4", "50 * 768", " FLOPs", True),
        ("38.5", "38400", "50 * 768", " FLOPs", False),
        # words that count
        ("5", "4", "2 + 2", " million", True),
        ("5", "4", "2 + 2", "K", True),
        ("5", "4", "2 + 2", r"\text{million}", True),
        ("5", "4", "2 + 2", "$ million", True),
        ("5", "4", "2 + 2", r"\ \text{Kelvin}", False),
        ("5", "4", "2 + 2", " bytes", True),
        ("5", "4", "2 + 2", "bytes", True),
        ("5", "4", "2 + 2", r" \text{bytes}", False),
        ("5", "4", "2 + 2", " and so on", False),
        ("5", "4", "2 + 2", "", False),
        # another measure of the same
        ("17", "0.3", r"0.1\,\text{rad} \cdot 3", r"\ \text{deg}", True),
        ("17", "0.3", r"0.1\,\text{rad} \cdot 3", r"\ \text{rad}", False),
        ("17", "0.3", r"0.1\,\text{rad} \cdot 3", " deg", False),
        ("17", "0.3", r"0.1 \cdot 3", r"\ \text{deg}", False),
        # millions in whatever language
        ("4.2", "4194304", "2048 * 2048", " ล้าน", True),
        ("4.9", "4194304", "2048 * 2048", " ล้าน", False),
        ("42", "4200", "60 * 70", " sataa", True),
        ("0.42", "4.194304", "2 * 2", " ล้าน", False),  # ten is no such word
        ("4.2,4.2", "4194304", "2048 * 2048", " ล้าน", False),
        # seconds in hours, joules in kWh
        ("2", "7200", "2 * 3600", " hours", True),
        ("2", "8000", "2 * 4000", " hours", False),
        ("2", "7200", "2 * 3600", " h", True),
        ("2", "7200", "2 * 3600", " q", False),
        ("0.1", "360", "360 kJ", " kWh", True),
        ("1", "24", "6 * 4", " days", True),
        ("104", "100", "10 * 10", " hours", False),  # the same unit
        ("0.1", "360", "360", " kWh", False),
        ("0.1", "360", "360 kJ", " kcal", False),
        ("2000", "2", "1 + 1", " мс", True),
        ("2500", "2", "1 + 1", " мс", False),
        ("2000,2000", "2", "1 + 1", " мс", False),
        ("2000", "2,2", "1 + 1", " мс", False),
        ("0", "5", "2 + 3", " мс", False),
        ("5", "0", "2 - 2", " мс", False),
    ],
)  # fmt: skip
def test_numbers_in_another_unit(printed: str, value: str, before: str, after: str, doubted: bool) -> None:
    assert (in_another_unit(table(printed), true(value), before, after) is not None) == doubted


def test_a_whole_part_that_an_enclosure_does_not_tell() -> None:
    six = Balls((1, 1), None, ((arb(6, 0.01),),))
    assert in_another_unit(table("5"), six, "12 / 2", " sessions") is None


def test_what_is_hidden_counts_no_millions() -> None:
    hidden = Balls((1, 1), None, ((arb(4194304),),), frozenset({(0, 0)}))
    assert in_another_unit(table("4.2"), hidden, "2048 * 2048", " ล้าน") is None
    row = table("4.2,4.2")
    row = replace(row, values=((row.values[0][0], None),))
    assert in_another_unit(row, true("4194304,4194304"), "2048 * 2048", " ล้าน") is None


def test_thousands() -> None:
    beside = [("0.5", "500"), ("500", "0.5"), ("0.5", "0.0000000005"), ("0.50", "520"), ("0.5", "5"), ("0", "500")]
    assert [is_in_thousands(table(p), true(v)) for p, v in beside] == [True, True, True, False, False, False]
    assert not is_in_thousands(table("0.5,0.5"), true("500,500"))
    assert is_in_thousands(table("0.5"), true("500000")) and is_in_thousands(table("0.5"), true("500000000"))
    assert not is_in_thousands(table("1"), Balls((1, 1), None, ((arb(1000),),), frozenset({(0, 0)})))


@pytest.mark.parametrize(
    ("product", "printed", "shapes"),
    [
        (r"[1024, 64] \cdot 12", "1024,768", True),
        (r"12 \cdot [1024, 64]", "1024,768", True),
        (r"[1024, 64] \cdot 12", "12288,64", True),
        (r"[1024, 64] \cdot 12", "12288,768", False),  # a product of a row
        (r"[1024, 64] \cdot 12", "1024,64", False),
        (r"[1024, 64, 5] \cdot 12", "1024,768,7", False),
        (r"[1024, 64] \cdot 12", "1024,700", False),
        (r"[1024, 64] \cdot 12", "1024,768,1", False),
        (r"[1024, 64] \cdot 1", "1024,64", False),
        (r"[1024, 0] \cdot 0", "1024,0", False),
        (r"[1024, 64] + 12", "1024,768", False),
    ],
)
def test_shapes_side_by_side(product: str, printed: str, shapes: bool) -> None:
    assert is_of_shapes(parse(product)[0].sides[0].expression, table(printed)) == shapes


def test_a_matrix_times_a_number_is_no_shape() -> None:
    product = parse(r"[[1024, 64], [2, 3]] \cdot 12")[0].sides[0].expression
    assert not is_of_shapes(product, table("1024,768", "2,36"))


def test_beginnings_of_examples() -> None:
    assert begins_an_example("Let us take another example.") and begins_an_example("a second worked example")
    assert not begins_an_example("as in our example")


def expression(text: str) -> f.Expression:
    return parse(text)[0].sides[0].expression


@pytest.mark.parametrize(
    ("known", "named", "written", "another"),
    [
        ("5,6", r"A \cdot V", r"[1, 2] \cdot [[3], [4]]", True),
        ("1,2", r"A \cdot V", r"[1, 2] \cdot [[3], [4]]", False),
        ("1,6", r"A \cdot V", r"[1, 2] \cdot [[3], [4]]", False),  # one of two is right: a slip
        ("5,6,7", r"A \cdot V", r"[1, 2] \cdot [[3], [4]]", False),  # of another size
        ("5,6", r"B \cdot V", r"[1, 2] \cdot [[3], [4]]", False),  # B is unknown
        ("5,6", r"A \cdot V", r"3 \cdot [1, 2] \cdot [[3], [4]]", False),
        ("5,6", "A + V", "[1, 2] + [3, 4]", False),  # the sum is no product
        ("5,6", r"A \cdot V", "[1, 2] + [3, 4]", False),
        ("5,6", "A + V", r"[1, 2] \cdot [[3], [4]]", False),
        ("5,6", r"A \cdot V", r"[1, 2] \cdot [[3], [4]] \cdot 2", False),
        ("5,6", r"A \cdot V", r"3 \cdot 4", False),
        ("5,6,7", r"A \cdot V", r"[1, 6, 2] \cdot [[3], [4], [5]]", True),  # one of three may be chance
        ("5,6", r"A \cdot V", r"[1, x] \cdot [[3], [4]]", False),
    ],
)
def test_matrices_written_out_for_others(known: str, named: str, written: str, another: bool) -> None:
    environment = Environment()
    environment.state(expression("A"), Stated(true(known)))
    worth = true("11")
    symbols, numbers = Definition(expression(named), worth, (expression("A"),), worth), expression(written)
    assert puts_in_another([symbols, Definition(numbers, worth, (), worth)], environment) == another
    assert not puts_in_another([symbols], environment)
    assert not puts_in_another([symbols, Definition(numbers, worth, (expression("A"),), worth)], environment)
    assert not puts_in_another([replace(symbols, used=()), Definition(numbers, worth, (), worth)], environment)


def test_a_matrix_that_was_printed_wrong_is_carried_on() -> None:
    environment, printed = Environment(), true("1,2")
    environment.state(expression("A"), Stated(true("5,6"), prints=[Print(printed, true("5,6"), {})]))
    worth = true("11")
    made = [Definition(expression(r"A \cdot V"), worth, (expression("A"),), worth)]
    made.append(Definition(expression(r"[1, 2] \cdot [[3], [4]]"), worth, (), worth))
    assert not puts_in_another(made, environment)


def test_guesses_in_formulas() -> None:
    environment = Environment()
    assert find_guess(expression(r"3 \cdot \max_j S_{ij}"), environment) is not None
    assert find_guess(expression(r"2 \cdot \max(|v|)"), environment) is not None
    assert find_guess(expression(r"a + 2 \cdot b"), environment) is None
    environment.state(expression("K"), Stated(true("1,2", "3,4")))
    assert find_guess(expression(r"\frac{K}{\sqrt{d}}"), environment) == expression("d")
    environment.state(expression("d"), Stated(true("2")))
    assert find_guess(expression(r"\frac{K}{\sqrt{d}}"), environment) is None


def test_words_that_say_of_a_change() -> None:
    assert said_to_change("W_Q after training:") and not said_to_change("the scores of the first token")
