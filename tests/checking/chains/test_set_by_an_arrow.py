"""W ← W − ηG gives W another value: what follows is computed from that."""

import pytest
from checking.checked import judged, report

GIVEN = r"$X = \begin{pmatrix}1 & 2\end{pmatrix}$, $W = \begin{pmatrix}1 & 0\\0 & 1\end{pmatrix}$, " + (
    r"$X W = \begin{pmatrix}1 & 2\end{pmatrix}$, $G = \begin{pmatrix}1 & 0\\0 & 1\end{pmatrix}$." + "\n\n"
)
NEW = r"\begin{pmatrix}0.9 & 0\\0 & 0.9\end{pmatrix}"
AFTER = "\n\nNow $X W = " + r"\begin{pmatrix}0.9 & 1.8\end{pmatrix}$."


def bad(text):
    return [number for *_, numbers in judged(text) for number in numbers]


@pytest.mark.parametrize("arrow", [r"\leftarrow", r"\gets", "←", ":="])
def test_what_follows_is_of_the_new_value(arrow):
    text = GIVEN + rf"The update is $W {arrow} W - 0.1\, G = {NEW}$." + AFTER
    assert len(report(text).findings) == 3
    assert bad(text) == []
    assert bad(text.replace("1.8", "2.8")) == ["2.8"]
    assert bad(text.replace(NEW, NEW.replace("0.9", "0.8", 1))) == ["0.8"]


@pytest.mark.parametrize("update", [r"$W \leftarrow W - \eta \nabla_W L$", "$W ← W − \\eta G$.", "W ← W − 0.1 G"])
def test_after_one_that_is_not_read_nothing_is_held_against_the_old_value(update):
    assert bad(GIVEN + update + AFTER) == []


def test_a_lone_number_is_set_anew():
    text = r"Let $w = 2$. Step 1: $w \leftarrow w - 0.1\cdot 3 = 1.7$. Step 2: $w \leftarrow w - 0.1 \cdot 3 = {}$."
    assert bad(text.format("1.4")) == []
    assert bad(text.format("1.5")) == ["1.5"]


@pytest.mark.parametrize("words", ["what the rows are multiplied by", "Decoder", "this is learned"])
def test_words_that_say_what_something_is_give_no_other_value(words):
    assert bad(GIVEN + f"W ← {words}" + AFTER) == ["0.9", "1.8"]
    assert bad(GIVEN + "W ← updated weights" + AFTER) == []
