"""What is said of printed equations without numbers: the verdicts, and what shows them."""

# key: (English, Chinese)
FORMULAS: dict[str, tuple[str, str]] = {
    "order_not_settled": (
        "an order of growth; it is judged only where the words beside it say of what",
        "这是增长的阶；只有旁边的文字说明是什么的阶时才能判断",
    ),
    "shape_not_settled": (
        "a shape that no formula here bears out or contradicts",
        "文中没有式子能证实或否定这个形状",
    ),
    "count_not_settled": (
        "a count in letters; what is counted, or how, is not settled",
        "用字母写出的数量；所计为何、如何计数未能确定",
    ),
    "formula_not_settled": (
        "what its symbols stand for, or whether it holds, is not settled",
        "式中符号的含义或等式是否成立尚不能确定",
    ),
    "findings.formula_fails": ("the formula is false: {theorem}", "公式不成立：{theorem}"),
    "findings.formula_shown": ("shown by: {theorem}", "依据：{theorem}"),
    "findings.formula_holds_if": ("holds if {condition}", "在{condition}时成立"),
    "findings.formula_right": ("it should read {right}", "应为 {right}"),
    "findings.formula_differs": (
        "for example with {values}: the left side is {left}, the right side {right}",
        "例如取 {values}：左边为 {left}，右边为 {right}",
    ),
    "findings.formula_values": (
        "for example the left side is {left}, the right side {right}",
        "例如左边为 {left}，右边为 {right}",
    ),
    "findings.formula_entry": ("that is entry {at} of both sides", "这里比较的是两边的第 {at} 个元素"),
    "findings.formula_sides": (
        "the sizes of two of its parts do not match: {left} and {right}",
        "其中两部分的大小不相容：{left} 与 {right}",
    ),
    "findings.formula_parts": (
        "for example with {values} the sizes of two of its parts do not match: {left} and {right}",
        "例如取 {values}，其中两部分的大小不相容：{left} 与 {right}",
    ),
    "findings.formula_wrong": ("1 formula false, {places}", "1 个公式不成立，见{places}"),
    "findings.formulas_wrong": ("{count} formulas false, {places}", "{count} 个公式不成立，见{places}"),
    "findings.holds_one": ("1 formula right", "1 个公式成立"),
    "findings.holds_many": ("{count} formulas right", "{count} 个公式成立"),
    "findings.holds-if_one": ("1 formula right under a condition", "1 个公式有条件成立"),
    "findings.holds-if_many": ("{count} formulas right under conditions", "{count} 个公式有条件成立"),
    "findings.mark.formula_holds": ("the formula holds", "公式成立"),
    "findings.mark.formula_holds-if": ("the formula holds under a condition", "公式有条件成立"),
    "findings.mark.formula_fails": ("the formula is false", "公式不成立"),
    # --- what shows a verdict on a definition
    "formula.attention": (
        "scaled dot-product attention, softmax(QKᵀ/√d_k) V with tokens in rows",
        "缩放点积注意力 softmax(QKᵀ/√d_k) V，词元为行",
    ),
    "formula.if_one": ("{name} = 1", "{name} 取 1 "),
    "formula.if_root": ("{name} = √d_k", "{name} 取 √d_k "),
    "formula.if_inverse": ("{name} = 1/√d_k", "{name} 取 1/√d_k "),
    "formula.if_one_head": ("{name} is the width of the keys (one head)", "{name} 就是键的宽度（单头）"),
    "formula.if_unscaled": ("the scores are not scaled", "得分不缩放"),
    "formula.if_alike": ("there are as many keys as queries (self-attention)", "键与查询个数相同（自注意力）"),
    "formula.softmax": ("softmax, e^(x_i) divided by the sum of all e^(x_j)", "softmax：e^(x_i) 除以所有 e^(x_j) 之和"),
    "formula.softmax1": ("softmax with 1 added to the denominator", "分母加 1 的 softmax"),
    "formula.silu": ("SiLU, x times its logistic function", "SiLU：x 乘以其 logistic 函数"),
    "formula.gelu": ("GELU, x Φ(x) or its usual approximation by tanh", "GELU：x Φ(x)，或用 tanh 的常用近似"),
    "formula.relu": ("ReLU, the larger of 0 and x", "ReLU：0 与 x 中较大者"),
    "formula.sigmoid": ("the logistic function, 1/(1 + e^(-x))", "logistic 函数 1/(1 + e^(-x))"),
    "formula.tanh": ("the hyperbolic tangent", "双曲正切"),
    "formula.softplus": ("softplus, ln(1 + e^x)", "softplus 函数 ln(1 + e^x)"),
    "formula.layernorm": (
        "LayerNorm, the difference from the mean divided by the square root of variance plus ε",
        "LayerNorm：与均值之差除以方差加 ε 的平方根",
    ),
    "formula.rmsnorm": (
        "RMSNorm, x divided by the root mean square of its entries",
        "RMSNorm：x 除以其各元素的均方根",
    ),
    "formula.rms": ("the root mean square", "均方根"),
    "formula.weight_matrix": (
        "the weights, softmax(QKᵀ/√d_k) with tokens in rows",
        "注意力权重 softmax(QKᵀ/√d_k)，词元为行",
    ),
    "formula.affine_layer": ("an affine layer, weights times inputs plus a bias", "仿射层：权重乘输入再加偏置"),
    "formula.descent": (
        "gradient descent, the learning rate times the gradient taken away",
        "梯度下降：减去学习率乘梯度",
    ),
    "formula.moving_average": (
        "an exponential moving average, whose two factors add up to 1, or its correction by 1 − β^t",
        "指数移动平均：两个系数之和为 1，或其除以 1 − β^t 的修正",
    ),
    "formula.if_columns": ("tokens are columns", "词元为列"),
    "formula.if_upright": ("the vectors of a step are columns, not rows", "每一步的向量是列而不是行"),
    "formula.alibi": (
        "ALiBi subtracts a multiple of the distance from each score, −m |i − j|",
        "ALiBi 从每个得分中减去与距离成正比的量：−m |i − j|",
    ),
    "formula.alibi_slopes": (
        "ALiBi's slopes are 2^(−8h/n) for the heads h = 1, …, n",
        "ALiBi 的斜率为 2^(−8h/n)，头 h = 1, …, n",
    ),
    "formula.norm_slope": (
        "the derivative of the norm, ∂y_i/∂x_j = γ_i (δ_ij − x̂_i x̂_j/d)/r for RMSNorm and, with −1/d in the"
        " parentheses and σ for r, for LayerNorm",
        "归一化的导数：RMSNorm 为 ∂y_i/∂x_j = γ_i (δ_ij − x̂_i x̂_j/d)/r；LayerNorm 在括号内再减 1/d，并以 σ 代 r",
    ),
    "formula.jacobian": (
        "the Jacobian of softmax is diag(p) − p pᵀ for a column p",
        "softmax 的雅可比矩阵为 diag(p) − p pᵀ（p 为列向量）",
    ),
    "formula.if_row_vector": ("p is a row", "p 为行向量"),
    "formula.affine": ("a norm ends with its gain and shift, γ x̂ + β", "归一化最后乘以增益再加偏移：γ x̂ + β"),
    "formula.if_variance": ("{name} is the variance", "{name} 表示方差"),
    "formula.perplexity": (
        "perplexity, the exponential of the mean of −log p",
        "困惑度：−log p 的均值取指数",
    ),
    "formula.cross_entropy": (
        "the loss is the sum or mean of −log p, so that it falls as probabilities rise",
        "损失是 −log p 的和或均值，概率越大损失越小",
    ),
    "formula.entropy": ("an entropy is the mean of −log p", "熵是 −log p 的均值"),
    "formula.log_likelihood": ("the log-likelihood, the sum or mean of log p", "对数似然：log p 的和或均值"),
    "formula.if_likelihood": ("this is a likelihood to be maximised", "此式是待最大化的似然"),
    "formula.softcap": ("the soft cap, c tanh(z/c)", "平滑限幅 c tanh(z/c)"),
    "formula.positions": (
        "sinusoidal positions: sine and cosine of a pair share the angle pos/10000^(2i/d)",
        "正弦位置编码：每对正弦与余弦的角同为 pos/10000^(2i/d)",
    ),
    "formula.weights": (
        "the weights of a query, softmax over all keys of its scores",
        "一个查询的权重：对全部键的得分取 softmax",
    ),
    "formula.cosine": (
        "cosine similarity, the inner product of two vectors divided by their lengths",
        "余弦相似度，即两个向量的内积除以两者模长的乘积",
    ),
    "formula.average": (
        "the output of a query, the sum of all values weighted by its weights",
        "一个查询的输出：全部值按其权重求和",
    ),
    # --- lines of one form
    "usual_wkv": ("RWKV's average of the values, Peng et al. (2023)", "RWKV 对值的加权平均，Peng 等（2023）"),
    "usual_token_shift": ("RWKV's token shift, Peng et al. (2023)", "RWKV 的词元移位，Peng 等（2023）"),
    "usual_retention": ("retention in parallel form, Sun et al. (2023)", "Retention 的并行形式，Sun 等（2023）"),
    "usual_gated_state": (
        "a state that decays by a gate and takes up the outer product of a key and a value",
        "状态按门控衰减，再加上键与值的外积",
    ),
    "usual_growing_cache": (
        "a cache to which the key or the value of each new token is added",
        "缓存逐个词元追加新的键或值",
    ),
    "usual_mixture": ("the sum of the experts' outputs, weighted by their gates", "各专家的输出按门控权重求和"),
    "usual_cosine": (
        "cosine similarity, the product of two vectors over their lengths",
        "余弦相似度：两向量的内积除以各自长度",
    ),
    "usual_softmax_gradient": (
        "the gradient behind softmax, (diag(s) − ssᵀ) ∂L/∂s",
        "softmax 的反向传播：(diag(s) − ssᵀ) ∂L/∂s",
    ),
    "usual_error": (
        "the gradient of the cross-entropy by the logits of a softmax, probabilities minus targets",
        "交叉熵对 softmax 输入的梯度：概率减去目标",
    ),
    "usual_inner_width": (
        "the usual width of a feed-forward layer, four times that of the model, Vaswani et al. (2017)",
        "前馈层的通常宽度，为模型宽度的四倍，Vaswani 等（2017）",
    ),
    "formula.pre_norm": ("Pre-LN, x + Sublayer(LayerNorm(x))", "前置归一化（Pre-LN）：x + Sublayer(LayerNorm(x))"),
    "formula.post_norm": ("Post-LN, LayerNorm(x + Sublayer(x))", "后置归一化（Post-LN）：LayerNorm(x + Sublayer(x))"),
    "formula.scores": (
        "the scores, the product of queries and keys, scaled by 1/√d_k or not",
        "得分：查询与键的乘积，可乘以 1/√d_k",
    ),
    "formula.masked_scores": (
        "the scores with a mask or a bias added, of which −∞ hides a key",
        "加上掩码或偏置的得分：−∞ 使键不可见",
    ),
    "formula.projection": ("a projection, tokens times their weights", "投影：词元乘以权重矩阵"),
    "formula.luong": ("a score of two states is a number", "两个状态的得分是一个数"),
    "formula.multihead": (
        "the heads side by side times W_O, with tokens in rows",
        "各头横向拼接后右乘 W_O，词元为行",
    ),
    "formula.head": (
        "a head: attention of projected queries, keys and values",
        "一个头：对投影后的查询、键、值做注意力",
    ),
    "formula.groups": (
        "grouped queries: h/g consecutive heads share keys and values",
        "分组查询：每 h/g 个相邻的头共享键和值",
    ),
    "formula.ffn": (
        "the feed-forward layer, two matrices with an activation between them",
        "前馈层：两个矩阵，中间为激活函数",
    ),
    "formula.gated": (
        "the gated feed-forward layer: the activation of one product times another product, entry by entry",
        "门控前馈层：一个乘积经激活函数后与另一个乘积逐元素相乘",
    ),
    "formula.identity": (
        "the two sides are the same, with the symbols as the article has them",
        "按文中符号的含义，两边相同",
    ),
    "formula.proven": ("{theorem}; proven for every size", "{theorem}；对任意大小已证明"),
    "formula.tried": (
        "{theorem}; tried at random numbers of several sizes",
        "{theorem}；在多组大小的随机数上验证",
    ),
    "formula.mean": ("the mean, the sum divided by the number of entries", "均值：各元素之和除以个数"),
    "formula.variance": (
        "the variance, the mean square of the difference from the mean",
        "方差：与均值之差的平方的均值",
    ),
    "formula.deviation": ("the standard deviation, the square root of the variance", "标准差：方差的平方根"),
    "formula.spread_padded": (
        "what a norm divides by, the square root of variance plus ε",
        "归一化的分母：方差加 ε 的平方根",
    ),
    "formula.identity_fails": (
        "the two sides differ, with the symbols as the article has them",
        "按文中符号的含义，两边不相等",
    ),
    "formula.if_plus": ("ε is added after the root is taken, not below it", "ε 加在根号之外，而不在根号之内"),
    "formula.if_row": (
        "softmax is taken of the whole row of scores and read at this entry",
        "softmax 是对整行得分取的，再读取该元素",
    ),
    "formula.if_sink": (
        "1 is added to the denominator, as for a key of score 0 without a value",
        "分母加 1，相当于多出一个得分为 0 且没有值的键",
    ),
    "formula.if_unbiased": ("the variance is the unbiased estimate, divided by n − 1", "方差取无偏估计（除以 n − 1）"),
    "formula.if_bias_scaled": ("the bias is added before the scaling", "偏置在缩放之前加入"),
    "formula.unscaled": (
        "scaled attention divides the products of queries and keys by √d_k",
        "缩放点积注意力要把查询与键的点积除以 √d_k",
    ),
    "formula.normal": (
        "the distribution function Φ or the density φ of the normal distribution",
        "正态分布的分布函数 Φ 或密度 φ",
    ),
    "formula.feature": (
        "a feature map with positive entries, elu(x) + 1",
        "各元素为正的特征映射：elu(x) + 1",
    ),
    "formula.lse": (
        "the logarithm of the sum of a row's exponentials",
        "一行指数之和的对数",
    ),
    "formula.root_of_rms": (
        "RMSNorm, x divided by the root mean square of its entries, which is a root already",
        "RMSNorm：x 除以其各元素的均方根，均方根本身已经开过方",
    ),
    "formula.angles": (
        "the angles of rotary positions, which fall with i: 10000^(-2i/d)",
        "旋转位置编码的角随 i 递减：10000^(-2i/d)",
    ),
    "formula.two_sublayers": (
        "attention and feed-forward network are two sublayers in a row, each with its own residual connection and norm",
        "注意力与前馈网络是先后两个子层，各有自己的残差连接与归一化",
    ),
    "formula.residual": (
        "a residual connection, x + F(x)",
        "残差连接 x + F(x)",
    ),
    "formula.relative_scores": (
        "scores with relative positions: the query meets the key and the vector of their distance",
        "带相对位置的得分：查询分别与键和距离向量作内积",
    ),
    "formula.sums_of_parts": (
        "the sum of all exponentials is that of the parts, below one maximum",
        "全部指数之和等于各部分之和，减去同一个最大值",
    ),
}
