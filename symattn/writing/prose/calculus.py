"""What is said of printed gradients, masks, recurrences and rotations."""

# key: (English, Chinese)
CALCULUS: dict[str, tuple[str, str]] = {
    # --- gradients
    "theorem.gradient_proven": (
        "the derivative of the forward pass, by the product rule and for every size",
        "按乘积法则对前向计算求导，对任意大小成立",
    ),
    "theorem.gradient_tried": (
        "the derivative of the forward pass, worked out at two points of different sizes",
        "在两组不同大小的数值上计算前向过程的导数",
    ),
    "theorem.gradient_fails": (
        "this is not the derivative of the forward pass",
        "这不是前向计算的导数",
    ),
    "theorem.differential": (
        "differentials, by the product rule; tried at random numbers of several sizes",
        "微分，由乘积法则得出；已在多种大小的随机数上验证",
    ),
    "theorem.differential_fails": ("by the product rule the differential is another", "按乘积法则，微分不是这样"),
    "condition.held_fixed": ("{names} is held fixed", "{names} 保持不变"),
    "theorem.chain_rule": (
        "the chain rule, with the formulas that the article has for its letters; tried at random numbers",
        "链式法则，按文中各字母的公式；已在随机数上验证",
    ),
    "theorem.chain_rule_fails": (
        "by the chain rule, with the formulas that the article has for its letters, it is another",
        "按链式法则与文中各字母的公式，结果不是这样",
    ),
    "theorem.scalar_slope": ("the derivative of the function, at two points", "函数的导数，在两点上验证"),
    "theorem.scalar_slope_fails": ("this is not the derivative of the function", "这不是该函数的导数"),
    "theorem.gradient_flat": (
        "a gradient is linear in the gradients that it is computed from; this formula is not 0 where they are 0",
        "梯度是用来计算它的各梯度的线性函数；后者为 0 时此式不为 0",
    ),
    "theorem.softmax_entry": (
        "the derivative of an entry of softmax by a score is y_i(1 − y_i) for its own and −y_i y_j for another",
        "softmax 的分量对自身得分的导数为 y_i(1 − y_i)，对其他得分的导数为 −y_i y_j",
    ),
    "theorem.softmax_slope": (
        "every score changes all weights of its row, so that the gradient by a score need not be 0 where that by its"
        " weight is 0",
        "每个得分都会改变所在行的全部权重：对某个权重的梯度为 0 时，对其得分的梯度未必为 0",
    ),
    "condition.scaled_scores": ("the scores are QKᵀ/√d_k", "得分为 QKᵀ/√d_k"),
    "condition.last_scores": ("the scores are what softmax is taken of", "得分是指 softmax 所作用的对象"),
    "condition.plain_scores": ("the scores are QKᵀ, without a scale", "得分为 QKᵀ，不含缩放"),
    "condition.no_epsilon": ("ε is 0", "ε 取 0"),
    "condition.held": (
        "what the other paths of the chain rule go through is held fixed",
        "求偏导时固定链式法则其他路径的中间变量",
    ),
    "condition.softmax": ("{name} is the softmax of what it is differentiated by", "{name} 是对求导变量所作的 softmax"),
    "condition.is_product": ("{name} = {product}", "{name} = {product}"),
    "condition.is_gradient": ("{name} is ∂L/∂{by}", "{name} 为 ∂L/∂{by}"),
    "condition.row_sums": (
        "{name} is the row sums of P ∘ dP, which are those of O ∘ dO",
        "{name} 是 P ∘ dP 各行的和，即 O ∘ dO 各行的和",
    ),
    # --- masks
    "theorem.causal_mask": (
        "a causal mask shows each query the keys up to its own position",
        "因果掩码让每个查询只看到位置不超过自身的键",
    ),
    "theorem.future_shown": (
        "row {row} is the query and column {column} the key: this mask hides earlier keys and shows later ones",
        "行 {row} 为查询、列 {column} 为键：此掩码遮住之前的键，而未遮住之后的键",
    ),
    "condition.ones_hide": ("1 marks what is hidden", "1 表示被遮住的位置"),
    "theorem.mask_multiplied": (
        "{name} has −∞ in it and has to be added to the scores: a negative score times −∞ is +∞",
        "{name} 含 −∞，应加到得分上：负的得分乘以 −∞ 得 +∞",
    ),
    "theorem.mask_added": (
        "{name} is 0 at the hidden keys: adding 0 to a score changes nothing, adding −∞ gives the weight 0",
        "{name} 在被遮住的键处为 0：得分加 0 不变，加 −∞ 时权重才为 0",
    ),
    # --- online softmax
    "theorem.online_proven": (
        "softmax over all keys, computed block by block, for every size and any numbers subtracted",
        "逐块计算的 softmax 等于对全部键的 softmax，对任意大小与任意减去的数成立",
    ),
    "theorem.online_tried": (
        "softmax over all keys, computed block by block, at two points",
        "在两组数值上逐块计算的 softmax 等于对全部键的 softmax",
    ),
    "theorem.online_fails": (
        "softmax over all keys, computed block by block, gives another value",
        "逐块计算对全部键的 softmax 得到不同的值",
    ),
    # --- recurrences
    "theorem.state_tried": (
        "the recurrence of the state, worked out token by token at two points",
        "在两组数值上逐个词元计算状态的递推",
    ),
    "theorem.state_fails": (
        "the recurrence of the state, worked out token by token, gives another result",
        "逐个词元计算状态的递推得到不同的结果",
    ),
    "theorem.gated_delta": (
        "the gate of the gated delta rule is on the state before the step, not on what the step adds",
        "门控 delta 规则中，门控只作用于上一步的状态，而不作用于本步加入的部分",
    ),
    "theorem.chunk_inverse": (
        "a system of equations with a unit lower triangular matrix, solved row by row at two points",
        "在两组数值上逐行求解单位下三角方程组",
    ),
    "theorem.chunk_inverse_fails": (
        "the system of equations with a unit lower triangular matrix, solved row by row, has another solution",
        "逐行求解单位下三角方程组，得到不同的解",
    ),
    # --- rotations
    "theorem.rotation": (
        "rotations of the plane, at two points of angles and positions",
        "平面旋转，在两组角度与位置上验证",
    ),
    "theorem.rotation_fails": (
        "rotations of the plane add their angles: R_mᵀ R_n turns by n − m",
        "平面旋转的角度相加：R_mᵀ R_n 旋转 n − m",
    ),
    "theorem.turned_pair": (
        "a pair that is turned is x₁ cos φ − x₂ sin φ and x₁ sin φ + x₂ cos φ; q and k turn the same way, so that "
        "their product depends on n − m alone",
        "旋转后的一对分量为 x₁ cos φ − x₂ sin φ 与 x₁ sin φ + x₂ cos φ；q 与 k 须朝同一方向旋转，其内积才只依赖 n − m",
    ),
    "condition.own_at_running": (
        "the sums of the new block are taken at the new maximum, not at its own",
        "新块的和以新的最大值为准，而不是以该块自己的最大值为准",
    ),
    "condition.unit_keys": ("the keys have unit length", "键为单位长度"),
    "condition.clockwise": ("a positive angle turns clockwise", "正角按顺时针方向旋转"),
    "condition.indices_differ": ("the two indices differ", "两个下标不同"),
    "condition.indices_agree": ("the two indices are the same", "两个下标相同"),
    "theorem.sum_index": (
        "the sum runs over {index}, but its terms have the index {other}, which occurs nowhere else",
        "求和对 {index} 进行，但各项的下标为 {other}，而 {other} 在别处没有出现",
    ),
    "theorem.sum_of_own_index": (
        "the sum runs over {index}, the index of the left side, and leaves the index {other} of its terms free",
        "求和对左边的下标 {index} 进行，而各项的下标 {other} 没有被求和",
    ),
    "theorem.sum_over_query": (
        "the weights of a query {query} are divided by a sum over its keys, and here {index} stands for the query",
        "查询 {query} 的权重应除以对各键求和的结果，而这里 {index} 取代的是查询的下标",
    ),
    "theorem.free_index": (
        "outside its sum the right side uses {other}, the index of the sum, where the left side has {index}",
        "左边的下标为 {index}，而右边在求和之外用了求和下标 {other}",
    ),
    # --- linear attention of whole sequences
    "theorem.feature_map": (
        "linear attention, φ(Q)(φ(K)ᵀV) as it is or divided by the row sums of φ(Q)φ(K)ᵀ, at two points",
        "线性注意力 φ(Q)(φ(K)ᵀV)，或再除以 φ(Q)φ(K)ᵀ 的行和，在两组数值上验证",
    ),
    "theorem.feature_map_values": (
        "the left side has no values: φ(Q)(φ(K)ᵀV) stands for softmax(QKᵀ) V",
        "左边缺少值矩阵：φ(Q)(φ(K)ᵀV) 对应的是 softmax(QKᵀ) V",
    ),
    "theorem.feature_map_fails": (
        "linear attention is φ(Q)(φ(K)ᵀV), divided by the row sums of φ(Q)φ(K)ᵀ where it is normalised",
        "线性注意力为 φ(Q)(φ(K)ᵀV)；归一化时除以 φ(Q)φ(K)ᵀ 的行和",
    ),
    "theorem.norm_gains": (
        "the gradient of a norm's gain is the sum of dy x̂, that of its shift the sum of dy",
        "归一化的增益的梯度是 dy x̂ 之和，偏移的梯度是 dy 之和",
    ),
    "theorem.norm_backward": (
        "the backward pass of LayerNorm takes off the mean of dx̂, and x̂ times the mean of dx̂ x̂",
        "LayerNorm 的反向：减去 dx̂ 的均值，再减去 x̂ 乘以 dx̂ x̂ 的均值",
    ),
}
