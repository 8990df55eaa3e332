"""What is said of gradients: what each step of the backward pass is, and what cannot be differentiated."""

# key: (English, Chinese)
GRADIENTS: dict[str, tuple[str, str]] = {
    "title.gradient": ("The backward pass, step by step", "反向传播的逐步推导"),
    "title.part_backward": ("{part}: backward pass", "{part}：反向传播"),
    "title.part_inputs": ("{part}: gradients with respect to its parameters", "{part}：关于参数的梯度"),
    "title.gradient_by": ("Gradient with respect to {symbol}", "关于 {symbol} 的梯度"),
    "title.delta": ("‹Row› sums for the gradient of softmax", "softmax 梯度所需的‹行›和"),
    # --- why a step is what it is
    "step.gradient.given": (
        "The gradient of the loss with respect to the result, {upstream}, is given; every other follows by the chain "
        "rule, from the last step back to the inputs.",
        "损失关于结果的梯度 {upstream} 是已知的；其余梯度由链式法则从最后一步逐步推回输入。",
    ),
    "step.gradient.product": (
        "{symbol} is a factor in {uses}: its gradient is that of the product times the transpose of the other factor.",
        "{symbol} 是 {uses} 中的一个因子：其梯度等于乘积的梯度乘以另一因子的转置。",
    ),
    "step.gradient.product.transposed": (
        "{symbol} enters {uses} transposed: its gradient is the transposed gradient of the product times the other "
        "factor.",
        "{symbol} 以转置形式出现在 {uses} 中：其梯度等于乘积的梯度取转置后乘以另一因子。",
    ),
    "gradient.folded": (
        "Hidden scores have the gradient 0, and the scale of the scores multiplies the gradient: with respect to "
        "{scores} it is {gradient}.",
        "被掩码屏蔽的得分梯度为 0，得分的缩放系数也乘到梯度上：关于 {scores} 的梯度是 {gradient}。",
    ),
    "gradient.folded.mask": (
        "Hidden scores have the gradient 0, so that the mask changes nothing on the way back: with respect to "
        "{scores} the gradient is {gradient} as well.",
        "被掩码屏蔽的得分梯度为 0，因此反向经过掩码时梯度不变：关于 {scores} 的梯度也是 {gradient}。",
    ),
    "gradient.folded.scale": (
        "The scale of the scores multiplies the gradient: with respect to {scores} it is {gradient}.",
        "得分的缩放系数也乘到梯度上：关于 {scores} 的梯度是 {gradient}。",
    ),
    "step.gradient.sum": (
        "{symbol} is used in {uses}; the gradients from all of them are added.",
        "{symbol} 用在 {uses} 中；各处的梯度相加。",
    ),
    "step.gradient.heads": (
        "{symbol} is used by every head, in {uses}; the gradients from the heads are added.",
        "每个头都用到 {symbol}：{uses}；各头的梯度相加。",
    ),
    "step.gradient.group": (
        "The heads of one group share {symbol}, in {uses}; their gradients are added.",
        "同组的各个头共用 {symbol}：{uses}；它们的梯度相加。",
    ),
    "step.gradient.blocks": (
        "The gradients of the heads' blocks are ‹placed side by side›, as the blocks are in {symbol}.",
        "各头所用分块的梯度‹并排›拼接，与分块在 {symbol} 中的位置相同。",
    ),
    "step.gradient.blocks.rows": (
        "The gradients of the heads' blocks are ‹stacked›, as the blocks are in {symbol}.",
        "各头所用分块的梯度‹上下›拼接，与分块在 {symbol} 中的位置相同。",
    ),
    "step.gradient.bias": (
        "{symbol} was added to every ‹row›, so its gradient is the sum over the ‹rows›.",
        "{symbol} 加到了每一‹行›，因此它的梯度是对各‹行›求和。",
    ),
    "step.gradient.part": (
        "{symbol} is one part of the concatenation: its gradient is the corresponding ‹columns› of the gradient.",
        "{symbol} 是拼接中的一部分：它的梯度是拼接结果的梯度中对应的‹列›。",
    ),
    "step.gradient.same": (
        "{symbol} was added unchanged, so its gradient is that of the sum.",
        "{symbol} 是直接加上去的，因此它的梯度就是和的梯度。",
    ),
    "step.gradient.transpose": (
        "{symbol} enters transposed, so its gradient is transposed as well.",
        "{symbol} 以转置形式出现，它的梯度也取转置。",
    ),
    "step.gradient.cap": (
        "The cap acts on every score separately: the gradient is multiplied by its derivative, entry by entry.",
        "限幅逐元素作用于得分：梯度逐元素乘以它的导数。",
    ),
    "step.gradient.function": (
        "The function acts on every entry of {symbol} separately: the gradient is multiplied by its "
        "derivative, entry by entry.",
        "该函数单独作用于 {symbol} 的每个元素：梯度逐元素乘以它的导数。",
    ),
    "step.gradient.quotient": (
        "Each ‹row› of {symbol} is divided by a number, and its gradient is divided by the same number.",
        "{symbol} 的每一‹行›除以一个数，它的梯度也同样相除。",
    ),
    "step.gradient.divisor": (
        "The ‹rows› are divided by the numbers in {symbol}: the gradient of each is the sum over its ‹row› of the "
        "gradients times the quotients, divided by the number, with a minus sign.",
        "{symbol} 是各‹行›的除数：每个数的梯度等于该‹行›的梯度与商逐元素相乘之和，再除以该数并取负号。",
    ),
    "step.gradient.kept": (
        "Entries of {symbol} that are left out do not affect the result, so their gradient is 0.",
        "{symbol} 中被略去的元素不影响结果，梯度为 0。",
    ),
    "step.gradient.turned": (
        "{symbol} was rotated according to its position; the transpose of a rotation is the inverse rotation.",
        "{symbol} 按位置旋转；旋转矩阵的转置就是逆旋转。",
    ),
    "step.gradient.running_product": (
        "Every entry of {symbol} is a factor of the products from its row on: their gradients times themselves are "
        "added and divided by it.",
        "{symbol} 的每个元素是从其所在行起各乘积的因子：将各乘积与其梯度之积相加，再除以该元素。",
    ),
    "step.gradient.solved": (
        "The gradient by the right-hand side of a triangular system solves the transposed system.",
        "三角方程组右端的梯度是转置方程组的解。",
    ),
    "step.gradient.buckets": (
        "Each number of {symbol} stands in the scores of all pairs of its bucket; their gradients are added.",
        "{symbol} 的每个数出现在其桶内各对词元的得分里；这些梯度相加。",
    ),
    "step.gradient.row_buckets": (
        "Each number of {symbol} stands in the scores of its row's keys of one bucket; their gradients are added.",
        "{symbol} 的每个数出现在其所在行中同一桶的各键的得分里；这些梯度相加。",
    ),
    "step.gradient.weighed_buckets": (
        "Each weight is added to the sum of its bucket, whose gradient it receives.",
        "每个权重都加入其桶的和，并得到该和的梯度。",
    ),
    "step.gradient.additive": (
        "Every unit of {symbol} enters the scores of its token through tanh, whose derivative is 1 minus its "
        "square; the gradients from these scores are added.",
        "{symbol} 的每个单元经 tanh 进入其词元的各个得分，tanh 的导数是 1 减其平方；来自这些得分的梯度相加。",
    ),
    "step.gradient.gain": (
        "Every entry of {symbol} multiplies its unit in all scores; the gradients from these scores are added.",
        "{symbol} 的每个元素在所有得分中乘以对应的单元；来自各得分的梯度相加。",
    ),
    "title.kept": (
        "Scores that are attended to",
        "可关注的得分",
    ),
    "title.kept_values": ("Values, weighted by these scores", "按这些得分加权的值"),
    "title.kept_sums": ("‹Row› sums of these scores", "这些得分的‹行›和"),
    "step.kept": (
        "For the gradient all tokens are written at once, which gives the same result: each token attends to "
        "itself and to earlier ones, and the other scores are 0.",
        "求梯度时把所有词元一起写，结果相同：每个词元只关注自己和之前的词元，其余得分为 0。",
    ),
    "step.kept_values": (
        "Before the division, the output is a sum of the values, weighted by these scores.",
        "相除之前，输出是值按这些得分加权之和。",
    ),
    "step.kept_sums": ("The number by which each ‹row› of the output is divided.", "输出逐‹行›的除数。"),
    "step.gradient.scaled": (
        "{symbol} is multiplied by a number, in {uses}, and so is its gradient.",
        "{symbol} 乘以一个数：{uses}；它的梯度也乘以这个数。",
    ),
    "step.gradient.gains": (
        "Every entry of {symbol} multiplies one ‹column›: its gradient is the sum over this ‹column› of the gradients "
        "times the entries that were multiplied.",
        "{symbol} 的每个数乘以一‹列›：它的梯度等于该‹列›的梯度与被乘元素逐个相乘之和。",
    ),
    "title.handed": ("Handed to the token before", "传给前一个词元的梯度"),
    "step.handed": (
        "What this token contributes to the gradient with respect to the state before it; the tokens are taken from "
        "the last to the first, and after the last it is 0.",
        "该词元对前一状态的梯度的贡献；词元从最后一个到第一个依次进行，最后一个之后为 0。",
    ),
    "step.gradient.part.rows": (
        "{symbol} stands in the ‹rows› of the result: its gradient stands in the same ‹rows› of the gradient.",
        "{symbol} 占结果中的若干‹行›：它的梯度是结果的梯度中对应的‹行›。",
    ),
    "step.gradient.turns": (
        "The state {symbol} is used by the next turn alone, which hands its gradient back.",
        "状态 {symbol} 只被下一步用到，其梯度由后者传回。",
    ),
    "step.gradient.turns.rows": (
        "The gradients with respect to the ‹rows› of {symbol}, one token ‹below› another.",
        "关于 {symbol} 各‹行›的梯度，逐个词元‹上下›排列。",
    ),
    "title.slopes": ("Slope of each weight", "各权重的导数"),
    "step.slopes.threshold": (
        "The derivative of each weight with respect to its own score, the threshold held fixed; it is 0 for every key "
        "below the threshold.",
        "阈值固定时，各权重关于自身得分的导数；低于阈值的键为 0。",
    ),
    "step.slopes.sigmoid": (
        "The derivative of each weight with respect to its own score, a(1 − a) for a weight a.",
        "各权重关于自身得分的导数：权重 a 的导数为 a(1 − a)。",
    ),
    "step.gradient.above": (
        "Each weight changes with its own score by its slope: the gradient is multiplied by it, entry by entry.",
        "各权重随自身得分变化，比例为其导数：梯度逐元素乘以该导数。",
    ),
    "step.gradient.threshold": (
        "{symbol} is subtracted from all scores of a ‹row›: its gradient is minus the sum over the ‹row› of the "
        "gradients times the slopes.",
        "一‹行›的所有得分都减去 {symbol}：它的梯度是该‹行›梯度与导数之积的和取负号。",
    ),
    "step.gradient.threshold.squared": (
        "{symbol} is subtracted from all halved scores of a ‹row›, and what is left is squared: its gradient is minus "
        "twice the sum over the ‹row› of the gradients times the slopes.",
        "一‹行›中减半的得分都减去 {symbol}，再取平方：它的梯度是该‹行›梯度与导数之积的和的 2 倍取负号。",
    ),
    "step.gradient.of_threshold": (
        "The threshold changes with {symbol} so that the weights keep the sum 1: each score has the share of its "
        "slope in the sum of all slopes of its ‹row›.",
        "阈值随 {symbol} 变化，使权重之和保持为 1：每个得分所占的份额是它的导数与该‹行›导数之和的比。",
    ),
    "step.gradient.scalar": (
        "{symbol} multiplies every entry in {uses}: its gradient is the sum of the gradients times what it multiplies.",
        "{symbol} 在 {uses} 中乘以每个元素：它的梯度是各元素的梯度与其所乘之数的乘积之和。",
    ),
    "step.gradient.unseen": (
        "{symbol} was added to every ‹row› of keys, which adds the same number to all scores of a ‹row›; softmax does "
        "not change by that, and every ‹row› of the gradient of its scores sums to 0. So this gradient is 0.",
        "{symbol} 加到了键的每一‹行›，即给一‹行›的所有得分加上同一个数；softmax 不因此改变，"
        "它的得分的梯度每‹行›之和为 0。因此这个梯度是 0。",
    ),
    "step.gradient.added": (
        "{symbol} is added to every score, so its gradient is the sum of the gradients with respect to all of them.",
        "{symbol} 加到每个得分上，因此它的梯度是关于所有得分的梯度之和。",
    ),
    "step.gradient.sink": (
        "The sink with logit {symbol} takes weight from every ‹row› and contributes no value: its gradient is the sum "
        "over the ‹rows› of minus this weight times the weighted sum in the ‹row›.",
        "logit 为 {symbol} 的汇点从每‹行›分得权重而不贡献值：它的梯度是对各‹行›求和，"
        "每‹行›为该权重乘以该‹行›的加权和，再取负号。",
    ),
    "step.gradient.other": ("The gradient with respect to {symbol}:", "关于 {symbol} 的梯度："),
    "step.gradient.softmax": (
        "The weights of a ‹row› compete, since they share a denominator: the gradient of a score is its weight in "
        "{weights} times the difference between the gradient of that weight and the weighted sum over the ‹row›.",
        "同一‹行›的权重共用分母，彼此竞争："
        "一个得分的梯度等于它在 {weights} 中的权重乘以该权重的梯度与该‹行›加权和之差。",
    ),
    "step.gradient.softmax.seen": (
        "The weights of a ‹row› compete, since they share a denominator: the gradient of a score is its weight in "
        "{weights} times the difference between the gradient of that weight and the weighted sum over the ‹row›. The "
        "weights of a ‹row› that attends to no key do not depend on its scores, whose gradient is 0.",
        "同一‹行›的权重共用分母，彼此竞争："
        "一个得分的梯度等于它在 {weights} 中的权重乘以该权重的梯度与该‹行›加权和之差。不能关注任何键的‹行›，"
        "其权重与得分无关，梯度为 0。",
    ),
    "step.delta": (
        "The weighted sum in ‹row› {i}: the gradients with respect to its weights, each times its weight.",
        "第 {i} ‹行›的加权和：各权重的梯度乘以该权重，再求和。",
    ),
    "outer_products": (
        "As a sum over tokens, each giving the outer product of its input and its gradient,",
        "写成对词元求和，每个词元贡献其输入与梯度的外积，",
    ),
    # --- the softmax Jacobian
    "jacobian.weight": (
        "It is derived in three steps. A single weight is",
        "推导分三步。单个权重为",
    ),
    "jacobian.quotient": (
        "By the quotient rule, with {same} for 1 where {j} is {k} and 0 elsewhere,",
        "由商的求导法则（{same} 在 {j} 等于 {k} 时为 1，否则为 0），",
    ),
    "jacobian.chain": (
        "A score affects every weight of its ‹row›; the chain rule sums over them:",
        "一个得分影响该‹行›的所有权重；链式法则对它们求和：",
    ),
    "jacobian.row": (
        "For a whole ‹row› at once, with the Jacobian of softmax in the brackets,",
        "对整‹行›一起写，括号中是 softmax 的雅可比矩阵，",
    ),
    # --- what cannot be differentiated
    "upstream_needed": (
        "the gradient with respect to the result has no value; give it under [inputs] as G, of the size of the result",
        "缺少关于结果的梯度；请在 [inputs] 中给出 G，大小与结果相同",
    ),
    "upstream_of_each": (
        "G must have the rows for each of {names} by its name, as {{'weights': [[1]], 'output': [[1]]}}",
        "G 须按名称给出 {names} 中每一步的各行，例如 {{'weights': [[1]], 'output': [[1]]}}",
    ),
    "no_gradient": (
        "no gradient is known for {node}; derive with brief detail, and use symattn's own nodes",
        "不知道如何对 {node} 求梯度；请用 brief 详细程度推导，并使用 symattn 自己的节点",
    ),
    "no_dependence": (
        "{of} does not depend on {name}, so there is no gradient with respect to it",
        "{of} 与 {name} 无关，因此没有关于它的梯度",
    ),
    "unknown_wrt": (
        '"{name}" does not appear; differentiate with respect to some of {known}',
        "“{name}”没有出现；请从以下各项中选择求导对象：{known}",
    ),
    "not_a_derivation": (
        "{given} is not a derivation; give the result of derive(...)",
        "{given} 不是推导；请给出 derive(...) 的结果",
    ),
    "nothing_wrt": (
        "name what to differentiate with respect to, in a list: some of {known}",
        "请用列表给出求导对象，可选：{known}",
    ),
    "place_gradient": (
        "{name} says at which positions rows stand, which are not learned; differentiate with respect to {known}",
        "{name} 给出各行所在的位置，不参与学习；可对以下各项求导：{known}",
    ),
    "mask_gradient": (
        "{name} is a mask: its 0 and 1 only choose, and have no gradient; differentiate with respect to {known}",
        "{name} 是掩码：0 和 1 只作选择，没有梯度；可对以下各项求导：{known}",
    ),
}
