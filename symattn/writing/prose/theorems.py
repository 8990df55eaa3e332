"""What theorems say: their titles, the rules of their links, and how these were checked."""

# key: (English, Chinese)
THEOREMS: dict[str, tuple[str, str]] = {
    "theorem.yours": ("A chain of equalities", "等式链"),
    "theorem.shift-invariance": ("Softmax is invariant under a shift of a ‹row›", "softmax 对整‹行›平移不变"),
    "theorem.two-keys": (
        "With two keys a weight is the sigmoid of the difference",
        "两个键时，权重是得分之差的 sigmoid",
    ),
    "theorem.softmax-jacobian": ("The Jacobian of softmax", "softmax 的雅可比矩阵"),
    "theorem.jacobian-symmetry": ("The Jacobian of softmax is symmetric", "softmax 的雅可比矩阵是对称的"),
    "theorem.jacobian-rows": ("Every row of the Jacobian of softmax sums to 0", "softmax 雅可比矩阵的每行之和为 0"),
    "theorem.jacobian-variance": (
        "The Jacobian of softmax is positive semidefinite: its quadratic form is a variance",
        "softmax 的雅可比矩阵半正定：其二次型是方差",
    ),
    "theorem.jacobian-row-bound": (
        "The absolute values in a row of the Jacobian of softmax sum to at most 1/2",
        "softmax 雅可比矩阵每行的绝对值之和不超过 1/2",
    ),
    "theorem.jacobian-norm": (
        "The spectral norm of the Jacobian of softmax is at most 1/2",
        "softmax 雅可比矩阵的谱范数不超过 1/2",
    ),
    "theorem.saturation-bounds": (
        "Bounds on 1 minus the largest weight, by the gap of the two largest scores",
        "最大权重与 1 的差距：由两个最大得分之差界定",
    ),
    "theorem.dot-product-variance": (
        "The variance of a dot product is its width (independent components of mean 0 and variance 1)",
        "点积的方差等于向量维数（各分量独立，均值为 0，方差为 1）",
    ),
    "theorem.rows-of-dS": ("Every ‹row› of the gradient of the scores sums to 0", "得分梯度的每‹行›之和为 0"),
    "theorem.query-gradient": ("The gradient of one query", "单个查询的梯度"),
    "theorem.key-bias": (
        "A bias of the keys has gradient exactly 0 (without RoPE, softcap or sink)",
        "键的偏置的梯度恰为 0（不用 RoPE、softcap 与 sink 时）",
    ),
    "theorem.key-bias-unseen": (
        "A bias of the keys does not change attention (without RoPE, softcap or sink)",
        "注意力不受键的偏置影响（不用 RoPE、softcap 与 sink 时）",
    ),
    "theorem.permutation-equivariance": (
        "Permuting the queries permutes the output; permuting the keys with their values changes nothing (without a "
        "mask, a bias or positions)",
        "查询换序则输出同样换序；键与值一同换序则结果不变（不用掩码、偏置与位置编码时）",
    ),
    "theorem.concat-is-sum": (
        "Concatenation followed by projection is a sum over the heads",
        "拼接再投影等于对各头求和",
    ),
    "theorem.cached-row": (
        "A ‹row› of causal attention is one step with a key/value cache",
        "因果注意力的一‹行›就是使用键值缓存的一步",
    ),
    "theorem.block-merging": (
        "Two blocks of keys can be merged from their outputs and their sums",
        "两块键的结果可由各自的输出与指数和合并",
    ),
    "theorem.online-softmax": ("Online softmax: one more key", "在线 softmax：再加一个键"),
    "theorem.rotary-difference": (
        "Products of rotated queries and keys depend only on the difference of positions",
        "旋转后的查询与键之积只与位置之差有关",
    ),
    "theorem.linear-attention": ("Linear attention needs no matrix of scores", "线性注意力不需要得分矩阵"),
    "theorem.latent-absorption": (
        "Latent attention: projections of keys and values are absorbed (without RoPE between them)",
        "潜在注意力：键和值的投影可以被吸收（其间不用 RoPE 时）",
    ),
    "theorem.softmax-off-by-one": (
        "Softmax off by one is one more key of score 0 and value 0",
        "分母加一的 softmax 等于多一个得分与值均为 0 的键",
    ),
    "theorem.value-gradient": (
        "The gradient of the values, as articles print it, is right",
        "文章中值的梯度公式成立",
    ),
    "theorem.query-without-jacobian": (
        "The gradient of the queries without the softmax Jacobian does not hold",
        "缺少 softmax 雅可比矩阵的查询梯度公式不成立",
    ),
    "theorem.key-without-jacobian": (
        "The gradient of the keys without the softmax Jacobian does not hold",
        "缺少 softmax 雅可比矩阵的键梯度公式不成立",
    ),
    "theorem.weights-times-gradient": (
        "The gradient of the scores is not the weights times their gradient",
        "得分的梯度不等于权重乘以权重的梯度",
    ),
    "theorem.query-backward": ("The gradient of the queries, from the definition", "查询的梯度（由定义推出）"),
    "theorem.key-backward": ("The gradient of the keys, from the definition", "键的梯度（由定义推出）"),
    "theorem.value-backward": ("The gradient of the values, from the definition", "值的梯度（由定义推出）"),
    "theorem.delta-from-output": (
        "The ‹row› sums of A ∘ dA are those of dO ∘ O",
        "A ∘ dA 的‹行›和等于 dO ∘ O 的‹行›和",
    ),
    "theorem.flash-backward": (
        "The backward pass of FlashAttention, block by block, is the gradient",
        "FlashAttention 逐块计算的反向传播就是梯度",
    ),
    "theorem.flash-backward-keys": (
        "The backward pass of FlashAttention: the gradient of a block of keys",
        "FlashAttention 的反向传播：一块键的梯度",
    ),
    "theorem.flash-backward-values": (
        "The backward pass of FlashAttention: the gradient of a block of values",
        "FlashAttention 的反向传播：一块值的梯度",
    ),
    "theorem.rotary-interleaved": (
        "RoPE of any width, pairs of neighbours: products depend only on the difference of positions",
        "任意维数的 RoPE（相邻配对）：点积只与位置之差有关",
    ),
    "theorem.rotary-halves": (
        "RoPE of any width, pairs across the two halves: products depend only on the difference of positions",
        "任意维数的 RoPE（前后两半配对）：点积只与位置之差有关",
    ),
    "theorem.scale-and-temperature": (
        "A temperature and the scale can be moved into queries and keys",
        "温度与缩放因子可以移入查询和键",
    ),
    "theorem.finite-mask": (
        "A mask of minus c differs from one of minus infinity by a bounded multiple of e to the power minus c",
        "加 −c 的掩码与负无穷掩码之差，是 e 的 −c 次方的有界倍",
    ),
    "theorem.grouped-query": (
        "Grouped-query attention is multi-head attention with repeated key and value heads",
        "分组查询注意力就是键、值头重复的多头注意力",
    ),
    "theorem.causal-linear-attention": (
        "An output of causal linear attention is one query times a state",
        "因果线性注意力的每个输出是单个查询乘以一个状态",
    ),
    "theorem.rms-norm-backward": ("The backward pass of RMSNorm", "RMSNorm 的反向传播"),
    "theorem.layer-norm-backward": ("The backward pass of LayerNorm", "LayerNorm 的反向传播"),
    "theorem.cross-entropy-backward": (
        "The backward pass of cross-entropy after softmax",
        "softmax 之后交叉熵的反向传播",
    ),
    "theorem.equal-values": (
        "Values that are all equal come through attention unchanged (without a sink)",
        "各值相同时，注意力的输出就是该值（不用 sink 时）",
    ),
    "theorem.flash-attention": ("FlashAttention: one more block of keys", "FlashAttention：再加一块键"),
    "theorem.linear-attention-state": (
        "The state of causal linear attention, token by token",
        "因果线性注意力的状态，逐词元递推",
    ),
    "theorem.gated-state": (
        "A state with one decay factor for each token: by chunks it is the same as token by token",
        "每个词元有一个衰减系数的状态：分块计算与逐词元递推相等",
    ),
    "theorem.gated-linear-attention": (
        "Gated linear attention: the state by chunks is the same as token by token",
        "门控线性注意力：状态的分块计算与逐词元递推相等",
    ),
    "theorem.state-space-chunk": (
        "A chunk of Mamba-2 or retention: its ‹rows› are the same as by the state, token by token",
        "Mamba-2 与保留机制的一块：各‹行›等于逐词元递推的结果",
    ),
    "theorem.gated-linear-attention-chunk": (
        "A chunk of gated linear attention: its ‹rows› are the same as by the state, token by token",
        "门控线性注意力的一块：各‹行›等于逐词元递推的结果",
    ),
    "theorem.gated-delta-rule": (
        "The gated delta rule by chunks is the same as token by token",
        "门控 delta 规则：分块计算与逐词元递推相等",
    ),
    "theorem.state-space-duality": (
        "State-space duality: masked products of queries and keys are a recurrence",
        "状态空间对偶：带掩码的查询与键之积等于递推",
    ),
    "theorem.delta-rule": ("The delta rule by chunks: a minus before k Kᵀ U", "分块的 delta 规则：k Kᵀ U 前是减号"),
    "theorem.delta-rule-with-plus": (
        "The delta rule by chunks with a plus before k Kᵀ U does not hold",
        "k Kᵀ U 前为加号的分块 delta 规则不成立",
    ),
    "theorem.delta-rule-system": (
        "The delta rule by chunks is a triangular system",
        "分块的 delta 规则是一个三角方程组",
    ),
    # --- rules
    "induction.base": ("For the first,", "对第一个，"),
    "induction.step": (
        "If it holds so far, it holds for one more, and therefore for any number of them:",
        "若对前若干个成立，则对再多一个也成立，因此对任意个数成立：",
    ),
    "rule.stated": ("As stated,", "如所述，"),
    "rule.softmax": ("Softmax divides exponentials by their ‹row› sums:", "softmax 是指数除以所在‹行›之和："),
    "rule.exponential": (
        "The exponential of a difference is a product, so every ‹row› has a factor of its own:",
        "差的指数是乘积，因此每‹行›提出一个各自的因子：",
    ),
    "rule.row_sum": ("A factor of a ‹row› is a factor of its sum:", "‹行›的因子也是‹行›和的因子："),
    "rule.cancel": (
        "A common factor of numerator and denominator cancels:",
        "分子分母的公因子约去：",
    ),
    "rule.transpose": (
        "A product is transposed factor by factor, in reverse order:",
        "乘积的转置等于各因子转置后反序相乘：",
    ),
    "rule.permuted": (
        "Softmax acts on each ‹row› separately and treats its entries alike, so permutations can be moved outside:",
        "softmax 对每‹行›独立、对各元素一视同仁，因此置换可以移到外面：",
    ),
    "rule.orthogonal": (
        "A permutation or a rotation times its transpose is the identity:",
        "置换或旋转乘以其转置等于单位矩阵：",
    ),
    "rule.blocks": (
        "A row of blocks times a column of blocks is the sum of their products:",
        "分块行乘分块列等于各块乘积之和：",
    ),
    "rule.row_of_product": (
        "A row of a product is that row of the first factor times the second:",
        "乘积的某行等于第一个因子的该行乘第二个因子：",
    ),
    "rule.hidden": (
        "A hidden key has weight 0, and softmax is taken over the others:",
        "被隐藏的键权重为 0，softmax 只在其余键之间进行：",
    ),
    "rule.zeros": (
        "Terms multiplied by 0 vanish:",
        "与 0 相乘的部分消失：",
    ),
    "rule.softmax_back": (
        "The exponentials of a block are its row sums times the softmax of the block:",
        "一块的指数等于其行和乘以该块自身的 softmax：",
    ),
    "rule.reference": (
        "Any reference may be subtracted from a ‹row›, since softmax is invariant under a shift:",
        "softmax 不受平移影响，因此可以从整‹行›减去任何参考值：",
    ),
    "rule.rescale": (
        "Changing the reference multiplies everything summed so far by one factor:",
        "换参考值只是给已累加的部分乘一个因子：",
    ),
    "rule.powers": (
        "The exponents of powers of one rotation add up:",
        "同一旋转的幂相乘，指数相加：",
    ),
    "rule.sum_of_rows": (
        "The factors are the weights of one value, so this is the sum that articles print:",
        "系数正是同一个值的各个权重，这就是文章中的求和：",
    ),
    "rule.associative": (
        "The product is associative:",
        "乘法满足结合律：",
    ),
    "rule.weights_sum": ("The weights of a ‹row› sum to 1:", "一‹行›权重之和为 1："),
    "rule.difference": (
        "A number minus itself is 0:",
        "自身相减为 0：",
    ),
    "rule.column_sum": (
        "Sums over the rows of a product are sums of its first factor:",
        "对乘积各行求和等于先对第一个因子求和：",
    ),
    "rule.rows_of_dS": ("The ‹rows› of the gradient of the scores sum to 0:", "得分梯度的每‹行›之和为 0："),
    "rule.product_of_sum": (
        "The product is distributive: the bias adds the same number to every entry of a ‹row›.",
        "乘法满足分配律：偏置给整‹行›加上同一个数。",
    ),
    "rule.shift": ("Softmax is invariant under a shift of a ‹row›:", "softmax 对整‹行›平移不变："),
    "rule.chain": (
        "Substituting the abbreviations,",
        "代入简写，",
    ),
    "statement": (
        "To be shown:",
        "要证：",
    ),
    "where": (
        "With the abbreviations",
        "记",
    ),
    "rule.distribute": (
        "Expanding,",
        "展开，",
    ),
    "rule.diagonal": (
        "Entrywise multiplication of a ‹row› is multiplication by a diagonal matrix; a sum of products is a dot "
        "product:",
        "‹行›的逐元素相乘等于乘以对角矩阵；乘积之和就是点积：",
    ),
    "rule.factor_out": (
        "Factoring out gives the Jacobian of softmax:",
        "提出公因子，得到 softmax 的雅可比矩阵：",
    ),
    "printed_as": ("Articles print:", "文章中写作："),
    "printed_wrongly": ("Articles print, wrongly:", "有的文章误写作："),
    "rule.claimed": (
        "Two ‹row› vectors have no matrix product; the first is a number only where the values have one component. "
        "Read entry by entry, for values as wide as the keys, the formula is the right side; with one component each, "
        "both readings are the same. The left side is the gradient:",
        "两个‹行›向量不能作矩阵乘积；只有值为一维时，前者才是一个数。若逐元素理解（值与键同宽），该公式就是右边；"
        "值与键都是一维时，两种理解相同。左边是真正的梯度：",
    ),
    "rule.quotient": ("By the quotient rule,", "由商的求导法则，"),
    "rule.weights": (
        "In terms of the weights,",
        "写成权重，",
    ),
    "rule.commute": (
        "Factors commute:",
        "因子可以交换：",
    ),
    "rule.variance": (
        "The mean of the squares minus the square of the mean is the mean of the squared deviations, since "
        "the weights sum to 1:",
        "权重之和为 1，因此平方的均值减去均值的平方等于偏差平方的均值：",
    ),
    "rule.squares": (
        "Weights and squares are non-negative:",
        "权重与平方都不为负：",
    ),
    "rule.angles": (
        "The dot product of two turned pairs depends on the difference of their angles alone, by the addition theorems "
        "of sine and cosine:",
        "由正弦与余弦的和角公式，两个旋转后的分量对的点积只取决于角度之差：",
    ),
    "rule.factor_moves": (
        "A number that multiplies a product can be moved into either factor, or divided between both:",
        "乘积的因子可以归入任一因子，也可以分给两个因子：",
    ),
    "rule.common_denominator": (
        "Over a common denominator, the contributions of the keys that are not hidden cancel:",
        "通分后，未隐藏的键的部分相消：",
    ),
    "rule.repeated_heads": (
        "Head i of the repeated matrices is the key and value head of its group:",
        "重复后的矩阵的第 i 个头就是其所在组的键、值头：",
    ),
    "rule.hidden_products": (
        "The product with a hidden key is 0; the sums over the other keys are products with the query:",
        "被隐藏的键的乘积为 0；其余键的求和可以写成与查询的乘积：",
    ),
    "rule.signs_of_jacobian": (
        "No diagonal entry is negative, no other is positive, and the weights sum to 1:",
        "对角元非负，其余元素非正，且权重之和为 1：",
    ),
    "rule.complete_square": ("Completing the square,", "配方，"),
    "rule.sum_of_squares": (
        "Each product of two components is replaced by the square of their sum:",
        "把每两个分量之积换成其和的平方：",
    ),
    "rule.two_largest": (
        "With the scores in descending order; keys beyond the second only reduce the largest weight:",
        "设得分从大到小排列；第二个以后的键只会减小最大权重：",
    ),
    "rule.others_below": (
        "No other key has a larger score than the second:",
        "其余各键的得分都不超过第二个：",
    ),
    "rule.independent": (
        "The square is a double sum, and the expectation of a product of independent numbers is the product "
        "of their expectations:",
        "平方是二重和；相互独立的数之积的期望等于期望之积：",
    ),
    "rule.mean_zero": (
        "Different components are independent and have mean 0, so only the terms with equal indices remain:",
        "不同分量独立且均值为 0，只剩相同的下标：",
    ),
    "rule.variance_one": ("Every component has variance 1:", "每个分量的方差为 1："),
    # --- otherwise where tokens are columns
    "rule.row_of_product.columns": (
        "A column of a product is the first factor times that column of the second:",
        "乘积的某列等于第一个因子乘第二个因子的该列：",
    ),
    "rule.softmax_back.columns": (
        "The exponentials of a block are the softmax of the block times its column sums:",
        "一块的指数等于该块自身的 softmax 乘以其列和：",
    ),
    "rule.column_sum.columns": (
        "Sums over the columns of a product are sums of its last factor:",
        "对乘积各列求和等于先对最后一个因子求和：",
    ),
    # --- checks
    "checked.symbolic": (
        "Checked symbolically, for any number of keys: with the exponentials and their sums as independent variables, "
        "both sides of every equation are the same rational function.",
        "已符号验证，对任意键数成立：把指数及其和视为自由的数，每个等式两边是它们的同一个有理函数。",
    ),
    "checked.normal_form": (
        "Proven for every size: the entries of both sides have the same normal form, as sums of products over ranges "
        "of any length, wherever both are defined.",
        "已证明，对任意大小成立：把两边的元素写成乘积在任意范围上的和后，标准形相同（在两边都有定义处）。",
    ),
    "checked.points": (
        "True at the sizes tried, not proven for all: exactly equal at {points} random points, for {cases} (seed "
        "{seed}); an equation that fails for these sizes would pass with a probability of at most {chance}.",
        "在所试大小下成立，未对任意大小证明：在 {points} 个随机点上精确相等，所取大小为 {cases}（种子 {seed}）；"
        "在这些大小下不成立的等式通过验证的概率不超过 {chance}。",
    ),
    "checked.nearly": (
        "True at the sizes tried, not proven: at {points} random points, for {cases} (seed {seed}), the sides differ "
        "by less than 2 to the power −128. This is evidence; no probability of a mistake can be stated.",
        "在所试大小下成立，未证明：在 {points} 个随机点上（大小为 {cases}，种子 {seed}），两边相差小于 2 的 −128 次方。"
        "这只是证据，无法给出出错的概率。",
    ),
    "unproven": ("Not decided:", "未能判定："),
    "unproven.too_large": (
        "the normal form could not be computed within the limits of time and size.",
        "在时间与规模的限制内，标准形未能算完。",
    ),
    "unproven.forms_differ": (
        "the normal forms of the two sides differ, and no small numbers were found at which the sides do.",
        "两边的标准形不同，但未找到使两边不等的小数值。",
    ),
    "unproven.large_threshold": (
        "the number {number} in it is larger than the sizes and entries at which agreement was looked for.",
        "式中的数 {number} 大于检验两边是否相等时所取的大小与元素。",
    ),
    "unproven.no_point": ("no numbers were found at which both sides are defined.", "未找到使两边都有定义的数值。"),
    "unproven.no_time": (
        "the normal forms differ, and no point could be worked out within the limits of time and size.",
        "两边的标准形不同，而在时间与规模的限制内，未能算出任何一点处的值。",
    ),
    "unproven.large_matrix": (
        "the normal forms differ, and a matrix or a power is too large for the sides to be worked out at numbers.",
        "两边的标准形不同，而其中的矩阵或幂太大，无法代入数值计算。",
    ),
    "unproven.digits": (
        "the normal forms differ, and the digits of the sides could not be determined closely enough to compare them.",
        "两边的标准形不同，而两边的数值未能算得足够精确，无法比较。",
    ),
    "unproven.no_value": (
        "the normal forms differ, and the sides could not be worked out at numbers: {why}.",
        "两边的标准形不同，且无法代入数值计算：{why}。",
    ),
    "unproven.node": ("the normal form has no rule for {what}.", "标准形没有处理 {what} 的规则。"),
    "unproven.formula": ("the normal form has no rule for the formula {what}.", "标准形没有处理公式 {what} 的规则。"),
    "unproven.no_derivative": (
        "the normal form has no derivative for a matrix whose entries it does not expand.",
        "标准形不展开其中某个矩阵，因此没有它的导数。",
    ),
    "unproven.minus_infinity": (
        "−∞ stands where it is not an exponent, which the normal form cannot express.",
        "−∞ 出现在指数以外的位置，标准形无法表示。",
    ),
    "unproven.divided_by_zero": ("something is divided by 0.", "式中有除以 0 的运算。"),
    "unproven.numbers": (
        "a matrix of numbers is too large to be treated entry by entry.",
        "数值矩阵太大，无法逐元素处理。",
    ),
    "unproven.permuted_part": (
        "a permutation meets a part of a range, whose image is not a part.",
        "置换作用于范围的一部分，其像不再是连续的一段。",
    ),
    "unproven.order_of_sizes": (
        "it is not known which of two sizes is larger ({what}).",
        "无法知道两个大小中哪一个较大（{what}）。",
    ),
    "unproven.two_ways_of_cutting": (
        "one range would have to be cut in two different ways.",
        "同一范围需要用两种不同的方式分段。",
    ),
    "unproven.blocks_of_heads": (
        "an index does not fall into the blocks of the heads.",
        "下标无法按各头的块划分。",
    ),
    "condition.rotary-interleaved": (
        "RoPE with a subscript counts positions from that subscript on, RoPE without one from 0. The width is even; "
        "components 2k and 2k + 1 of a token, counted from 0, are a pair. Adding a number to all positions changes "
        "nothing.",
        "带下标的 RoPE 从该下标开始数位置，不带下标时从 0 开始。维数为偶数；词元的第 2k 与第 2k + 1 个分量（从 0 数起）"
        "为一对。所有位置同加一个数，结果不变。",
    ),
    "condition.rotary-halves": (
        "RoPE with a subscript counts positions from that subscript on, RoPE without one from 0. The width is even; "
        "components k and k + d/2 of a token, counted from 0, are a pair. Adding a number to all positions changes "
        "nothing.",
        "带下标的 RoPE 从该下标开始数位置，不带下标时从 0 开始。维数为偶数；词元的第 k 与第 k + d/2 个分量（从 0 数起）"
        "为一对。所有位置同加一个数，结果不变。",
    ),
    "condition.scale-and-temperature": (
        "The temperature is positive. With softcap, which bends the scaled scores, this does not hold; a bias of the "
        "scores is divided by the temperature only if it is added before.",
        "温度为正数。使用 softcap 时不成立，因为它作用于缩放后的得分；"
        "得分偏置只有在除以温度之前加入，才会一同除以温度。",
    ),
    "condition.finite-mask": (
        "Every query sees at least one key, and c is positive. The denominator is at least the sum over the keys that "
        "are seen, so the fraction is bounded, and with growing c the weights become those of a mask of minus "
        "infinity. For a query whose keys are all hidden there is no such limit.",
        "每个查询至少可见一个键，c 为正数。分母不小于可见键的指数和，因此该分式有界；c 增大时，"
        "权重趋于负无穷掩码的权重。若一个查询的键全部被隐藏，则没有这一极限。",
    ),
    "condition.grouped-query": (
        "g divides h; the heads of a group are next to each other.",
        "g 整除 h；同一组的头相邻。",
    ),
    "condition.causal-linear-attention": (
        "The denominator must not be 0, which features that are positive ensure.",
        "分母不得为 0；特征为正时即可保证。",
    ),
    "condition.jacobian-row-bound": (
        "The largest entry of a gradient that passes back through softmax is therefore at least halved. A weight of "
        "1/2 reaches the bound.",
        "因此梯度反向经过 softmax 时，其最大元素至少减半。权重为 1/2 时取等号。",
    ),
    "condition.jacobian-norm": (
        "The left side is half the squared length of x minus its quadratic form with the Jacobian J. Since J is "
        "symmetric and positive semidefinite, its spectral norm is the largest value of this form for x of length 1. A "
        "gradient that passes back through softmax becomes at most half as long. Two weights of 1/2 reach the bound.",
        "左边是 x 长度平方的一半减去雅可比矩阵 J 的二次型。J 对称且半正定，因此其谱范数等于该二次型在单位长度的 x 上的"
        "最大值。所以梯度反向经过 softmax 后，长度至多为原来的一半。两个权重各为 1/2 时取等号。",
    ),
    "condition.key-bias": (
        "This holds for any mask and any bias of the scores, but not with RoPE (which turns the bias with the keys), "
        "softcap or a sink.",
        "对任意掩码和任意得分偏置都成立；但使用 RoPE（偏置会随键一起旋转）、softcap 或 sink 时不成立。",
    ),
    "condition.key-bias-unseen": (
        "This holds for any mask and any bias of the scores, but not with RoPE, softcap or a sink.",
        "对任意掩码和任意得分偏置都成立；但使用 RoPE、softcap 或 sink 时不成立。",
    ),
    "checked.expectation": (
        "Checked symbolically, for any width: the expectation of a product depends only on which of its indices are "
        "equal, and the sums are polynomials in the width.",
        "已符号验证，对任意维数成立：乘积的期望只取决于哪些下标相等，各个和是维数的多项式。",
    ),
    "checked.bound": (
        "The inequality is checked symbolically, for any number of keys: the difference of its sides is a "
        "quotient of polynomials in positive numbers without negative coefficients, or a sum of weights times squares.",
        "不等式已符号验证，对任意键数成立：两边之差是正数的、没有负系数的多项式之商，或是权重与平方之积的和。",
    ),
    "refuted.without_sizes": ("It does not hold. A counterexample:", "该式不成立。反例："),
    "refuted": ("It does not hold. A counterexample, with {sizes}:", "该式不成立。反例（{sizes}）："),
    "refuted.sides": ("There the two sides are", "此时两边分别为"),
    "no_such_theorem": (
        '"{given}" is not a built-in theorem; {hint}',
        "没有名为“{given}”的内置定理；{hint}",
    ),
    "one_side": (
        "{given} is one side alone; write prove(A, B), or the name of a built-in theorem as text",
        "只给出了一边 {given}；请写 prove(A, B)，或以字符串给出内置定理的名称",
    ),
    "decided_side": (
        "SymPy made the equation {given}, without its two sides; write prove(A, B) or Eq(A, B, evaluate=False)",
        "SymPy 已将该等式化为 {given}，不再保留两边；请写 prove(A, B) 或 Eq(A, B, evaluate=False)",
    ),
    "scalar_side": (
        "side {number} is the scalar {given}; sides are matrices, and a scalar is written Matrix([[{given}]])",
        "第 {number} 边是标量 {given}；各边应为矩阵，标量请写成 Matrix([[{given}]])",
    ),
    "not_decided": (
        "this equality cannot be decided exactly; use products, sums, softmax and exponentials",
        "无法精确判定该等式；请使用乘积、和、softmax 与指数",
    ),
}
