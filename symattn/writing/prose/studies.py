"""What the sections that compare say: the scale, a temperature, finite masks, softmax in float formats."""

# key: (English, Chinese)
STUDIES: dict[str, tuple[str, str]] = {
    # --- scaling
    "scaling.title": ("Why the scores are divided by {root}", "为什么得分要除以 {root}"),
    "scaling.assume": (
        "Assume that the components {q} of a query and {k} of a key are independent random numbers, each with "
        "mean 0 and variance 1. Nothing else is used in what follows.",
        "假设查询的分量 {q} 与键的分量 {k} 是相互独立的随机数，均值都为 0，方差都为 1。下面只用到这些。",
    ),
    "scaling.mean": (
        "The mean of a product of independent numbers is the product of their means:",
        "独立随机数之积的均值等于均值之积：",
    ),
    "scaling.term": (
        "The variance is the mean of the square minus the square of the mean; squares of independent numbers "
        "are independent, and the mean of a square is 1 when the mean is 0 and the variance 1:",
        "方差是平方的均值减去均值的平方；独立随机数的平方仍独立，而均值为 0、方差为 1 时平方的均值为 1：",
    ),
    "scaling.cross": (
        "Different terms share no variable, so their covariance vanishes:",
        "不同的项没有公共变量，协方差为零：",
    ),
    "scaling.sum": (
        "The variance of a sum is the sum of all variances and covariances:",
        "和的方差等于全部方差与协方差之和：",
    ),
    "scaling.scaled": (
        "A constant factor enters the variance squared. After division by {root}, the scores have variance 1, "
        "however wide the keys are:",
        "常数因子以平方的形式进入方差。除以 {root} 之后，无论键有多宽，得分的方差都为 1：",
    ),
    "scaling.fails": ("Where the assumptions fail", "假设不成立时"),
    "scaling.means": (
        "With means {mu} and standard deviations {sigma} the mean of a score is {mean}, which still grows "
        "after division by {root}, and the variance has more terms:",
        "若均值为 {mu}、标准差为 {sigma}，则得分的均值为 {mean}，除以 {root} 后仍会增长，方差也多出几项：",
    ),
    "scaling.correlated": (
        "With mean 0 but correlated components (covariance matrices {cov}) the variance is a trace. It is as "
        "large as {square} when all components of each of the two vectors are the same number, and the scores "
        "still grow after division by {root}:",
        "若均值为 0 而分量相关（协方差矩阵为 {cov}），方差是一个迹。当两个向量各自的所有分量都相同时，"
        "它可大到 {square}，除以 {root} 之后得分仍会增长：",
    ),
    "scaling.dependent": (
        "If the key depends on the query, the argument does not apply at all: a token that attends to itself "
        "with {itself} has score {same} on average, of which {root} remains after division by {root}.",
        "若键依赖于查询，上述论证就完全不适用：词元关注自身且 {itself} 时，得分平均为 {same}，除以 {root} "
        "后仍剩 {root}。",
    ),
    "scaling.example": ("With and without the scale", "缩放与不缩放"),
    "scaling.row": (
        "Take the first row of scaled scores above as a typical one, measured in standard deviations. Without the "
        "scale the scores are {times} times as large; {norm} is the largest sum of absolute values in a row of the "
        "Jacobian of softmax:",
        "把上面第一行缩放后的得分当作以标准差为单位的典型得分。不缩放时，得分要放大 {times} 倍；"
        "{norm} 是 softmax 雅可比矩阵各行绝对值之和的最大值：",
    ),
    "scaling.ones": (
        "Formats in which the largest weight is exactly 1",
        "最大权重恰为 1 的格式",
    ),
    "scaling.all": ("all six", "全部六种"),
    "scaling.eight": ("both float8", "float8（两种）"),
    "scaling.with_scale": ("With the scale", "缩放时"),
    "scaling.verdict": (
        "Without the scale the gradient shrinks exponentially in {root}, and one format after another loses "
        "what remains; with the scale nothing changes with the width.",
        "不缩放时，梯度随 {root} 指数级缩小，各种格式先后丢失余下的部分；缩放后，结果与宽度无关。",
    ),
    # --- temperature
    "temperature.title": ("What a temperature does", "温度的作用"),
    "temperature.said": (
        "A temperature {tau} divides the scores {z} before softmax; the scale of attention is a temperature.",
        "温度 {tau} 是 softmax 之前得分 {z} 的除数；注意力中的缩放就是一种温度。",
    ),
    "temperature.entropy": (
        "where {total}. Since the weights sum to 1, their entropy is, with {mean}:",
        "其中 {total}。由于权重之和为 1，记 {mean}，权重的熵为：",
    ),
    "temperature.parts": (
        "Both parts change with the temperature; the second because each weight does:",
        "两部分都随温度变化；后者是因为每个权重都在变：",
    ),
    "temperature.whole": (
        "In the sum the first two terms cancel. Raising the temperature {tau} never makes attention sharper:",
        "合在一起，前两项抵消。提高温度 {tau} 决不会使注意力更集中：",
    ),
    "temperature.limits": (
        "As {tau} tends to 0, the largest scores share all the weight equally; as it tends to infinity, all "
        "keys receive the same weight. Every row of the scores above at several temperatures:",
        "当 {tau} 趋于 0 时，最大的得分平分全部权重；当它趋于无穷时，各键所得权重相同。上面得分的每一行在若干温度下：",
    ),
    "temperature.weights": ("Weights", "权重"),
    # --- a finite mask
    "finite_mask.none": (
        "finite-mask is about a number that is added to hide scores; give a finite mask, or a bias",
        "finite-mask 讨论的是为隐藏得分而加上的有限数；请给出有限掩码或偏置",
    ),
    "finite_mask.title": (
        "A finite number instead of {infinity}",
        "用有限的数代替 {infinity}",
    ),
    "finite_mask.shift": (
        "Softmax does not change when the same number is subtracted from a whole row. In exact arithmetic a "
        "row that is masked everywhere by the same finite number is therefore not masked at all:",
        "同一行同时减去一个数，softmax 不变。因此在精确算术中，整行都加上同一个有限的掩码等于没有掩码：",
    ),
    "finite_mask.formats": (
        "Each format gives a different result. The table shows the number as the format represents it, and "
        "every row of weights, computed with rounding after every operation and with the maximum subtracted "
        "first:",
        "各个格式的结果不同。下表是该数在各格式中的值，以及先减去最大值、每步都舍入所算得的各行权重：",
    ),
    "finite_mask.becomes": ("Value", "数值"),
    "finite_mask.row": ("Weights, row {row}", "权重，第 {row} 行"),
    "finite_mask.sum": ("Scores, row {row}", "得分，第 {row} 行"),
    "finite_mask.sums": (
        "The reason can be seen in the sums of scores and mask, here those of the last row:",
        "原因可以从得分与掩码之和看出，以最后一行为例：",
    ),
    "finite_mask.verdict": (
        "A format that represents the sum exactly keeps the scores apart, and softmax of the fully masked row "
        "is as if there were no mask. A format that is too coarse there absorbs the scores, and the row "
        "becomes uniform. A format in which the number is too large turns it into {infinity}, whose "
        "difference from itself is not a number, or into NaN at once. Only a mask that leaves masked keys out "
        "means the same in all formats.",
        "能精确表示这个和的格式保留得分之间的差别，整行被掩时 softmax 如同没有掩码；"
        "在该处精度不够的格式会把得分吸收掉，该行变成均匀分布；容不下该数的格式把它变成 {infinity}，"
        "而 {infinity} 与自身之差不是数（NaN），或者直接变成 NaN。"
        "只有把被掩的键真正排除在外的掩码，在所有格式中含义才相同。",
    ),
    # --- what a title promises
    "cached_row.title": ("The step is the last row", "这一步就是最后一行"),
    "cached_row.said": (
        "‹Row› {row} of {whole} and the only ‹row› of {one} are exactly equal. The newest query may look at every "
        "key, so nothing is masked in its ‹row›; and the keys and values of earlier tokens do not depend on later "
        "ones, so they can be kept.",
        "{whole} 的第 {row} ‹行›与 {one} 仅有的一‹行›完全相等。最新的查询可以关注所有键，"
        "因此它那一‹行›没有被掩码的元素；而此前词元的键与值不依赖后来的词元，所以可以缓存。",
    ),
    "cached_row.none": (
        "cached-row is about a calculation of two parts, the second of one token, whose output is the last row of "
        "the first; give such parts",
        "cached-row 用于由两部分组成的计算：第二部分只有一个词元，其输出是第一部分的最后一行；请给出这样的两部分",
    ),
    "positions.title": ("Only the difference of positions matters", "只取决于位置之差"),
    "positions.said": (
        "All queries were equal before they were rotated, and so were all keys. The tokens therefore differ only in "
        "their positions, and each score depends only on how far the key is from the query:",
        "旋转之前，各查询相同，各键也相同，因此词元之间只有位置不同，而每个得分只取决于键与查询相距多远：",
    ),
    "positions.apart": ("Position of the key minus that of the query", "键的位置减查询的位置"),
    "positions.value": ("Value", "数值"),
    "positions.none": (
        "positions is about scores that depend on differences of positions alone; give equal queries and equal keys",
        "positions 用于只取决于位置之差的得分；请给出相同的查询与相同的键",
    ),
    # --- softmax in float formats
    "float_softmax.title": ("Four algorithms in six formats", "六种格式中的四种算法"),
    "algorithm.naive": (
        "Naive: the exponentials and their sum as in the definition. Large scores overflow.",
        "朴素：按定义取指数并求和。得分大时会溢出。",
    ),
    "algorithm.shifted": (
        "Shifted: the maximum is subtracted first, so that no exponential exceeds 1.",
        "平移：先减去最大值，使指数不超过 1。",
    ),
    "algorithm.division-free": (
        "Division-free: the exponential of one difference. The logarithm of the sum is rounded relative to "
        "the size of the scores, and this error affects every weight.",
        "无除法：只取一次差的指数。和的对数按得分的大小舍入，这个误差会进入每个权重。",
    ),
    "algorithm.online": (
        "Online: maximum and sum in one pass over the keys, where the sum is rescaled whenever the maximum "
        "grows; then as in the shifted algorithm.",
        "在线：一遍扫描同时得到最大值与和，最大值增大时重新缩放和；其余同平移法。",
    ),
    "algorithm.name.naive": ("Naive", "朴素"),
    "algorithm.name.shifted": ("Shifted", "平移"),
    "algorithm.name.division-free": ("Division-free", "无除法"),
    "algorithm.name.online": ("Online", "在线"),
    "float_softmax.errors": (
        "The scores above in each format, rounded after every operation: the largest error of a weight, in "
        "units in the last place of the true weight.",
        "以上得分在各格式中计算，每步都舍入：权重的最大误差，以真值末位为单位。",
    ),
    "float_softmax.verdict": (
        "The error includes the effect of rounding the scores themselves. An algorithm whose weights are "
        "always rounded correctly has errors of at most half a unit; smaller errors occur by chance.",
        "误差包含了得分本身舍入的影响。若权重总是正确舍入，误差至多为半个单位；更小的误差只是偶然。",
    ),
}
