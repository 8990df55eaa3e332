"""What the sections that compare say: the scale, a temperature, finite masks, softmax in float formats."""

# key: (English, Chinese)
STUDIES: dict[str, tuple[str, str]] = {
    # --- scaling
    "scaling.title": ("Why the scores are divided by {root}", "为什么得分要除以 {root}"),
    "scaling.assume": (
        "Assume that the components {q} of a query and {k} of a key are independent random numbers, each with mean 0 "
        "and variance 1. What follows uses nothing else.",
        "假设查询的分量 {q} 与键的分量 {k} 是相互独立的随机数，均值都为 0，方差都为 1。下面只用到这些。",
    ),
    "scaling.mean": (
        "A product of independent numbers has the product of their means for its mean:",
        "独立随机数之积的均值等于均值之积：",
    ),
    "scaling.term": (
        "Its variance is the mean of the square less the square of the mean; squares of independent numbers are "
        "independent, and the mean of a square is 1 where the mean is 0 and the variance 1:",
        "方差是平方的均值减去均值的平方；独立随机数的平方仍独立，而均值为 0、方差为 1 时平方的均值为 1：",
    ),
    "scaling.cross": (
        "Different terms have no part in common, so their covariance vanishes:",
        "不同的项没有公共部分，协方差为零：",
    ),
    "scaling.sum": (
        "The variance of a sum is the sum of all variances and covariances:",
        "和的方差等于全部方差与协方差之和：",
    ),
    "scaling.scaled": (
        "A factor leaves a variance squared. Divided by {root}, scores vary by about 1, however wide the keys are:",
        "常数因子以平方的形式进入方差。除以 {root} 之后，无论键有多宽，得分的波动都约为 1：",
    ),
    "scaling.fails": ("Where the assumptions fail", "假设不成立时"),
    "scaling.means": (
        "With means {mu} and standard deviations {sigma} the mean of a score is {mean}, which dividing by {root} does "
        "not keep from growing, and its variance has more terms:",
        "若均值为 {mu}、标准差为 {sigma}，则得分的均值为 {mean}，除以 {root} 后仍会增长，方差也多出几项：",
    ),
    "scaling.correlated": (
        "With mean 0 but correlated components (covariance matrices {cov}) the variance is a trace. It is as large as "
        "{square} where all components of a vector are the same number, and the scores still grow after dividing by "
        "{root}:",
        "若均值为 0 而分量相关（协方差矩阵为 {cov}），方差是一个迹。当一个向量的所有分量都相同时，它可大到 {square}，"
        "除以 {root} 之后得分仍会增长：",
    ),
    "scaling.dependent": (
        "A key that depends on the query escapes the proof altogether: a token that looks at itself with {itself} "
        "scores {same} on average, and dividing by {root} leaves {root} of it.",
        "若键依赖于查询，证明就完全不适用：词元看自己且 {itself} 时，得分平均为 {same}，除以 {root} 后仍剩 {root}。",
    ),
    "scaling.example": ("With and without the scale", "有缩放与无缩放"),
    "scaling.row": (
        "Take the first row of scaled scores above as a typical one, measured in standard deviations. Without the "
        "scale the scores are {times} times as large:",
        "把上面第一行缩放后的得分当作以标准差为单位的典型得分。不缩放时，得分要放大 {times} 倍：",
    ),
    "scaling.ones": ("largest is exactly 1 in", "最大权重恰为 1 的格式"),
    "scaling.with_scale": ("with the scale", "有缩放时"),
    "scaling.verdict": (
        "Without the scale the gradient shrinks with the exponential of {root}, and one format after the other loses "
        "what is left; with it nothing changes with the width.",
        "不缩放时，梯度随 {root} 的指数缩小，各种格式先后丢失剩余部分；有缩放时，结果与宽度无关。",
    ),
    # --- temperature
    "temperature.title": ("What a temperature does", "温度的作用"),
    "temperature.said": (
        "A temperature {tau} divides the scores z before softmax; the scale of attention is one.",
        "温度 {tau} 在 softmax 之前去除得分 z；注意力中的缩放就是一种温度。",
    ),
    "temperature.entropy": (
        "with {total}. The entropy of the weights follows with {mean}, since the weights add up to 1:",
        "其中 {total}。由于权重之和为 1，记 {mean}，权重的熵为：",
    ),
    "temperature.parts": (
        "Both parts change with the temperature; the second because each weight does:",
        "两部分都随温度变化；后者是因为每个权重都在变：",
    ),
    "temperature.whole": (
        "Together, the first two terms cancel. A higher temperature {tau} never makes attention sharper:",
        "合在一起，前两项抵消。提高温度 {tau} 决不会使注意力更集中：",
    ),
    "temperature.limits": (
        "As {tau} tends to 0 the largest scores share all weight equally; as it grows without bound every key gets "
        "the same. Every row of the scores above, at several temperatures:",
        "当 {tau} 趋于 0 时，最大的得分平分全部权重；当它无限增大时，每个键所得相同。上面得分的每一行在若干温度下：",
    ),
    "temperature.weights": ("weights", "权重"),
    # --- a finite mask
    "finite_mask.title": ("A finite number in place of {infinity}", "用有限的数代替 {infinity}"),
    "finite_mask.shift": (
        "Softmax does not change when the same number is subtracted from a whole row. So a row that is masked "
        "throughout by a finite number is not masked at all, in exact arithmetic:",
        "同一行同时减去一个数，softmax 不变。因此在精确算术中，整行都加上同一个有限的掩码等于没有掩码：",
    ),
    "finite_mask.formats": (
        "Each format makes something else of it. The number as the format holds it, and every row of weights, computed "
        "with rounding after every operation, the maximum subtracted first:",
        "各个格式的结果不同。下表是该数在各格式中的值，以及先减去最大值、每步都舍入所算得的各行权重：",
    ),
    "finite_mask.becomes": ("it becomes", "变为"),
    "finite_mask.row": ("weights, row {row}", "权重，第 {row} 行"),
    "finite_mask.sum": ("scores, row {row}", "得分，第 {row} 行"),
    "finite_mask.sums": (
        "What happened is seen in the sums of scores and mask, here those of the last row:",
        "原因可以从得分与掩码之和看出，以最后一行为例：",
    ),
    "finite_mask.verdict": (
        "A format that holds the sum exactly keeps the scores apart, and the row masked throughout is softmax as if "
        "there were no mask. One that is too coarse there absorbs the scores, and the row becomes uniform. One in "
        "which the number is too large makes {infinity} of it, whose difference from itself is no number, or no number "
        "at once. Only a mask of its own, which leaves masked keys out, says the same in all.",
        "能精确表示这个和的格式保留得分之间的差别，整行被掩时 softmax 如同没有掩码；在该处太粗的格式把得分吸收掉，"
        "该行变成均匀分布；容不下该数的格式把它变成 {infinity}，与自身之差不是数，或者直接变成非数。"
        "只有把被掩的键真正排除在外的掩码，在所有格式中含义才相同。",
    ),
    # --- softmax in float formats
    "float_softmax.title": ("Four algorithms in six formats", "六种格式中的四种算法"),
    "algorithm.naive": (
        "Naive: exponentials and their sum as the definition has them. Large scores overflow.",
        "朴素：按定义取指数并求和。得分大时会溢出。",
    ),
    "algorithm.shifted": (
        "Shifted: the maximum is subtracted first, so that no exponential exceeds 1.",
        "平移：先减去最大值，使指数不超过 1。",
    ),
    "algorithm.division-free": (
        "Division-free: one exponential of a difference. The logarithm of the sum is rounded at the size of the "
        "scores, and that error is in every weight.",
        "无除法：只取一次差的指数。和的对数按得分的大小舍入，这个误差会进入每个权重。",
    ),
    "algorithm.online": (
        "Online: maximum and sum in one pass over the keys, the sum rescaled whenever the maximum rises; then "
        "as shifted.",
        "在线：一遍扫描同时得到最大值与和，最大值增大时重新缩放和；其余同平移法。",
    ),
    "algorithm.name.naive": ("naive", "朴素"),
    "algorithm.name.shifted": ("shifted", "平移"),
    "algorithm.name.division-free": ("division-free", "无除法"),
    "algorithm.name.online": ("online", "在线"),
    "float_softmax.errors": (
        "The scores above, in each format, rounding after every operation: the largest error of a weight, in units of "
        "the last place of the true weight.",
        "以上得分在各格式中计算，每步都舍入：权重的最大误差，以真值末位为单位。",
    ),
    "float_softmax.verdict": (
        "An error includes what rounding the scores themselves did to the weights. Half a unit is the best that any "
        "algorithm can do.",
        "误差包含了得分本身舍入对权重的影响。半个单位是任何算法所能达到的最好结果。",
    ),
}
