"""What a page says of linear attention and of others without a matrix of weights."""

from __future__ import annotations

from tests.samples import SMALL, derived

LINEAR = SMALL + '[attention]\nkind = "linear"\n'
CAUSAL = LINEAR + 'mask = "causal"\n'
COLUMNS = '[notation]\ntokens = "columns"\n'


def test_each_sentence_speaks_of_what_its_formula_has() -> None:
    for sheet in (LINEAR, CAUSAL):
        page = derived(sheet).to_markdown()
        assert "attention weights" not in page
        assert "The features of the queries are multiplied by the state." in page
        assert "Each row of the numerator is divided by its normaliser." in page
        assert "Features of $Q$" in page
        assert "Features of $K$" in page
    assert "注意力权重" not in derived(CAUSAL).to_markdown(language="zh")


def test_the_variable_of_a_feature_map_is_not_the_sum_of_keys() -> None:
    page = derived(LINEAR + 'feature = "exp(z)"\n').to_markdown()
    assert r"$x$ becomes $e^{x}$" in page
    assert "$z$ becomes" not in page


def test_where_tokens_are_columns_nothing_is_said_of_rows() -> None:
    for sheet in (
        LINEAR,
        CAUSAL,
        SMALL + '[attention]\nkind = "online"\nblock = 1\n',
        SMALL + '[attention]\nqk_norm = "rms"\n',
    ):
        page = derived(sheet + COLUMNS).to_markdown().replace(r"\mathrm{row", "")
        assert " row" not in page, sheet
        assert "行" not in derived(sheet + COLUMNS).to_markdown(language="zh").replace("进行", ""), sheet


def test_online_attention_says_what_its_sums_are() -> None:
    page = derived(SMALL + '[attention]\nkind = "online"\nblock = 1\n').to_markdown()
    assert "The sum of the exponentials of each row so far" in page
    assert "It starts from minus infinity." in page
