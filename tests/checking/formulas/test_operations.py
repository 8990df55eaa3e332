"""Operations of single products by what their line calls them, counted by hand: n × d times d × m takes 2 n d m."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article


def said(text):
    return [(x.text, x.verdict) for x in check_article(read_article("a.md", text + "\n")).formulas]


@pytest.mark.parametrize(
    ("label", "count", "verdict"),
    [
        ("QKV projections", "6Bsh^2", "holds"),
        ("$QK^T$", "2Bs^2h", "holds"),
        ("scores times V: $AV$", "2Bs^2h", None),  # of scores, or of both products
        ("weighted sum of V", "2Bs^2h", "holds"),
        ("output projection", "2Bsh^2", "holds"),
        ("MLP", "16Bsh^2", "holds"),
        ("linear h → 4h", "8Bsh^2", "holds"),
        ("total", "24Bsh^2 + 4Bs^2h", "holds"),
        ("QKV projections", "3Bsh^2", "holds-if"),  # a multiply-add as one
        ("output projection", "6Bsh^2", None),
        ("$QK^T$", "2Bsh^2", None),
        ("$QK^T$ of one token", "2 s h", None),
        ("MLP backward", "16Bsh^2", None),
    ],
)
def test_one_product(label, count, verdict):
    expected = [] if verdict is None else [(count, verdict)]
    assert said(f"FLOPs of a layer:\n\n- {label}: ${count}$") == expected
    table = f"FLOPs of a layer:\n\n| Operation | FLOPs |\n|---|---|\n| {label} | ${count}$ |"
    assert said(table) == expected


def test_heads_and_names():
    assert said("The scores $QK^T$ take $2 B h S^2 d_{head}$ FLOPs.") == [("2 B h S^2 d_{head}", "holds")]
    assert said("FLOPs_{QKV} = 3 × B × S × d_model^2 × 2") == [("FLOPs_{QKV} = 3 × B × S × d_model^2 × 2", "holds")]
    assert said("Activations of QKV: $6Bsh^2$") == []


def test_parameters_and_caches_under_other_names():
    for text, verdict in (
        ("num_params = num_layers × 12 × hidden_dim² + vocab_size × hidden_dim", "holds-if"),
        ("cache_size = 2 × n_layers × seq_len × n_kv_heads × head_dim × dtype_size", "holds"),
    ):
        assert said(text) == [(text, verdict)]
    assert said(r"$N \approx 12\, n_{layers}\, d_{model}^2$ parameters") != []
