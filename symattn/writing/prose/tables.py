"""What is said of shapes and costs: the heads of their tables, what is counted, what follows."""

# key: (English, Chinese)
TABLES: dict[str, tuple[str, str]] = {
    "title.shapes": ("Shapes", "形状"),
    "title.costs": ("Costs", "计算量与参数量"),
    "formula_of": ("Formula: {name}", "公式：{name}"),
    "table_of": ("Table: {name}", "表：{name}"),
    "figure_of": ("Figure: {name}", "图：{name}"),
    "listed": ("{first}, {second}", "{first}、{second}"),
    "quoted_row": ("“{name}” (token {number})", "“{name}”（词元 {number}）"),
    "unquoted_row": ("{name} (token {number})", "{name}（词元 {number}）"),
    "quoted": ("“{name}”", "“{name}”"),
    "table.array": ("Array", "数组"),
    "table.shape": ("Shape", "形状"),
    "table.numbers": ("In numbers", "数值"),
    "table.sizes": ("Here {sizes}.", "这里 {sizes}。"),
    "table.step": ("Step", "步骤"),
    "table.in_all": (
        "Total",
        "总计",
    ),
    # --- shapes
    "shapes.rows": (
        "The last two axes of an array are its rows and columns.",
        "数组的最后两个轴是行与列。",
    ),
    "shapes.heads": (
        "Arrays that each head has of its own have an axis of {heads} heads before these.",
        "各个头自有的数组，在行与列之前还有一个长为 {heads} 的头轴。",
    ),
    "shapes.kv_heads": (
        "Keys and values, which groups of heads share, have an axis of {heads} there.",
        "键与值由各组头共用，它们的头轴长为 {heads}。",
    ),
    "shapes.batch": (
        "The first axis of everything that depends on the sequences is the batch of {batch} sequences; "
        "parameters are shared by all of them and do not have this axis.",
        "凡与序列有关的数组，第一个轴是含 {batch} 个序列的批次；参数由所有序列共用，没有这个轴。",
    ),
    "shapes.split": ("{array}, split into heads", "{array}，按头拆分"),
    "shapes.merged": ("{array}, heads after tokens", "{array}，头轴移到词元之后"),
    "shapes.widths": (
        "Columns of {arrays} for all heads together: {wide}, of which each head has {narrow}.",
        "所有头合计，{arrays} 有 {wide} 列，每个头占 {narrow} 列。",
    ),
    "shapes.views": (
        "Splitting, merging and transposing only rearrange the axes; no number changes.",
        "拆分、合并与转置只重排各轴，不改变任何数。",
    ),
    # --- costs
    "costs.counted": (
        "The calculation is counted as written, for all heads and sequences together: every matrix product in "
        "full, where a multiplication and the addition that accumulates it are one multiply-add, or two "
        "FLOPs.",
        "按照写出的公式计数，所有头与序列合计：矩阵乘积全部计算，一次乘法连同其累加算一次乘加，即两次浮点运算。",
    ),
    "costs.other": (
        "Elementwise operations are the additions, multiplications and comparisons outside these products; "
        "the last column is the number of entries of the result.",
        "逐元素运算是矩阵乘积之外的加法、乘法和比较；最后一列是结果所含数的个数。",
    ),
    "costs.sum_again": (
        "The sum over the heads computes the output projection a second time and is not counted.",
        "对各个头求和只是把输出投影再算一遍，不计入。",
    ),
    "costs.in_numbers": ("With these sizes, in numbers:", "代入这些大小，得："),
    "costs.parameters": ("Parameters", "参数"),
    "costs.multiply_adds": ("Multiply-adds", "乘加"),
    "costs.flops": ("FLOPs", "浮点运算"),
    "costs.exponentials": ("Exponentials", "指数"),
    "costs.divisions": ("Divisions", "除法"),
    "costs.elementwise": ("Elementwise", "逐元素运算"),
    "costs.numbers": (
        "Entries",
        "元素个数",
    ),
    "costs.cache": ("KV cache", "键值缓存"),
    "costs.none": ("not counted", "未计"),
    "costs.amount": ("Amount", "数量"),
    "costs.heads": ("{heads} heads", "{heads} 个头"),
    "costs.one_head": ("One wide head", "一个宽头"),
    "costs.kv_heads": ("{heads} key/value heads", "{heads} 个键值头"),
    "costs.left_out": ("{step} ({node})", "{step}（{node}）"),
    "costs.not_counted": (
        "There is no rule for counting {names}; neither the table nor the total includes them.",
        "对 {names} 没有计数规则：表中与总计都未计入。",
    ),
    "costs.kept": (
        "Of the {scores} scores of a head the mask keeps {kept}; an implementation that skips the others "
        "needs to compute only these.",
        "每个头的 {scores} 个得分中，掩码保留 {kept} 个；跳过其余得分的算法只需计算这些。",
    ),
    "costs.equal": ("These are exactly equal, as polynomials: {kinds}.", "以下各项作为多项式完全相等：{kinds}。"),
    "costs.ratio": (
        "{kinds}: {ratio} times as many as in the other column.",
        "{kinds}：是另一栏的 {ratio} 倍。",
    ),
    "costs.more": (
        "{kind}: {count} more than in the other column.",
        "{kind}：比另一栏多 {count}。",
    ),
    "costs.fewer": (
        "{kind}: {count} fewer than in the other column.",
        "{kind}：比另一栏少 {count}。",
    ),
    "costs.unnamed": (
        "Matrices that are written as numbers in the formulas are not counted as parameters.",
        "直接以数字写入公式的矩阵没有计入参数。",
    ),
    "costs.same": (
        "Several heads therefore have exactly as many parameters and products as one head of their total "
        "width, not just approximately as many; the exponentials, divisions and other elementwise operations "
        "of softmax grow with the number of heads.",
        "因此，多个头的参数量和乘积计算量与一个同样总宽的头完全相同，而不只是大致相当；随头数增长的是 softmax "
        "中的指数、除法等逐元素运算。",
    ),
    "costs.without_mixing": (
        "The matrices of the heads are the columns of the wide ones and add no parameter; "
        "one head without {matrix} has {count} of them.",
        "各头的矩阵就是宽矩阵的各列，并不增加参数；一个头若不用 {matrix}，参数为 {count}。",
    ),
    # --- what is stated of sizes
    "no_such_size": (
        '"{name}" is not a size here; the sizes are {known}',
        "这里没有大小“{name}”；可用的大小：{known}",
    ),
    "size_known": (
        "{name} is {known} already, by the values of the inputs",
        "由输入的值，{name} 已经是 {known}",
    ),
    "bad_size": (
        '"{given}" is not a size; write a whole number from 1, or a formula such as "d_model/h"',
        '“{given}”不是大小；请写从 1 起的整数，或 "d_model/h" 这样的公式',
    ),
    "size_of_sizes": (
        "the formula for {name} names a size that has a formula itself; write it in other sizes",
        "{name} 的公式用到了另一个由公式给出的大小；请改用别的大小来写",
    ),
    "size_not_whole": (
        "{name} would be {value}; a size is a whole number from 1",
        "{name} 将等于 {value}；大小必须是从 1 起的整数",
    ),
    "bad_batch": (
        '"{given}" is not a valid batch; write a whole number from 1, or a name that no other size has, such as "b"',
        '“{given}”不能作为批次；请写从 1 起的整数，或未被其他大小占用的名字，例如 "b"',
    ),
}
