"""What is said of gradients: what each step of the backward pass is, and what cannot be differentiated."""

# key: (English, Chinese)
GRADIENTS: dict[str, tuple[str, str]] = {
    "title.gradient": ("The backward pass, step by step", "反向传播的逐步推导"),
    "title.gradient_by": ("Gradient with respect to {symbol}", "关于 {symbol} 的梯度"),
    "title.delta": ("Row sums for the gradient of softmax", "softmax 梯度所需的行和"),
    # --- why a step is what it is
    "step.gradient.given": (
        "The gradient of the loss with respect to the result, {upstream}, is given; every other follows by the chain "
        "rule, from the last step back to the inputs.",
        "损失关于结果的梯度 {upstream} 是已知的；其余梯度由链式法则从最后一步逐步推回输入。",
    ),
    "step.gradient.product": (
        "{symbol} is a factor in {uses}: a factor receives the gradient of the product times the other factor, "
        "transposed, with the multiples that stand in between.",
        "{symbol} 是 {uses} 中的一个因子：因子的梯度等于乘积的梯度乘以另一因子的转置，并带上其间的倍数。",
    ),
    "step.gradient.sum": (
        "{symbol} is used in {uses}; what comes back from each adds up.",
        "{symbol} 用在 {uses} 中；各处传回的梯度相加。",
    ),
    "step.gradient.heads": (
        "{symbol} is used by every head, in {uses}; what the heads hand back adds up.",
        "每个头都用到 {symbol}：{uses}；各头传回的梯度相加。",
    ),
    "step.gradient.group": (
        "The heads of one group share {symbol}, in {uses}; what they hand back adds up.",
        "同组的各个头共用 {symbol}：{uses}；它们传回的梯度相加。",
    ),
    "step.gradient.blocks": (
        "The gradients of the heads' blocks stand side by side, as the blocks do in {symbol}.",
        "各头所用分块的梯度并排拼接，与分块在 {symbol} 中的位置相同。",
    ),
    "step.gradient.bias": (
        "{symbol} was added to every row, so that it receives the sum of all rows.",
        "{symbol} 加到了每一行，因此它的梯度是所有行之和。",
    ),
    "step.gradient.part": (
        "{symbol} is one part of what was put side by side: it receives its own columns of the gradient.",
        "{symbol} 是拼接中的一部分：它得到梯度中属于自己的那些列。",
    ),
    "step.gradient.same": (
        "{symbol} was added as it is, so that its gradient is that of the sum.",
        "{symbol} 是直接加上去的，因此它的梯度就是和的梯度。",
    ),
    "step.gradient.transpose": (
        "{symbol} enters transposed, and so does its gradient.",
        "{symbol} 以转置形式出现，它的梯度也取转置。",
    ),
    "step.gradient.cap": (
        "The cap bends every score on its own: its slope multiplies the gradient, entry by entry.",
        "限幅逐元素作用于得分：梯度逐元素乘以它的斜率。",
    ),
    "step.gradient.other": ("The gradient with respect to {symbol}:", "关于 {symbol} 的梯度："),
    "step.gradient.softmax": (
        "Softmax lets the weights of a row compete: a score gains only as far as its weight in {weights} promises more "
        "than the row's average.",
        "softmax 使同一行的权重互相竞争：只有当 {weights} 中某个权重的收益高于该行平均时，相应的得分才有正梯度。",
    ),
    "step.delta": (
        "What row {i} gains on average: the gradients with respect to its weights, weighted by the weights themselves.",
        "第 {i} 行的平均收益：权重的梯度按权重自身加权求和。",
    ),
    "outer_products": (
        "As a sum over tokens, each giving the outer product of its input and its gradient,",
        "写成对词元求和，每个词元贡献其输入与梯度的外积，",
    ),
    # --- the softmax Jacobian
    "jacobian.weight": ("It is derived in three lines. One weight is", "推导分三步。单个权重为"),
    "jacobian.quotient": (
        "By the quotient rule, with {same} for 1 where {j} is {k} and 0 elsewhere,",
        "由商的求导法则（{same} 在 {j} 等于 {k} 时为 1，否则为 0），",
    ),
    "jacobian.chain": (
        "A score moves every weight of its row; the chain rule sums over them:",
        "一个得分影响该行的所有权重；链式法则对它们求和：",
    ),
    "jacobian.row": ("For a whole row at once,", "对整行一起写，"),
    # --- what cannot be differentiated
    "upstream_needed": (
        "the gradient with respect to the result has no value; give it under [inputs] as G, {rows} rows of {columns}",
        "缺少关于结果的梯度；请在 [inputs] 中给出 G，共 {rows} 行、每行 {columns} 个数",
    ),
    "no_gradient": (
        "no gradient is known for {node}; derive with brief detail, and use symattn's own nodes",
        "不知道如何对 {node} 求梯度；请用 brief 详细程度推导，并使用 symattn 自己的节点",
    ),
    "no_dependence": (
        "{of} does not depend on {name}, so that there is no gradient with respect to it",
        "{of} 与 {name} 无关，因此没有关于它的梯度",
    ),
    "unknown_wrt": (
        "{name} does not appear; differentiate with respect to some of {known}",
        "{name} 没有出现；请从以下各项中选择求导对象：{known}",
    ),
    "mask_gradient": (
        "{name} is a mask: its 0 and 1 only choose, and have no gradient; differentiate with respect to {known}",
        "{name} 是掩码：0 和 1 只作选择，没有梯度；可对以下各项求导：{known}",
    ),
}
