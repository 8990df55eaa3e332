"""Products by the letters of their axes in lines of programs; the sums were worked out by hand."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article

MADE = "probs = F.softmax(scores, dim=-1)\n"
GIVEN = "Each of q, k, v is (b, h, n, d).\n"
LINEAR = "W = nn.Parameter(torch.randn({}))\n"


def verdicts(code, before="", after=""):
    text = f"{before}\n```python\n{code}\n```\n{after}"
    return [x.verdict for x in check_article(read_article("a.md", text)).formulas if "einsum" in x.text]


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("s = torch.einsum('bhqd,bhkd->bhqq', q, k)", ["fails"]),
        ("s = np.einsum('ij,jk->il', a, b)", ["fails"]),
        ("s = np.einsum('ij,jk->ik', a, b, c)", ["fails"]),
        ("s = einsum('b i d, b j d -> b i j', q, k)", []),  # with no scale
        ("s = np.einsum('ij,jk', a, b)", []),
        ("t = np.einsum('ii->i', a)", []),
        ("r = rearrange(x, 'b (h d) -> b h d')", []),
        (MADE + "y = torch.einsum('bhqk,bhkd->bhqd', probs, v)", ["holds"]),
        (MADE + "y = torch.einsum('bhqk,bkhd->bqhd', probs, values)", ["holds"]),
        (MADE + "y = torch.einsum('...qk,...kd->...qd', probs, v)", ["holds"]),
        (MADE + "y = torch.einsum('bhqk,bhqd->bhkd', probs, v)", []),  # of keys, perhaps
        (MADE + "y = torch.einsum('bhqk,bhkd->bhd', probs, v)", []),
        ("y = torch.einsum('bhqk,bhkd->bhqd', probs, v)", []),
        (MADE + "probs = relu(probs)\ny = torch.einsum('bhqk,bhkd->bhqd', probs, v)", []),
        (LINEAR.format("d_out, d_in") + 'Q = torch.einsum("bnd,od->bno", x, W)', ["holds"]),
        (LINEAR.format("d_in, d_out") + 'Q = torch.einsum("bnd,do->bno", x, W)', ["holds"]),
        (LINEAR.format("d_out, d_in") + 'Q = torch.einsum("bnd,di->bni", x, W)', []),
        (LINEAR.format("d_out, d_in") + 'dx = torch.einsum("bno,oi->bni", dy, W)', []),  # backwards
        (LINEAR.format("d_model, d_k") + 'Q = torch.einsum("bnd,do->bno", x, W)', []),
    ],
)
def test_axes(code, found):
    assert verdicts(code) == found


def test_what_is_said_to_stop():
    assert verdicts("s = np.einsum('i->ii', a)", after="This raises a ValueError.\n") == []
    assert verdicts("s = np.einsum('i->ii', a)", before="What is not possible:\n") == []


def test_blanks_between_axes_are_free():
    for spec in ("bhij,bhjd->b h i d", "... id, ... jd -> ... ij"):
        assert verdicts(f'y = torch.einsum("{spec}", a, b)') == []
