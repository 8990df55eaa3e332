"""What is said of precision: saturated rows, what float formats leave of weights, thresholds."""

# key: (English, Chinese)
PRECISION: dict[str, tuple[str, str]] = {
    "no_weights": (
        "there are no attention weights to measure; give an expression with a softmax",
        "没有可以度量的注意力权重；请给出带 softmax 的表达式",
    ),
    "and_last": ("{first} and {last}", "{first} 和 {last}"),
    # --- a remark beside the weights
    "saturated.row": (
        "Saturated: {to} receives all but {rest} of the attention of {row}.",
        "饱和：{row} 的注意力中，{to} 几乎占了全部，其余各键合计只有 {rest}。",
    ),
    "saturated.key": ("key {number}", "键 {number}"),
    "saturated.query": ("query {number}", "查询 {number}"),
    "saturated.rows": (
        "Saturated: each of {rows} gives all but at most {rest} of its attention to a single key.",
        "饱和：{rows} 各自把几乎全部的注意力给了一个键，余下的至多为 {rest}。",
    ),
    "saturated.dead": (
        "In {formats} what remains is exactly {row}: every entry of the Jacobian of softmax is 0, and no "
        "gradient reaches the scores.",
        "在 {formats} 中结果恰为 {row}：softmax 雅可比矩阵的元素全为 0，没有梯度能传到得分。",
    ),
    "one_hot": ("a single 1 among zeros", "一个 1，其余全为 0"),
    "saturated.one": (
        "In {formats} the largest weight is exactly 1, though the others are not yet 0.",
        "在 {formats} 中最大的权重恰好为 1，尽管其余权重还不为 0。",
    ),
    "saturated.told": (
        "Only {formats} can still distinguish it from 1.",
        "只有 {formats} 还能把它与 1 区分开。",
    ),
    "saturated.places": (
        "It takes {places} decimal places to see that the row is not one-hot.",
        "要写到小数点后 {places} 位，才能看出这一行不是独热的。",
    ),
    # --- tables
    "saturation.title": ("What softmax loses", "softmax 丢失了什么"),
    "saturation.head_row": ("head {head}: {row}", "头 {head}：{row}"),
    "saturation.part_row": ("{part}: {row}", "{part}：{row}"),
    "saturation.row": ("Row", "行"),
    "saturation.gap": ("Gap", "间隔"),
    "saturation.entropy": ("Entropy", "熵"),
    "saturation.places": ("Places", "小数位"),
    "saturation.format": ("Format", "格式"),
    "saturation.of_row": ("Row {row}", "行 {row}"),
    "saturation.legend": (
        "The gap is the largest score of a row minus the second largest; {largest} is the largest weight; the "
        "entropy is in nats; {norm} is the largest sum of absolute values in a row of {jacobian}, through "
        "which every gradient to the scores passes; the last column is the number of decimal places needed to "
        "distinguish the row from a one-hot one.",
        "间隔是一行中最大得分与次大得分之差；{largest} 是最大的权重；熵以纳特为单位；{norm} 是 {jacobian} "
        "各行绝对值之和的最大值，传到得分的梯度都要经过它；最后一列是区分该行与独热行所需的小数位数。",
    ),
    "saturation.formats": (
        "The weights, rounded once to each format, which is the best that any algorithm can achieve:",
        "把权重只舍入一次到各个格式（任何算法至多做到这样）：",
    ),
    "saturation.more": (
        "The {count} most saturated of {all} rows are shown.",
        "共 {all} 行，只列出最饱和的 {count} 行。",
    ),
    "ranking.title": ("The most saturated rows", "最饱和的行"),
    "ranking.said": (
        "{heads} heads with {rows} rows in total; ranked in float64 with a bound on the error; {decided} rows "
        "near a threshold were decided by enclosures.",
        "共 {heads} 个头、{rows} 行；以带误差界的 float64 排序，阈值附近的 {decided} 行由区间判定。",
    ),
    "ranking.losses": ("Over all rows", "所有行中"),
    "ranking.ones": ("Rows whose largest weight is 1", "最大权重为 1 的行"),
    "ranking.dead": ("Rows without gradient", "没有梯度的行"),
    "ranking.heads": ("Head by head, by the smallest {rest} of its rows", "各头，按其各行最小的 {rest} 排序"),
    "ranking.head": ("Head", "头"),
    "ranking.column": ("Key", "键"),
    "ranking.median": ("Median", "中位数"),
    "ranking.smallest": ("Smallest", "最小"),
    # --- figures
    "figure.factor": ("factor on the scores (1: as given)", "得分的倍数（1：原样）"),
    "figure.rest": ("1 − largest weight", "1 − 最大权重"),
    "figure.key": ("key", "键"),
    "figure.query": ("query", "查询"),
    "figure.weight": ("weight, from 0 to 1", "权重（0 到 1）"),
    "figure.scale.said": (
        "What the largest weight leaves to the others decreases exponentially as the scores are multiplied; "
        "the gap is {gap} at factor 1. The largest weight rounds to 1 from these factors on: {thresholds}.",
        "得分乘以倍数时，最大权重留给其余的部分按指数下降；倍数为 1 时间隔为 {gap}。"
        "从以下倍数起最大权重舍入为 1：{thresholds}。",
    ),
    "figure.weights.said": (
        "A table of {rows} by {columns} attention weights, darker for larger ones, each with its value.",
        "{rows} 行 {columns} 列的注意力权重，越大越深，并标出数值。",
    ),
    "figure.heads.said": (
        "1 minus the largest weight for {heads} heads, the smallest and the median of each head's rows; head {head} "
        "comes lowest, with {rest}.",
        "{heads} 个头的 1 减最大权重，取各头各行的最小值与中位数；头 {head} 最低，为 {rest}。",
    ),
    "held.all": (
        "none lost",
        "没有丢失",
    ),
    "held.some": (
        "entries that become 0: {count}",
        "变为 0 的元素：{count} 个",
    ),
    "held.one": (
        "entry {column} is 1",
        "第 {column} 个为 1",
    ),
    "held.one_some": (
        "entry {column} is 1, some are 0",
        "第 {column} 个为 1，有些为 0",
    ),
    "held.one_hot": (
        "entry {column} is 1, the rest 0",
        "第 {column} 个为 1，其余为 0",
    ),
    "held.nothing": ("all are 0", "全部为 0"),
    "held.broken": ("overflow", "溢出"),
    "threshold.zero": ("Smaller is 0", "较小者为 0"),
    "threshold.one": ("Larger is 1", "较大者为 1"),
    "threshold.computed_one": ("Computed 1", "计算得 1"),
    "threshold.overflow": ("Overflow", "溢出"),
    "thresholds.said": (
        "With two keys everything depends on the gap {gap} of the scores: the weights are {small} and "
        "{large}. A format of precision {p} (hidden bit included), with smallest positive number {smallest} "
        "and largest number {most} (plus half a unit in its last place), rounds the smaller weight to 0 from "
        "{zero} on and the larger to 1 from {one} on; computed as {computed}, the larger is 1 already from "
        "{early} on; and without subtracting the maximum first, {power} overflows from {over} on.",
        "两个键时一切取决于得分的间隔 {gap}：权重为 {small} 和 {large}。设格式的精度为 {p}（含隐藏位），"
        "最小正数为 {smallest}，最大数（加上末位单位的一半）为 {most}：从 {zero} 起较小者舍入为 0，从 {one} "
        "起较大者舍入为 1；若按 {computed} 计算，从 {early} 起较大者就已为 1；若不先减去最大值，{power} 从 "
        "{over} 起溢出。",
    ),
}
