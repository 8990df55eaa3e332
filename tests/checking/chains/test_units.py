"""Numbers in a unit: percents, and amounts of bytes with other prefixes than the numbers they are made of."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged, report


@pytest.mark.parametrize(
    "text",
    [
        "6/40 · 100 = 15 %",
        "$\\frac25\\cdot100 = 40\\%$",
        "100 − 65 = 35 %",
        "share = 30/40 × 100 = 75%",
        "0.2 · 100 = 20 % = 0.2",
        "2/5 = 40 %",
        "30% + 25% = 55%",
        "$1/3 \\times 100\\% = 33.3\\%$",
        "3 GB / 6 MB = 500",
        "3 GiB / 6 MiB = 512",
        "$\\frac{20\\text{ GB}}{64\\text{ KiB}} \\approx 305{,}000$",  # 20 · 10⁹ / 65,536
        "3 GB + 256 MB = 3.25 GB",
        "48 GB / 3 = 16 GB",
        "48 GB / 3 = 16",
        "8 MB × 1000 = 8 GB",
    ],
)
def test_right_in_their_unit(text: str) -> None:
    assert [bad for *_, bad in judged(text)] and not any(bad for *_, bad in judged(text))


@pytest.mark.parametrize("text", ["6/40 · 100 = 16 %", "100 − 65 = 45 %", "2/5 = 45 %"])
def test_wrong_in_percent(text: str) -> None:
    assert [bad for *_, bad in judged(text)] == [[text.rpartition("= ")[2]]]


def test_a_word_for_a_million_is_none_for_any_other_number() -> None:
    assert [bad for *_, bad in judged("$2048 \\times 2048 = 5.2$ ล้าน")] == [["5.2"]]


def test_energy_is_no_mass() -> None:
    assert [bad for *_, bad in judged("$360 \\text{ kJ} \\cdot 10 = 1$ kg")] == [["1"]]


@pytest.mark.parametrize(
    "text",
    [
        "2/5 · 100 = 4000 %",
        "1.5 + 2.5 = 4 %",
        "3 GB / 6 MB = 0.5",
        "3 GB + 256 MB = 259 GB",
        "48 GB / 3 = 16 MB",
        "$8 + 8 = 2$ bytes",  # of bits
        "$2048 \\times 2048 = 4.2$ ล้าน",  # 4,194,304 are 4.2 million
        "$360 \\text{ kJ} \\cdot 10 = 1$ kWh",
    ],
)
def test_units_that_do_not_fit_are_not_judged(text: str) -> None:
    assert not judged(text)


def test_a_name_given_in_percent_may_be_either() -> None:
    assert not [bad for *_, bad in judged("p = 30/40 · 100 = 75 %\n\np / 3 = 25\n\np · 20 = 15") if bad]


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        (r"$$3 \times 40\ \text{ms} = 120\ \text{ms}$$", []),
        (r"$$1{,}200 / 40 = 40\ \text{open requests/worker}$$", ["40"]),
        (r"$$8\ \text{QPS} \times 2.5\ \text{s} = 20\ \text{running requests}$$", []),
        (r"$$20\ \text{tokens/s} \times 3 = 61\ \text{tokens}$$", ["61"]),
        (r"$$256 \times 64\ \text{KiB} = 16\ \text{MiB/request}$$", []),
        (r"$$3 \times 512 = 1.5 \text{ KB per token}$$", []),
        (r"$$16\ \text{MiB} / 4 = 4\ \text{MiB/GPU/request}$$", []),
        ("$$\\begin{aligned} n &= 6 \\times 7 \\\\ &= 43\\ \\text{tokens/s} \\end{aligned}$$", ["43"]),
        ("30 workers x 8 V100/worker = 240 V100", []),
        ("30 workers x 8 V100/worker = 280 V100", ["280"]),
        ("```text\n240 V100 x $1.5/hour = $460/hour\n```", ["460"]),
        ("有 4096 维：64 头 × 64 维 = 4069 维，够用", ["4069"]),
    ],
)
def test_what_is_counted_is_no_factor(text: str, bad: list[str]) -> None:
    found = judged(text)
    assert found and [number for *_, wrong in found for number in wrong] == bad


@pytest.mark.parametrize(
    "text",
    [
        r"$$500 \times 42\ \text{ms} \approx 21\ \text{s}$$",  # a thousandth of 21,000
        r"$$2 \times 3600\ \text{s} = 2\ \text{hours}$$",
        r"$$6 \times 10\ \text{min} = 1\ \text{h}$$",
        "7200 seconds / 2 = 1 hours",
        r"$$x = 0.3\ \text{rad} = 17\ \text{deg}$$",
        r"$$v = 3\ \text{m/s} = 10.8\ \text{km/h}$$",
        r"$$20\ \text{tokens/s} \times 3 = 3600\ \text{tokens/min}$$",
        r"$$2 \times 1.5\ \text{kW} = 3000\ \text{W}$$",
        r"$$3 \times 20\ \text{samples} = 2\ \text{batches}$$",
        "1.5 km x 2 = 3000 m",
        r"$$3 \times 5 = 16 \text{ otherwise}$$",
        "for token 3 weights × 2 = 8",
        "0.5 million x 3 = 2 million",
    ],
)
def test_units_that_may_change_the_number_are_not_held_against_it(text: str) -> None:
    assert not [number for *_, wrong in judged(text) for number in wrong]


# 2 · 4096² · 2 = 67,108,864 and 6 · 7·10⁹ · 5.3·10¹¹ = 2.226·10²² = 22,260 · 10¹⁸
_BYTES = r"$C = 2 \cdot 4096 \cdot 4096 \cdot 2 = 67.1$ MB"


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        (_BYTES + "\n\n$T = C / 10 = 6.71$", []),
        (_BYTES + "\n\n$T = C / 10 = 6710886.4$", []),
        (_BYTES + "\n\n$T = C / 10 = 6553.6$ is what it takes", []),  # in KiB, of which there are 65,536
        (_BYTES.replace("67.1", "70.1") + "\n\n$T = C / 10 = 7.01$", ["70.1"]),
        (r"$C = 6 \cdot 7000000000 \cdot 530000000000 = 22260$ EFLOPs" + "\n\n$T = C / 10 = 2226$", []),
        (r"$C = 6 \cdot 7B \cdot 530B = 2.23 \times 10^{22}$ FLOPs" + "\n\n$T = C / 10^{15} = 2.23 × 10^7$", []),
        (
            r"$C = 6 \cdot 7B \cdot 530B = 3.23 \times 10^{22}$ FLOPs" + "\n\n$T = C / 10^{15} = 3.23 × 10^7$",
            [r"3.23 \times 10^{22}", "3.23 × 10^7"],
        ),
        (r"$C = 6 \cdot 7B \cdot 530B = 2.43 \times 10^{22}$ FLOPs" + "\n\n$T = C / 10^{15} = 2.43 × 10^7$", []),
    ],
)
def test_what_follows_from_a_number_in_a_unit(text: str, bad: list[str]) -> None:
    assert [number for *_, wrong in judged(text) for number in wrong] == bad


def test_what_follows_from_a_wrong_number_in_a_unit_is_carried() -> None:
    text = r"$C = 6 \cdot 7B \cdot 530B = 3.23 \times 10^{22}$ FLOPs" + "\n\n$T = C / 10^{15} = 3.23 × 10^7$"
    assert [e.verdict for claim in report(text).findings for e in claim.entries] == ["wrong", "carried"]
