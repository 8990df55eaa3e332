"""What theorems say: their titles, the rules of their links, and how these were checked."""

# key: (English, Chinese)
THEOREMS: dict[str, tuple[str, str]] = {
    "theorem.yours": ("A chain of equalities", "等式链"),
    "theorem.shift-invariance": ("Softmax does not see a shift of a row", "softmax 不受整行平移影响"),
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
    "theorem.saturation-bounds": (
        "What the largest weight lacks to 1, by the gap of the two largest scores",
        "最大权重与 1 的差距：由两个最大得分之差界定",
    ),
    "theorem.dot-product-variance": ("The variance of a dot product is its width", "点积的方差等于向量维数"),
    "theorem.rows-of-dS": ("Every row of the gradient of the scores sums to 0", "得分梯度的每行之和为 0"),
    "theorem.query-gradient": ("The gradient of one query", "单个查询的梯度"),
    "theorem.key-bias": ("A bias of the keys has gradient exactly 0", "键的偏置的梯度恰为 0"),
    "theorem.key-bias-unseen": ("Attention does not see a bias of the keys", "注意力不受键的偏置影响"),
    "theorem.permutation-equivariance": (
        "Permuted queries permute the output; permuted keys change nothing",
        "查询换序则输出同样换序；键值换序则结果不变",
    ),
    "theorem.concat-is-sum": ("Concatenation and projection are a sum over the heads", "拼接再投影等于对各头求和"),
    "theorem.cached-row": (
        "A row of causal attention is one step with a key/value cache",
        "因果注意力的一行就是使用键值缓存的一步",
    ),
    "theorem.block-merging": (
        "Two blocks of keys are merged by their outputs and their sums",
        "两块键的结果可由各自的输出与指数和合并",
    ),
    "theorem.online-softmax": ("Online softmax: one more key", "在线 softmax：再加一个键"),
    "theorem.rotary-difference": (
        "Rotary embedding sees the difference of positions alone",
        "旋转位置编码只与位置之差有关",
    ),
    "theorem.linear-attention": ("Linear attention needs no matrix of scores", "线性注意力不需要得分矩阵"),
    "theorem.latent-absorption": (
        "Latent attention: projections of keys and values are absorbed",
        "潜在注意力：键和值的投影可以被吸收",
    ),
    "theorem.softmax-off-by-one": (
        "Softmax off by one is one more key of score 0 and value 0",
        "分母加一的 softmax 等于多一个得分与值均为 0 的键",
    ),
    "theorem.value-gradient": ("The gradient of the values, as articles print it, holds", "文章中值的梯度公式成立"),
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
    # --- rules
    "rule.stated": ("As stated,", "如所述，"),
    "rule.softmax": ("Softmax is exponentials over their row sums:", "softmax 是指数除以该行之和："),
    "rule.exponential": (
        "The exponential of a difference is a product, so that every row has a factor of its own:",
        "差的指数是乘积，因此每行提出一个各自的因子：",
    ),
    "rule.row_sum": ("A factor of a row is a factor of its sum:", "行的因子也是行和的因子："),
    "rule.cancel": ("A factor above and below the line cancels:", "分子分母的公因子约去："),
    "rule.transpose": (
        "A product is transposed factor by factor, in reverse order:",
        "乘积的转置等于各因子转置后反序相乘：",
    ),
    "rule.permuted": (
        "Softmax works on each row by itself and on its entries alike, so that permutations move out:",
        "softmax 对每行独立、对各元素一视同仁，因此置换可以移到外面：",
    ),
    "rule.orthogonal": ("A permutation or a rotation times its transpose is 1:", "置换或旋转乘以其转置等于 1："),
    "rule.blocks": (
        "A row of blocks times a column of blocks is the sum of their products:",
        "分块行乘分块列等于各块乘积之和：",
    ),
    "rule.row_of_product": (
        "A row of a product is that row of the first factor times the second:",
        "乘积的某行等于第一个因子的该行乘第二个因子：",
    ),
    "rule.hidden": (
        "A hidden key has weight 0, and softmax of the others is taken among themselves:",
        "被隐藏的键权重为 0，softmax 只在其余键之间进行：",
    ),
    "rule.zeros": ("What is multiplied by 0 drops out:", "与 0 相乘的部分消失："),
    "rule.softmax_back": (
        "The exponentials of a block are its row sums times its own softmax:",
        "一块的指数等于其行和乘以该块自身的 softmax：",
    ),
    "rule.reference": (
        "Any reference may be subtracted from a row, since softmax does not see a shift:",
        "softmax 不受平移影响，因此可以从整行减去任何参考值：",
    ),
    "rule.rescale": (
        "Another reference is one factor for all that was summed so far:",
        "换参考值只是给已累加的部分乘一个因子：",
    ),
    "rule.powers": ("Powers of one rotation add up:", "同一旋转的幂次相加："),
    "rule.sum_of_rows": (
        "The factors are the weights of one value, and this is the sum that is printed:",
        "系数正是同一个值的各个权重，这就是文章中的求和：",
    ),
    "rule.associative": ("Products may be taken in another order:", "乘法可以换结合次序："),
    "rule.weights_sum": ("The weights of a row sum to 1:", "一行权重之和为 1："),
    "rule.difference": ("What is subtracted from itself is 0:", "自身相减为 0："),
    "rule.column_sum": (
        "Sums over the rows of a product are sums of its first factor:",
        "对乘积各行求和等于先对第一个因子求和：",
    ),
    "rule.rows_of_dS": ("The rows of the gradient of the scores sum to 0:", "得分梯度的每行之和为 0："),
    "rule.product_of_sum": (
        "The product with a sum is the sum of the products: the bias adds one number to a whole row.",
        "与和相乘等于乘积之和：偏置给整行加同一个数。",
    ),
    "rule.shift": ("Softmax does not see a shift of a row:", "softmax 不受整行平移影响："),
    "rule.chain": ("With what the short names stand for,", "代入简写，"),
    "where": ("In short,", "简写为"),
    "rule.distribute": ("Multiplied out,", "乘开，"),
    "rule.diagonal": (
        "Entrywise multiplication of a row is multiplication by a diagonal matrix; a sum of products is a dot product:",
        "行的逐元素相乘等于乘以对角矩阵；乘积之和就是点积：",
    ),
    "rule.factor_out": (
        "The common factor is taken out: the Jacobian of softmax.",
        "提出公因子：得到 softmax 的雅可比矩阵。",
    ),
    "printed_as": ("Articles print", "文章中写作"),
    "rule.claimed": (
        "Two rows have no product. Read entry by entry, the one reading whose sizes fit (and only where values are as "
        "wide as keys), the formula is what stands on the right; on the left is the gradient:",
        "两个行向量不能相乘。只有逐元素理解大小才相符（且要求值与键同宽）：此时右边是该公式，左边是真正的梯度：",
    ),
    "rule.quotient": ("By the quotient rule,", "由商的求导法则，"),
    "rule.weights": ("With the weights themselves,", "写成权重，"),
    "rule.commute": ("Factors may change places:", "因子可以交换："),
    "rule.variance": (
        "The mean of the squares less the square of the mean is the mean of the squared differences, "
        "since the weights sum to 1:",
        "权重之和为 1，因此平方的均值减去均值的平方等于偏差平方的均值：",
    ),
    "rule.squares": ("Weights and squares are never negative:", "权重与平方都不为负："),
    "rule.two_largest": (
        "With the scores in falling order; keys beyond the second only take from the largest weight:",
        "设得分从大到小排列；第二个以后的键只会减小最大权重：",
    ),
    "rule.others_below": ("No other key has more than the second:", "其余的键都不超过第二个："),
    "rule.independent": (
        "The square is a double sum, and the expectation of a product of independent numbers is that of each:",
        "平方是二重和；相互独立的数之积的期望等于期望之积：",
    ),
    "rule.mean_zero": (
        "Different components are independent and have mean 0, so that only equal pairs are left:",
        "不同分量独立且均值为 0，只剩相同的下标：",
    ),
    "rule.variance_one": ("Every component has variance 1:", "每个分量的方差为 1："),
    # --- the same where tokens are columns
    "theorem.shift-invariance.columns": ("Softmax does not see a shift of a column", "softmax 不受整列平移影响"),
    "theorem.rows-of-dS.columns": (
        "Every column of the gradient of the scores sums to 0",
        "得分梯度的每列之和为 0",
    ),
    "theorem.cached-row.columns": (
        "A column of causal attention is one step with a key/value cache",
        "因果注意力的一列就是使用键值缓存的一步",
    ),
    "rule.softmax.columns": ("Softmax is exponentials over their column sums:", "softmax 是指数除以该列之和："),
    "rule.exponential.columns": (
        "The exponential of a difference is a product, so that every column has a factor of its own:",
        "差的指数是乘积，因此每列提出一个各自的因子：",
    ),
    "rule.row_sum.columns": ("A factor of a column is a factor of its sum:", "列的因子也是列和的因子："),
    "rule.permuted.columns": (
        "Softmax works on each column by itself and on its entries alike, so that permutations move out:",
        "softmax 对每列独立、对各元素一视同仁，因此置换可以移到外面：",
    ),
    "rule.row_of_product.columns": (
        "A column of a product is the first factor times that column of the second:",
        "乘积的某列等于第一个因子乘第二个因子的该列：",
    ),
    "rule.softmax_back.columns": (
        "The exponentials of a block are its own softmax times its column sums:",
        "一块的指数等于该块自身的 softmax 乘以其列和：",
    ),
    "rule.reference.columns": (
        "Any reference may be subtracted from a column, since softmax does not see a shift:",
        "softmax 不受平移影响，因此可以从整列减去任何参考值：",
    ),
    "rule.weights_sum.columns": ("The weights of a column sum to 1:", "一列权重之和为 1："),
    "rule.column_sum.columns": (
        "Sums over the columns of a product are sums of its last factor:",
        "对乘积各列求和等于先对最后一个因子求和：",
    ),
    "rule.rows_of_dS.columns": ("The columns of the gradient of the scores sum to 0:", "得分梯度的每列之和为 0："),
    "rule.product_of_sum.columns": (
        "The product with a sum is the sum of the products: the bias adds one number to a whole column.",
        "与和相乘等于乘积之和：偏置给整列加同一个数。",
    ),
    "rule.shift.columns": ("Softmax does not see a shift of a column:", "softmax 不受整列平移影响："),
    "rule.diagonal.columns": (
        "Entrywise multiplication of a column is multiplication by a diagonal matrix; a sum of products is a dot "
        "product:",
        "列的逐元素相乘等于乘以对角矩阵；乘积之和就是点积：",
    ),
    "rule.claimed.columns": (
        "Two columns have no product. Read entry by entry, the one reading whose sizes fit (and only where values are "
        "as wide as keys), the formula is what stands on the right; on the left is the gradient:",
        "两个列向量不能相乘。只有逐元素理解大小才相符（且要求值与键同宽）：此时右边是该公式，左边是真正的梯度：",
    ),
    # --- checks
    "checked.symbolic": (
        "Checked symbolically, whatever the number of keys: the exponentials and their sums are free numbers, of which "
        "both sides of every equation are the same rational function.",
        "已符号验证，对任意键数成立：把指数及其和视为自由的数，每个等式两边是它们的同一个有理函数。",
    ),
    "checked.points": (
        "Checked exactly at {points} random points, for {cases}; that an equation which fails for these sizes would "
        "pass has a probability of at most {chance}.",
        "已在 {points} 个随机点上精确验证，所取大小为 {cases}；在这些大小下不成立的等式通过验证的概率不超过 {chance}。",
    ),
    "checked.expectation": (
        "Checked symbolically, whatever the width: the expectation of a product depends on which of its indices are "
        "equal alone, and the sums are polynomials in the width.",
        "已符号验证，对任意维数成立：乘积的期望只取决于哪些下标相等，各个和是维数的多项式。",
    ),
    "checked.bound": (
        "The inequality is checked symbolically, whatever the number of keys: the difference of its sides is a "
        "quotient of polynomials in positive numbers without negative coefficients, or a sum of weights times squares.",
        "不等式已符号验证，对任意键数成立：两边之差是正数的、没有负系数的多项式之商，或是权重与平方之积的和。",
    ),
    "refuted": ("It does not hold. A counterexample, with {sizes}:", "该式不成立。反例（{sizes}）："),
    "refuted.sides": ("There the two sides are", "此时两边分别为"),
    "no_such_theorem": (
        '"{given}" is no theorem that ships; those that do: {known}',
        "没有名为“{given}”的内置定理；内置定理有：{known}",
    ),
    "not_decided": (
        "this equality cannot be decided exactly; use products, sums, softmax and exponentials",
        "无法精确判定该等式；请使用乘积、和、softmax 与指数",
    ),
}
