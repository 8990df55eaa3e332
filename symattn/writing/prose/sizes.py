"""What is said of printed shapes, sizes, costs and moments: what shows them, and what they need."""

# key: (English, Chinese)
SIZES: dict[str, tuple[str, str]] = {
    # --- shapes
    "formula_shape": ("{formula} has the shape {shape}", "{formula} 的形状是 {shape}"),
    "formula_shape_other": (
        "the shape of {formula} is {own}, not {shape}",
        "{formula} 的形状是 {own}，不是 {shape}",
    ),
    "formula_shape_never": (
        "with the shapes that are stated of its parts, {formula} cannot have the shape {shape}",
        "按所给各部分的形状，{formula} 的形状不可能是 {shape}",
    ),
    "formula_shape_turned": (
        "with the shape {shape}, {formula} has the shape that is stated, as formulas like it have",
        "形状为 {shape} 时，{formula} 才有所述的形状，其他同样的式子也是如此",
    ),
    "formula_shape_exchanged": (
        "on the right of the tokens of a head these weights have the shape {shape}",
        "在一个头的输入右边相乘，这些权重的形状是 {shape}",
    ),
    "formula_shape_product": (
        "in a matrix product, the last size of the first factor is the second last size of the other",
        "矩阵乘积中，前一因子的最后一维等于后一因子的倒数第二维",
    ),
    "formula_shape_declared": (
        "the formulas that use it fit the shape {shape}",
        "用到它的公式与形状 {shape} 相符",
    ),
    "formula_shape_usual": (
        "the shape {shape} and those declared beside it go together in the products of attention",
        "形状 {shape} 与同时给出的其他形状可按注意力的乘积相乘",
    ),
    "formula_shape_heads": (
        "the heads side by side are h times as wide as one, which is how many rows W^O has",
        "各头并排后的宽度是单头的 h 倍，也就是 W^O 的行数",
    ),
    "formula_never_conforms": (
        "the shapes of its factors do not fit, however its symbols are read",
        "无论怎样理解其中的符号，各因子的形状都不相符",
    ),
    "formula_range_overrun": (
        "{index} takes {count} values, and a sum that begins at 0 and goes on to {count} has one term more",
        "{index} 只有 {count} 个取值，而从 0 加到 {count} 的和多出一项",
    ),
    "words_spread": (
        "the standard deviation of a score is the root of its variance d_k",
        "得分的标准差是其方差 d_k 的平方根",
    ),
    "formula_if": ("{equations}", "{equations} "),
    "formula_if_tokens": ("{equations} (self-attention)", "{equations}（自注意力）"),
    # --- means and variances
    "formula_moments": (
        "variances of independent terms add up, and those of products multiply where the means are 0",
        "独立项之和的方差等于各方差之和；均值为 0 时乘积的方差等于各方差之积",
    ),
    "formula_if_moments_independent": ("the entries of q and k are independent", "q 与 k 的分量相互独立"),
    "formula_if_moments_mean_0": ("the entries of q and k have mean 0", "q 与 k 的分量均值为 0"),
    "formula_if_moments_variance_1": ("the entries of q and k have variance 1", "q 与 k 的分量方差为 1"),
    "formula_if_moments_independent_mean_0": (
        "the entries of q and k are independent and have mean 0",
        "q 与 k 的分量相互独立、均值为 0",
    ),
    "formula_if_moments_independent_variance_1": (
        "the entries of q and k are independent and have variance 1",
        "q 与 k 的分量相互独立、方差为 1",
    ),
    "formula_if_moments_mean_0_variance_1": (
        "the entries of q and k have mean 0 and variance 1",
        "q 与 k 的分量均值为 0、方差为 1",
    ),
    "formula_if_moments_independent_mean_0_variance_1": (
        "the entries of q and k are independent and have mean 0 and variance 1",
        "q 与 k 的分量相互独立、均值为 0、方差为 1",
    ),
    # --- counts
    "formula_head_width": (
        "all heads together are as wide as the model: a head has the width of the model divided by the number of heads",
        "各头合起来与模型同宽：每个头的宽度等于模型宽度除以头数",
    ),
    "formula_count": (
        "the parameters or operations of a layer, counted from the shapes of its matrices",
        "一层的参数个数或运算次数，由各矩阵的形状算出",
    ),
    "formula_bytes": ("its factors multiply to about so many bytes", "各因子之积约为这么多字节"),
    "formula_cache": (
        "a cache holds a key and a value for every layer, head and token",
        "缓存为每一层、每个头、每个词元保存一个键和一个值",
    ),
    "count_and": ("{left} and {right}", "{left}且{right}"),
    "count_if_biases": ("biases are left out", "不计偏置"),
    "count_if_projection": ("the output projection is left out", "不计输出投影"),
    "count_if_norms": ("norms are left out", "不计归一化层"),
    "count_if_gated": ("the network is gated", "前馈网络带门控"),
    "count_if_multiply_adds": ("a multiply-add counts as one operation", "一次乘加算作一次运算"),
    "count_if_width_ff": ("d_ff = 4 d_model", "取 d_ff = 4 d_model "),
    "count_if_width_values": ("d_v = d_k", "取 d_v = d_k "),
    "count_if_width_heads": ("h d_k = h d_v = d_model", "取 h d_k = h d_v = d_model "),
    # --- weights
    "formula_columns_sum": (
        "softmax divides each column by its sum: the weights of a query, here a column, add up to 1",
        "softmax 把每一列除以它的和：一个查询的权重（这里是一列）之和为 1",
    ),
    "formula_rows_sum": (
        "softmax divides each row by its sum: the weights of a query add up to 1",
        "softmax 把每一行除以该行之和：一个查询的各权重之和为 1",
    ),
    "formula_shift": (
        "softmax stays the same when one number is added to all scores",
        "全部得分加上同一个数，softmax 不变",
    ),
    "formula_scaled": (
        "multiplying the scores by a number other than 1 changes their softmax",
        "得分乘以不等于 1 的数，softmax 随之改变",
    ),
    "formula_temperature": (
        "dividing the scores by a lower temperature moves them apart and makes their softmax sharper",
        "温度越低，得分相差越大，softmax 越尖锐",
    ),
    "words_code_scores": (
        "queries times keys turned in their last two axes, scaled by the root of their width",
        "查询乘以最后两维转置的键，并按宽度的平方根缩放",
    ),
    "words_code_width": (
        "the last axis of queries and keys is their width",
        "查询与键的最后一维就是它们的宽度",
    ),
    "words_code_scale": (
        "the scores are divided by the root of the width of the keys",
        "得分除以键宽度的平方根",
    ),
    "words_code_output": (
        "weights times values have the rows of the weights and the width of the values",
        "权重乘以值：行与权重相同，宽度与值相同",
    ),
    "words_code_values": (
        "the output is the sum of the values by their weights, along the keys",
        "输出是按权重对值求和，沿键这一维",
    ),
    "words_code_projection": (
        "a projection sums along the width that comes in and leaves the width that goes out",
        "投影沿输入宽度求和，留下输出宽度",
    ),
    "words_code_einsum": (
        "einsum gives each axis of its result once, and none that no factor has",
        "einsum 的结果中每一维只出现一次，且都来自某个因数",
    ),
    "words_code_heads": (
        "the axis of heads is moved beside their width, and both become one",
        "先把头这一维移到宽度旁边，再合并成一维",
    ),
    "words_code_mask": (
        "a causal mask hides the keys behind a query, and not its own: the strict upper triangle",
        "因果掩码只遮住查询之后的键，不遮住自身：严格上三角",
    ),
    "words_code_block": (
        "what was summed so far is multiplied by exp(old maximum − new maximum), which is at most 1",
        "已累加的部分乘以 exp(旧最大值 − 新最大值)，不超过 1",
    ),
    "words_code_softmax": (
        "the gradient through softmax by rows, A ∘ (dA − rowsum(A ∘ dA))",
        "按行 softmax 的反向：A ∘ (dA − rowsum(A ∘ dA))",
    ),
    "words_code_gradient": (
        "the gradient of a product: dQ = dS K, dK = dSᵀ Q, dV = Aᵀ dO, dA = dO Vᵀ, axis by axis",
        "乘积的梯度：dQ = dS K，dK = dSᵀ Q，dV = Aᵀ dO，dA = dO Vᵀ，逐轴对应",
    ),
    "words_cost": (
        "scores and output take n·n·d products each and a matrix of n·n; keys times values first takes n·d·d",
        "得分与输出各需 n·n·d 次乘法，并存一个 n·n 矩阵；先算键乘值则为 n·d·d",
    ),
    "words_latent_cache": (
        "of each token and layer one latent vector is kept and one rotated key, from which keys and values follow",
        "每层每个词元只存一个潜在向量和一个旋转键，键与值都由此算出",
    ),
    "words_cost_of_layer": (
        "the usual order of what this layer multiplies",
        "这一层所做乘法的通常阶数",
    ),
    "words_cost_of_step": (
        "a state of one size is updated and read at the same cost for every token",
        "状态大小固定，每个词元更新与读取的代价相同",
    ),
    "words_cost_of_chunks": (
        "L/C chunks take C²d within each and Cd² between them",
        "共 L/C 个块，块内各需 C²d，块间各需 Cd²",
    ),
    "count_if_width_gated": ("d_ff = 8/3 d_model", "取 d_ff = 8/3 d_model "),
}
