"""How large a cache of keys and values is: the factors of 2 · layers · heads · width · tokens, by hand."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article

pytestmark = pytest.mark.slow


def judged(text):
    return [(x.verdict, x.right) for x in check_article(read_article("a.md", text)).formulas]


@pytest.mark.parametrize(
    "text",
    [
        "`KV cache = 2 × layers × kv_heads × head_dim × context_length × 2bytes`",
        r"$\text{KV Cache} = 2 \times B \times L \times h \times d_k \times n \times \text{sizeof(dtype)}$",
        r"$\text{KV Cache Size} = 2 \times B \times S \times L \times K \times H \times \text{bytes}$",
        r"$$\text{KV Cache} = 2 \cdot L \cdot n \cdot d_{\text{model}} \cdot \text{precision bytes}$$",
        "KV cache memory = 2 * n_layers * n_kv_heads * d_head * seq_len * bytes_per_element",
        "The KV cache takes 2 × 32 × 8 × 128 × 4096 × 2 bytes = 536.9 MB.",
        r"$2 \times 32 \times 8 \times 128 \times 4096 \times 2 = 512\text{ MiB}$",
        "KV bytes per sequence = 2 × layers × kv_heads × head_dim × tokens × 2 bytes",
        "In INT8, KV cache = L × n × h × d_h × 2 bytes",  # K and V, of one byte each
        "KV cache (fp32) = 2 × L × n × h × d_h × 4",
        "kv_cache_bytes = 2 * n_layers * n_kv_heads * head_dim * seq_len * 0.5",  # of four bits
        r"The KV cache takes $2 \cdot L \cdot h \cdot d \cdot n \cdot 0.5$ bytes.",
        r"The KV memory = $2 \times L \times n \times d \times 2\text{ bytes}$",
    ],
)
def test_a_cache_has_keys_and_values_of_all_layers_heads_and_tokens(text):
    assert judged(text) == [("holds", None)]


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("KV cache = L × n × h × d_h × bytes", "KV cache = 2 × L × n × h × d_h × bytes"),
        ("KV cache = L × N_kv × D_head × S × 2 bytes", "KV cache = 2 × L × N_kv × D_head × S × 2 bytes"),
        ("KV size per sequence = L × n × d × bytes", "KV size per sequence = 2 × L × n × d × bytes"),
        ("在 128 位机器上：\n\nKV cache = L × n × h × d_h × 2 bytes", "KV cache = 2 × L × n × h × d_h × 2 bytes"),
        ("2 × 80 × 8 × 128 × 8192 × 2 = 2.1 GB", "2 × 80 × 8 × 128 × 8192 × 2 = 2.7 GB"),
    ],
)
def test_a_factor_left_out_and_a_product_worked_out_wrongly(text, right):
    assert judged(text) == [("fails", right)]


@pytest.mark.parametrize(
    "text",
    [
        r"$\text{KV cache} = L \times n \times h \times d_h$ for the keys only",
        r"$\text{KV cache} = L \times n \times h \times d_h$",
        "In INT4, kv_cache_bytes = n_layers * n_kv_heads * head_dim * seq_len",  # 2 · ½ left out
        "kv_cache_bytes = n_layers * n_kv_heads * head_dim * seq_len * 0.5",
        r"$\text{KV cache} = 2 \times n \times n \times d$",
        r"$\text{KV cache} = 2 \times L \times n \times c \times d_h$",
        "2 × 80 × 8 × 128 × 8192 = 2.7 GB",  # two bytes each
        "4096 × 512 KB × 3 = 6 GB",
        "12 × 40 × 40 = 19.2 GB",  # of megabytes
        "3 × 5 × 7000 = 2.5 GB/s",
        "At 20 bytes a parameter: 7 × 1000 × 1000 × 1000 = 140 GB",
        "On each of 5 cards 7 × 1000 × 1000 × 1000 = 35 GB",
        "K = V here.\n\nKV cache = L × n × h × d_h × 2 bytes",
        "With 8 KV heads for 32 query heads, KV cache = 2 × n_layers × n_heads × d_head × n × 2 bytes",
        "With GQA, KV cache = n_layers × n_heads × d_head × n × 2 bytes",
    ],
)
def test_what_may_be_meant_otherwise_is_left_alone(text):
    assert judged(text) == []


def test_a_long_line_of_products_takes_no_time():
    assert judged("1 × " * 5_000 + "= 2 GB\n" + "KV cache = " + "2 × " * 80 + "2") == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("KV cache per token\n\nKV_bytes = 2 × n_layers × d_head × n_heads × bytes_per_element", ["holds"]),
        ("KV cache per token\n\nKV_bytes = n_layers × d_head × n_heads × bytes_per_element", ["fails"]),
        ("KV cache\n\nKV_bytes = n_layers × d_head × n_heads × bytes_per_element", []),
    ],
)
def test_caches_of_one_token_have_no_number_of_tokens(text, said):
    assert [verdict for verdict, _ in judged(text)] == said


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        (r"The KV cache holds $2 L \cdot n_{\text{kv-heads}} \cdot d_h \cdot T$ numbers.", ["holds"]),
        (r"Per token the KV cache has `2 * n_layers * n_heads * head_dim` numbers.", ["holds"]),
        (r"$$M_{kv} = 2 \cdot L \cdot B \cdot H \cdot T \cdot d_h \cdot \text{bytes}$$", ["holds"]),
        (r"$$M_{kv} = L \cdot B \cdot H \cdot T \cdot d_h \cdot \text{bytes}$$", ["fails"]),
        (r"$$\text{KV bytes} = 2 \cdot L \cdot B \cdot H \cdot T \cdot d_h \cdot 2$$", ["holds"]),
        (r"The KV cache's values alone are $L \cdot H \cdot d_h \cdot T$ numbers.", []),
        (r"Without a KV cache $2 \cdot T \cdot d \cdot d$ operations are done.", []),
    ],
)
def test_sizes_without_an_equation(text: str, verdicts: list[str]) -> None:
    assert [verdict for verdict, _ in judged(text + "\n")] == verdicts


HALVED = "KV_cache = batch_size × seq_len × layers × hidden_size × 2 bytes\n\n"
WHOLE = "KV_cache = 2 × batch_size × seq_len × layers × hidden_size × 2 bytes\n\n"


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        (HALVED + "KV_cache = 3 × 1024 × 24 × 2048 × 2 = 302 MB", ["fails", "fails"]),
        (WHOLE + "KV_cache = 2 × 4 × 1024 × 24 × 2048 × 2 = 805 MB", ["holds", "holds"]),
        (WHOLE + "KV_cache = 2 × 4 × 1024 × 24 × 2048 × 2 = 805 MB (per layer)", ["holds"]),  # it counts the layers
        ("KV cache = 24 × 1024 × 2048 × 2 bytes = 101 MB", []),  # of the keys alone, or K and V left out
        ("KV cache = 2 × 24 × 1024 × 2048 × 2 bytes = 201 MB", ["holds"]),
    ],
)
def test_what_is_called_a_cache_needs_a_two_for_keys_and_values(text, verdicts):
    assert [verdict for verdict, _ in judged("About the KV cache.\n\n" + text)] == verdicts


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("KV cache size = kv_size_per_token × seq_len × batch_size", ["holds"]),
        ("kv_total_size = kv_size_per_token × context_len", ["holds"]),
        ("KV cache size = kv_size_per_token × n_layers × seq_len", []),  # the layers may be counted twice
    ],
)
def test_a_cache_of_so_many_tokens(text, verdicts):
    assert [verdict for verdict, _ in judged("On the KV cache.\n\n" + text)] == verdicts


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("`KV Cache = 32 × 8 × 128 × 4096 × 2 = 256 MB`", []),  # 8 heads, and no two for K and V
        ("`KV Cache = 2 × 32 × 8 × 128 × 4096 × 2 = 512 MB`", ["holds"]),
        ("`KV Cache = 4 × 32 × 1024 × 4096 = 512 MB`", ["holds"]),
        ("KV = 2 × 28 × 28 × 128 × 32768 × 2 = 13.0 GB", []),  # 13.15
        ("KV = 2 × 28 × 28 × 128 × 32768 × 2 = 13.2 GB", ["holds"]),
    ],
)
def test_eight_heads_are_no_keys_and_values(text, verdicts):
    assert [verdict for verdict, _ in judged("About the KV cache.\n\n" + text)] == verdicts


def test_a_product_that_is_called_no_cache_is_shown_by_its_factors():
    found = check_article(read_article("a.md", "Codebook: `8192 × 16 × 4 = 512 KB`\n")).formulas
    assert [(x.verdict, x.theorem.key) for x in found] == [("holds", "formula_bytes")]


LETTERS = """- L = number of layers
- H_kv = number of key-value heads
- d = width of a head
- b = bytes per element

"""


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("KV-cache bytes = 2 · L · seq · H_kv · d · b", ["holds"]),
        ("KV-bytes per token = 2 · L · H_kv · d · b", ["holds"]),
        ("KV-cache bytes = 2 · seq · H_kv · d · b", []),  # of one layer
        ("One layer: KV-cache bytes = 2 · seq · H_kv · d · b", ["holds"]),
        ("KV-bytes per token = 2 · L · d · b", []),  # of one head
    ],
)
def test_a_cache_without_a_factor_that_is_listed(line, found):
    assert [each.verdict for each in check_article(read_article("a.md", LETTERS + line + "\n")).formulas] == found


def test_heads_of_queries_are_listed_beside_those_of_keys():
    text = "- h = number of heads\n" + LETTERS
    for line, found in (("2 · L · seq · H_kv · d · b", "holds"), ("L · seq · H_kv · d · b", "fails")):
        said = check_article(read_article("a.md", f"{text}KV cache bytes = {line}\n")).formulas
        assert [each.verdict for each in said] == [found]


GROUPED = r"Grouped queries with $n_{kv}$ key/value heads. "


@pytest.mark.parametrize(
    ("above", "heads", "held"),
    [
        ("", "n_h", True),
        ("", "n_q", False),  # heads of the queries
        ("", "n_{kv}", True),
        (GROUPED, "n_h", False),  # of which heads it is, the text does not say
        (GROUPED, "n_q", False),
        (GROUPED, "n_{kv}", True),
    ],
)
def test_a_cache_without_a_name_has_the_heads_of_the_keys(above, heads, held):
    amount = f"2 L {heads} d_h s"
    assert judged(f"{above}The KV cache holds ${amount}$ numbers.") == [("holds", None)] * held
    named = "KV cache = " + " × ".join(amount.split()) + " × 2 bytes"
    assert judged(f"{above}\n\n`{named}`") == [("holds", None)] * held


def test_a_width_of_all_heads_is_mended_with_the_heads_that_the_article_has():
    wrong = "kv_cache = 2 * num_layers * num_heads * hidden_size * seq_len * dtype_bytes"
    right = wrong.replace("hidden_size", "head_dim")
    assert judged(f"`{wrong}`") == [("fails", right)]
    grouped = right.replace("num_heads", "num_kv_heads")
    assert judged(f"The model has num_kv_heads and num_heads.\n\n`{wrong}`") == [("fails", grouped)]


def test_the_width_of_the_model_is_left_beside_grouped_queries():
    formula = "KV cache = 2 × n_layers × d_model × seq_len × 2 bytes"
    assert judged(f"The size of the cache: {formula}.") == [("holds", None)]
    assert judged(f"Grouped-query attention is used. {formula}.") == []
