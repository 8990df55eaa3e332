"""An item of a list that goes on with a calculation: `- for_compute : 24 / 96 = 0.25` says what for_compute is."""

import pytest
from checking.checked import judged

ITEM = "- for_compute : 24 / 96 = 0.25 seconds\n\n"


def bad(text: str) -> list[str]:
    return [number for *_, numbers in judged(text) for number in numbers]


def test_what_follows_from_it_is_judged() -> None:
    assert bad(f"{ITEM}so 6 * for_compute = 1.6 seconds") == ["1.6"]
    assert bad(f"{ITEM}so 6 * for_compute = 1.5 seconds") == []
    assert judged(f"{ITEM}so 6 * for_compute = 1.5 seconds")[-1][1] == ["1.5"]


@pytest.mark.parametrize(
    "text",
    [
        f"{ITEM}- for_compute : 24 / 48 = 0.5\n\n6 * for_compute = 1.5, 6 * for_compute = 3",
        "- mem_total : 2 * 3 = 6 GB\n\nmem_total * 1024 = 6144 MB",
        "- mem_total : 4096 * 2 = 8 KB\n\nmem_total * 2 = 16 KB and mem_total * 2 = 16384 bytes",
        f"{ITEM}for_compute = 250 ms\n\n6 * for_compute = 1500 ms",
        "- see the_first : 24 / 96 = 0.25\n\nthe_first = 3, 6 * the_first = 18",
        f"{ITEM}With 48 units for_compute = 24 / 48 = 0.5\n\n6 * for_compute = 3",
        "- for_compute : 24 / 96 = 0.25 s\n- for_memory : 10 / 4 = 2.5 s\n\nfor_memory / for_compute = 10",
        f"{ITEM}# Larger\n\n- for_compute : 48 / 96 = 0.5 seconds\n\n6 * for_compute = 3 seconds",
    ],
)
def test_right_texts(text: str) -> None:
    assert bad(text) == []
