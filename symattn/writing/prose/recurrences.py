"""What is said of steps that are taken token by token or block by block."""

# key: (English, Chinese)
RECURRENCES: dict[str, tuple[str, str]] = {
    "title.state": ("State", "状态"),
    "title.decayed": ("State after its decay", "衰减后的状态"),
    "title.recalled": ("What the state holds for the key", "状态中该键对应的内容"),
    "title.correction": ("What is written", "写入的内容"),
    "title.decays": ("Products of the decays", "衰减系数之积"),
    "title.decayed_rows": ("{operand} and the decays", "{operand} 与衰减系数"),
    "title.pairs": ("Pairs of tokens", "词元对"),
    "step.decays": (
        "Each ‹row› is the product of the decays from the first token up to its own: what is left of what came before.",
        "每‹行›是从第一个词元到本词元的衰减系数之积，即此前内容所剩的比例。",
    ),
    "step.rows.decayed": ("Every query is multiplied by the products at its token.", "每个查询乘以其词元处的积。"),
    "step.rows.restored": (
        "Every key is divided by the products at its token, so that a query and a key together have the decays between "
        "them.",
        "每个键除以其词元处的积，于是查询与键之间只剩两者之间的衰减。",
    ),
    "step.pairs": (
        "Every query meets the keys up to its own token; the others count as 0.",
        "每个查询与不晚于自身的键相乘，其余记为 0。",
    ),
    "step.output.pairs": ("The values, weighted by the pairs.", "以词元对加权的值。"),
    "step.output.chunk": (
        "What the state holds from the chunks before, and the values of this chunk, weighted by the pairs.",
        "此前各块的状态给出的部分，加上本块中以词元对加权的值。",
    ),
    "step.state.chunk": (
        "The keys times the values of the chunk are added to the state; all of it decays to the end of the chunk.",
        "状态加上本块的键与值之积，再整体衰减到块末。",
    ),
    "step.output.chunks": ("The ‹rows› of all chunks, ‹one below another›.", "各块的结果逐‹行›排列。"),
    "no_state": (
        "{given} is no attention by a state; write ChunkedState(Retention(Q, K, V, gamma), 64)",
        "{given} 不是以状态计算的注意力；请写 ChunkedState(Retention(Q, K, V, gamma), 64)",
    ),
    "bad_chunk": (
        "chunks of {size} tokens do not divide {tokens} tokens; their size is a whole number from 1 on",
        "每块 {size} 个词元不能整除 {tokens} 个词元；块的大小须为不小于 1 的整数",
    ),
    "bad_form": (
        'form is "recurrent", "parallel" or {{ chunk = 2 }}',
        'form 为 "recurrent"、"parallel" 或 {{ chunk = 2 }}',
    ),
    "title.kept_rows": ("{operand} times the products", "{operand} 乘以积"),
    "title.left": ("Decay to the end of the block", "到块末的衰减"),
    "title.earlier": ("Earlier keys", "较早的键"),
    "title.solved": ("Gradient of the system", "方程组的梯度"),
    "step.left": ("The last ‹row› of the products.", "即各积的最后一‹行›。"),
    "step.earlier": (
        "How much of what earlier tokens of the chunk wrote every key finds, times its share.",
        "每个键能读到本块中较早词元写入内容的多少，再乘以其份额。",
    ),
    "step.solved": (
        "What is written solves a triangular system: every ‹row› is its share of the difference from what the state "
        "and the ‹rows› before it hold for the key.",
        "写入的内容是一个三角方程组的解：每‹行›是其值与状态及前面各‹行›中该键对应内容之差的相应份额。",
    ),
    "title.key_sum": ("Sum of the key features", "键特征之和"),
    "title.numerator": ("Numerator", "分子"),
    "title.normaliser": ("Normaliser", "归一化因子"),
    "title.maximum": ("Largest score so far", "目前的最大得分"),
    "title.rescale": (
        "Rescaling factor for the previous sums",
        "此前各和的缩放因子",
    ),
    "title.accumulated": (
        "Output accumulated so far, before division",
        "目前累加的输出（尚未相除）",
    ),
    "title.tokens": ("Token by token", "逐个词元"),
    "title.token": ("Token {number}", "词元 {number}"),
    "title.blocks": ("Block by block", "逐块"),
    "title.block": ("Block {number}", "第 {number} 块"),
    "step.state": (
        "The sum over the keys: features of the keys times their values.",
        "对各键求和：键的特征乘以对应的值。",
    ),
    "step.state.start": ("Before the first token the state is 0.", "第一个词元之前，状态为 0。"),
    "step.state.retention": (
        "The state decays by the same factor at every token; then the key times the value of the token is added.",
        "状态在每个词元处按同一系数衰减，再加上该词元的键与值的乘积。",
    ),
    "step.state.gated": (
        "Every row of the state is multiplied by its own gate of the token; then the key times the value is added.",
        "状态的每一行先乘以该词元对应的门控，再加上键与值的乘积。",
    ),
    "step.state.gated.columns": (
        "Every column of the state is multiplied by its own gate of the token; then the value times the key is added.",
        "状态的每一列先乘以该词元对应的门控，再加上值与键的乘积。",
    ),
    "step.state.ssd": (
        "The state is multiplied by the number of the token; then the key times the value is added.",
        "状态先乘以该词元的系数，再加上键与值的乘积。",
    ),
    "step.state.delta": (
        "The key times the correction is added, so that the state comes closer to holding the value for this key.",
        "加上键与修正量的乘积，使状态中该键对应的内容更接近它的值。",
    ),
    "step.state.gated_delta": (
        "The key times the correction is added to the decayed state, which comes closer to holding the value for "
        "this key.",
        "在衰减后的状态上加上键与修正量的乘积，使其中该键对应的内容更接近它的值。",
    ),
    "step.decayed": ("The state is multiplied by the number of the token.", "状态乘以该词元的系数。"),
    "step.recalled": (
        "The key of the token reads from the state what is stored for it.",
        "用该词元的键从状态中读出其对应的内容。",
    ),
    "step.correction": (
        "The difference between the value and what was read, times the strength of the token.",
        "值与读出内容之差，乘以该词元的写入强度。",
    ),
    "step.output.state": ("The query of the token reads from the state.", "用该词元的查询从状态中读出结果。"),
    "step.output.tokens": ("The ‹rows› of all tokens, ‹one below another›.", "所有词元的结果逐‹行›排列。"),
    "step.key_sum": (
        "The features of all keys are added.",
        "把所有键的特征相加。",
    ),
    "step.numerator": (
        "The features of the queries are multiplied by the state.",
        "查询的特征与状态相乘。",
    ),
    "step.normaliser": (
        "The features of the queries are multiplied by the sum of the key features: this is what each ‹row› of the "
        "numerator is divided by.",
        "查询的特征与键特征之和相乘，得到分子的每一‹行›要除以的数。",
    ),
    "step.normaliser.blocks": (
        "The sum of the exponentials of each ‹row› so far: the previous one, rescaled, and the exponentials of the "
        "block.",
        "每‹行›到目前为止的指数之和：先前的和乘以缩放因子，再加上这一块的指数。",
    ),
    "step.starts.zero": ("It starts from 0.", "从 0 开始。"),
    "step.starts.lowest": ("It starts from minus infinity.", "从负无穷开始。"),
    "step.output.linear": (
        "Each ‹row› of the numerator is divided by its normaliser.",
        "分子的每一‹行›除以它的归一化因子。",
    ),
    "step.output.blocks": (
        "Each accumulated ‹row› is divided by the sum of its exponentials, which makes weights of them that sum to 1.",
        "累加得到的每一‹行›除以其指数之和，指数由此成为和为 1 的权重。",
    ),
    "step.maximum": (
        "The largest score of each ‹row› so far; subtracting it keeps all exponentials at most 1.",
        "每‹行›到目前为止的最大得分；减去它可使所有指数不超过 1。",
    ),
    "step.rescale": (
        "The factor by which the previous sums are rescaled to the new largest score.",
        "把此前各和换算到新的最大得分所乘的因子。",
    ),
    "step.accumulated": (
        "The values of the block, weighted by their exponentials, are added to the previous sum.",
        "把这一块的值按指数加权后加到此前的和上。",
    ),
    "step.tokens": (
        "For {running}, one token after another; a symbol marked with {letter} belongs to token {letter}.",
        "对 {running} 逐个词元进行；标有 {letter} 的符号属于词元 {letter}。",
    ),
    "step.tokens.numbers": ("One token {letter} after another:", "逐个词元 {letter} 进行："),
    "step.tokens.numbers.back": (
        "One token {letter} after another, from the last to the first:",
        "从最后一个词元到第一个，逐个词元 {letter} 进行：",
    ),
    "step.blocks": (
        "For {running}, one block of tokens after another; a symbol marked with {letter} belongs to block {letter}.",
        "对 {running} 逐块处理词元；标有 {letter} 的符号属于第 {letter} 块。",
    ),
    "step.blocks.numbers": ("One block {letter} of tokens after another:", "逐块 {letter} 处理词元："),
    "step.blocks.numbers.back": (
        "One block {letter} of tokens after another, from the last to the first:",
        "从最后一块到第一块，逐块 {letter} 处理词元：",
    ),
    "bad_decay": (
        'the decay of retention is an exact number, a letter or a matrix of one entry, such as "31/32", not {given}',
        '保留机制的衰减系数应为精确数、字母或单元素矩阵，例如 "31/32"，而不是 {given}',
    ),
    "state_entry": (
        "{node} has no closed entry for a row that is a letter; take the row by its number, or derive(...)",
        "行号为字母时 {node} 的元素没有闭合式；请用具体行号，或用 derive(...)",
    ),
    "theorem.state_space": (
        "a state space model: the state goes on with what the input adds, and the output reads it",
        "状态空间模型：状态逐步递推并加入输入，输出由状态读出",
    ),
    "theorem.zero_order_hold": (
        "zero-order hold: A_d = e^(ΔA) and B_d = A⁻¹(e^(ΔA) − I) B, compared as polynomials in A, Δ and e^(ΔA)",
        "零阶保持离散化：A_d = e^(ΔA)，B_d = A⁻¹(e^(ΔA) − I) B，按 A、Δ、e^(ΔA) 的多项式比较",
    ),
    "theorem.kernel_of_state_space": (
        "the kernel of the convolution has the discretised matrices: C B_d, C A_d B_d, C A_d² B_d, …",
        "卷积核用离散化后的矩阵：C B_d, C A_d B_d, C A_d² B_d, …",
    ),
}
