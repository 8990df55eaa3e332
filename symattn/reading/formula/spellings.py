"""How everything may be spelled: one table from the spelling to a kind of token and its canonical value."""

from __future__ import annotations

import unicodedata


def _words(spellings: str) -> frozenset[str]:
    return frozenset(spellings.split())


def _spell(kind: str, table: dict[str, str]) -> dict[str, tuple[str, str]]:
    return {spelling: (kind, value) for value, all_ in table.items() for spelling in all_.split()}


_RELATIONS = {
    "=": r"= \eq \xlongequal \xequal",
    "≈": r"≈ ≃ ≅ ≐ ~= ≒ \approx \simeq \cong \approxeq \doteq \fallingdotseq",
    "→": r"→ ⟶ ↦ ⟼ -> --> \to \rightarrow \longrightarrow \mapsto \longmapsto \xrightarrow \xmapsto",
    "∈": r"∈ \in",
    ":=": r":= =: ≔ ≜ \coloneqq \colonequals \triangleq \defeq",
    "≡": r"≡ \equiv",
    "==": "==",
    ":": r": ： \colon",
    "≠": r"≠ != \neq \ne",
    "<": r"< ＜ \lt",
    ">": r"> ＞ \gt",
    "∉": r"∉ \notin",
    "≤": r"≤ <= ⩽ \le \leq \leqslant",
    "≥": r"≥ >= ⩾ \ge \geq \geqslant",
    "≪": r"≪ \ll",
    "≫": r"≫ \gg",
    "∝": r"∝ \propto",
}

_TIMES = {
    "·": r"· ⋅ ∙ • ・ \cdot \bullet",
    "×": r"× ✕ ✖ \times",
    "*": r"* \* ∗ \ast",
    "@": "@",
    "⊙": r"⊙ ∘ ⨀ \odot \circ",
    "⊗": r"⊗ \otimes",
}

_GREEK = {
    "α": r"\alpha", "β": r"\beta", "γ": r"\gamma", "δ": r"\delta", "ε": r"\epsilon \varepsilon ϵ",
    "ζ": r"\zeta", "η": r"\eta", "θ": r"\theta \vartheta ϑ", "ι": r"\iota", "κ": r"\kappa", "λ": r"\lambda",
    "μ": r"\mu µ", "ν": r"\nu", "ξ": r"\xi", "π": r"\pi", "ρ": r"\rho \varrho", "σ": r"\sigma", "τ": r"\tau",
    "υ": r"\upsilon", "φ": r"\phi \varphi ϕ", "χ": r"\chi", "ψ": r"\psi", "ω": r"\omega", "Γ": r"\Gamma",
    "Δ": r"\Delta", "Θ": r"\Theta", "Λ": r"\Lambda", "Ξ": r"\Xi", "Π": r"\Pi", "Φ": r"\Phi", "Ψ": r"\Psi",
    "Ω": r"\Omega", "ℓ": r"\ell",
}  # fmt: skip

# what plain text calls Greek letters, theta and eps
GREEK_WORDS = {word[1:]: letter for letter, words in _GREEK.items() for word in words.split() if word[0] == "\\"}
GREEK_WORDS = {word: letter for word, letter in GREEK_WORDS.items() if word != "ell"} | {"eps": "ε"}

# spelling -> (kind, canonical value)
MEANINGS: dict[str, tuple[str, str]] = {
    **_spell("relation", _RELATIONS),
    **_spell("implies", {"⇒": r"⇒ ⟹ => ∴ \Rightarrow \Longrightarrow \xRightarrow \implies \therefore"
                              r" ⇔ ⟺ \Leftrightarrow \Longleftrightarrow \iff \land \wedge"}),
    **_spell("times", _TIMES),
    **_spell("name", _GREEK),
    **{letter: ("name", letter) for letter in _GREEK},
    **_spell("sign", {"+": "+ ＋ ﹢", "-": "- − – ‐ ‑ － ﹣"}),
    **_spell("update", {"+": "+=", "-": "-= −="}),
    **_spell("slash", {"/": r"/ ÷ ∕ \div \slash"}),
    **_spell("open", {"(": r"( （ \( \lparen", "[": r"[ \[ \lbrack", "{": "{", "set": r"\{ \lbrace",
                     "⟨": r"⟨ 〈 \langle", "⌊": r"⌊ \lfloor", "⌈": r"⌈ \lceil"}),
    **_spell("close", {"(": r") ） \) \rparen", "[": r"] \] \rbrack", "{": "}", "set": r"\} \rbrace",
                      "⟨": r"⟩ 〉 \rangle", "⌊": r"⌋ \rfloor", "⌈": r"⌉ \rceil"}),
    **_spell("comma", {",": ", ， 、"}),
    **_spell("semicolon", {";": "; ；"}),
    **_spell("stop", {".": ". 。 ．"}),
    **_spell("bar", {"|": r"| ∣ │ \vert \mid \lvert \rvert"}),
    **_spell("dots", {"…": r"... … ⋯ ⋮ ⋱ \dots \ldots \cdots \vdots \ddots \dotsc \dotsb \dotsm \iddots"}),
    **_spell("infinity", {"∞": r"∞ \infty"}),
    **_spell("up", {"^": "^", "**": "**"}),
    **_spell("down", {"_": r"_ \_"}),
    **_spell("cell", {"&": "&"}),
    **_spell("tilde", {"~": r"~ ∼ \sim"}),
    **_spell("percent", {"%": r"% ％ \%"}),
    **_spell("degree", {"°": r"° ^\circ ^{\circ}"}),
    **_spell("transpose", {"T": r"ᵀ ⊤ ⊺ \top \intercal"}),
    **_spell("prime", {"′": r"' ′ ’ \prime"}),
    **_spell("fraction", {"/": r"\frac \dfrac \tfrac \cfrac"}),
    **_spell("over", {"/": r"\over"}),
    **_spell("root", {"√": r"√ \sqrt"}),
    **_spell("partial", {"∂": r"∂ \partial"}),
    **_spell("nabla", {"∇": r"∇ \nabla"}),
    **_spell("norm", {"‖": r"‖ ∥ \| \parallel \Vert \lVert \rVert"}),
    **_spell("each", {"∀": r"∀ \forall"}),
    **_spell("bigsum", {"Σ": r"Σ ∑ \sum"}),
    **_spell("brace", {"over": r"\overbrace", "under": r"\underbrace"}),
    **_spell("arrow", {"←": r"← ⟵ ↑ ↓ \leftarrow \longleftarrow \xleftarrow \gets \Leftarrow ⇐ \uparrow \downarrow"}),
    **_spell("space_of", {"R": r"ℝ \R \Reals"}),
    **_spell("function", {f: f"\\{f}" for f in _words("exp max min tanh sin cos tan relu det tr argmax")}),
    **_spell("function", {"log": r"\log \ln", "softmax": r"\softmax \Softmax", "concat": r"\concat \Concat"}),
    **_spell("function", {"attention": r"\attention \Attention", "multihead": r"\multihead \MultiHead"}),
}  # fmt: skip

SPACES = _words(
    r"""\, \; \: \! \> \/ \thinspace \medspace \thickspace \negthinspace \enspace \displaystyle \textstyle
    \scriptstyle \scriptscriptstyle \limits \nolimits \nonumber \notag \hline \toprule \midrule \bottomrule
    \hfill \strut \mathstrut \left \right \middle \normalsize \small \large \Large \centering \allowbreak
    \nobreak \relax \rm \bf \it \big \Big \bigg \Bigg \bigl \Bigl \biggl \Biggl \bigr \Bigr \biggr \Biggr
    \bigm \Bigm \biggm \Biggm \space"""
)
WIDE_SPACES = _words(r"\quad \qquad \newline \par")

# commands whose braces hold words, not letters to multiply
TEXTS = _words(r"\text \textbf \textit \textrm \textsf \texttt \textnormal \mbox \hbox \textup \emph")
UPRIGHT = _words(r"\mathrm \operatorname \operatorname* \mathsf \mathtt \mathop \mathit \mathnormal")
# commands that change nothing but the look of their braces
FONTS = UPRIGHT | _words(
    r"""\mathbf \mathbb \Bbb \boldsymbol \bm \pmb \mathcal \mathscr \mathfrak \vec \overrightarrow \bold
    \ensuremath \symbf \mathbfit \mathbfsf \smash \mathord \mathbin \mathrel \mathinner \underline"""
)
ACCENTS = {r"\hat": "\u0302", r"\widehat": "\u0302", r"\tilde": "\u0303", r"\widetilde": "\u0303",
           r"\bar": "\u0304", r"\overline": "\u0304", r"\dot": "\u0307", r"\ddot": "\u0308",
           r"\mathring": "\u030a"}  # fmt: skip
# commands dropped with the group in braces behind them
DROPPED = _words(
    r"""\tag \tag* \label \hspace \hspace* \vspace \mspace \phantom \hphantom \vphantom \color \cline
    \textcolor \colorbox \stackrel \overset \underset"""
)
# commands with what is written below and above them
LABELLED = _words(r"\xrightarrow \xmapsto \xleftarrow \xRightarrow \xlongequal \xequal")
BOXES = _words(r"\boxed \fbox \framebox \bbox")

# every command that is known, but for those of one letter, as `\\R`
COMMANDS = _words(r"\begin \end") | {
    spelling
    for table in (MEANINGS, SPACES, WIDE_SPACES, TEXTS, FONTS, ACCENTS, DROPPED, LABELLED, BOXES)
    for spelling in table
    if spelling[0] == "\\" and spelling[1:].isalpha() and len(spelling) > 2
}

MATRICES = {"bmatrix": "[", "pmatrix": "(", "vmatrix": "|", "Vmatrix": "‖", "Bmatrix": "{", "matrix": "",
            "smallmatrix": "", "psmallmatrix": "(", "bsmallmatrix": "[", "array": ""}  # fmt: skip
CASES = _words("cases dcases rcases")
ALIGNMENTS = _words("aligned align alignat alignedat gather gathered split equation eqnarray multline flalign")

# words that are functions when applied, by their letters in lower case
FUNCTIONS = {
    **{f: f for f in _words("""softmax attention concat multihead exp sqrt max min sum mean tanh sin cos log
       relu gelu sigmoid silu swish layernorm rmsnorm mask argmax ffn diag var std abs norm matmul ncols transpose""")},
    "softmaxrow": "softmax", "rowsoftmax": "softmax", "attn": "attention", "selfattention": "attention",
    "scaleddotproductattention": "attention", "scaleddotproduct": "attention", "concatenate": "concat",
    "cat": "concat", "hstack": "concat", "multiheadattention": "multihead", "mha": "multihead", "ln": "log",
    "mm": "matmul", "dot": "dot",
}  # fmt: skip
CONSTRUCTORS = _words("array tensor matrix asarray Tensor Matrix float32 float64")
PREFIXES = _words("np numpy jnp torch tf math F nn functional")


def _plain(small: str, others: dict[str, str]) -> dict[str, str]:
    return {c: unicodedata.normalize("NFKC", c) for c in small} | others


# small characters, by those of the line: all letters that there are of them but ᵀ, the mark of a transpose
SUPERSCRIPTS = _plain("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵁⱽᵂᵝᵞᵟᶿᵠᵡ", {"⁻": "-", "ᵅ": "α", "ᵋ": "ε"})
SUBSCRIPTS = _plain("₀₁₂₃₄₅₆₇₈₉₊₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ", {"₋": "-"})
LOWERED = {plain: small for small, plain in SUBSCRIPTS.items()}

# words between two formulas of one line
CONNECTIVES = _words(
    """and where with so then thus hence for if when or since because while gives i.e. 且 和 则 故 其中 所以
    因此 即 而 与 及 以及 从而 于是 可得 ou et und où wobei donde onde и где および
    かつ ここで 그리고 여기서"""
)
