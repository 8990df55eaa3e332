"""What is said of lowered functions and their arguments."""

LOWERING: dict[str, tuple[str, str]] = {
    "no_source": (
        "{node} cannot be lowered to NumPy; use products, sums, transposes and symattn's own nodes",
        "{node} 不能转换为 NumPy 代码；请使用乘积、求和、转置以及 symattn 自带的节点",
    ),
    "size_unknown": (
        "no argument tells what {size} is; use symattn.lower, whose function accepts it",
        "没有参数能说明 {size} 是多少；请用 symattn.lower，其函数可接受该值",
    ),
    "size_is_counter": (
        "{size} counts heads or tokens here; give the size of {name} another letter",
        "{size} 在这里用来数注意力头或词元；请为 {name} 的大小换一个字母",
    ),
    "no_exact_log_sum": (
        "{name} is available for arrays only; ask for steps by their names",
        "{name} 只适用于数组；请按名称要求各步骤",
    ),
    "no_double": ("{number} is too large for a float", "{number} 超出浮点数的范围"),
    "no_array": (
        "{name} is {given}; expected an array of shape (..., rows, columns)",
        "{name} 是 {given}；应为形状 (..., 行, 列) 的数组",
    ),
    "mixed_libraries": (
        "{name} of shape {shape} is an array of {given}; expected one of {expected}, as {first} is",
        "{name}（形状 {shape}）是 {given} 的数组；应与 {first} 一样为 {expected} 的数组",
    ),
    "needs_array_api": (
        'arrays of libraries other than NumPy need the package array-api-compat: pip install "symattn[arrays]"',
        'NumPy 以外的数组需要 array-api-compat：pip install "symattn[arrays]"',
    ),
    "needs_numba": (
        'compiled loops need the package numba: pip install "symattn[compiled]"',
        '编译的循环需要安装 numba：pip install "symattn[compiled]"',
    ),
    "unknown_library": (
        "{given} belongs to no library that array-api-compat knows; expected arrays of NumPy, PyTorch, JAX, "
        "CuPy or Dask",
        "array-api-compat 不认识 {given}；应为 NumPy、PyTorch、JAX、CuPy 或 Dask 的数组",
    ),
    "no_count": (
        "{name} has {node}, whose operations are not counted",
        "{name} 含有 {node}，其运算次数没有统计",
    ),
    "bound.title": (
        "Error bounds: u is half the distance from 1 to the next number, f(k) = (1 + u)^k − 1, "
        "δX bounds the error of X",
        "误差界：u 为 1 到下一个数的距离的一半，f(k) = (1 + u)^k − 1，δX 为 |X 的计算值 − X| 的界",
    ),
    "bound.largest": (
        "The largest bound of each step, every operation rounded:",
        "每一步误差界的最大值（每次运算都舍入）：",
    ),
    "bound.product": (
        "product: δ(AB) = δA |B| + |A| δB + f({count}) |A||B|",
        "乘积：δ(AB) = δA |B| + |A| δB + f({count}) |A||B|",
    ),
    "bound.scaled": (
        "scale: δ(cX) = |c| (δX + f(3) |X|), with |A||B| for |X| where X = AB",
        "缩放：δ(cX) = |c| (δX + f(3) |X|)，X = AB 时 |X| 取 |A||B|",
    ),
    "bound.capped": (
        "cap: δX, 12 c u for tanh, and the roundings of two scales",
        "截断：δX，加上 tanh 的 12 c u，以及两次缩放的舍入",
    ),
    "bound.sum": ("sum: δ(X + Y) = δX + δY + u (|X| + |Y|)", "和：δ(X + Y) = δX + δY + u (|X| + |Y|)"),
    "bound.softmax": (
        "softmax: δA = A (Γ M exp(e) − 1), e = δZ + u (max Z − Z), M = Σ A exp(e) of the row, Γ = (1 − u)^−(m + 4)",
        "softmax：δA = A (Γ M exp(e) − 1)，e = δZ + u (max Z − Z)，M 为该行的 Σ A exp(e)，Γ = (1 − u)^−(m + 4)",
    ),
    "bound.none": ("as before", "同前"),
    "bound.operations": ("entry by entry, every operation and function rounded", "逐项计算，每次运算和函数求值都舍入"),
    "bound.refused": ("no bound is derived", "没有推导误差界"),
    "no_bound": (
        "no error bound is derived for a formula of scores, or a threshold",
        "对得分的公式和阈值没有推导误差界",
    ),
    "no_bound_of": (
        "no error bound is derived for {node}; ask for the function without check",
        "对 {node} 没有推导误差界；请不要使用 check",
    ),
    "no_bound_of_gradients": (
        "no error bound is derived for gradients; ask for the function without check",
        "对梯度没有推导误差界；请不要使用 check",
    ),
    "beyond_bound": (
        "{name}{place} is {apart} from its exact value, more than the bound {bound} of its rounding error",
        "{name}{place} 与精确值相差 {apart}，超过舍入误差的界 {bound}",
    ),
    "numbers_beside_dask": (
        "{name} has one number for each sequence, which Dask arrays do not take; call the function for each sequence",
        "{name} 对每个序列各有一个数，Dask 数组不支持；请对每个序列分别调用",
    ),
    "no_out": (
        "out is {given}; expected a NumPy array of shape {shape}, or a dict of arrays by the names of the outputs",
        "out 是 {given}；应为形状 {shape} 的 NumPy 数组，或以输出名为键的数组字典",
    ),
    "out_shape": ("out of {name} has shape {given}, expected {shape}", "{name} 的 out 形状为 {given}，应为 {shape}"),
    "out_type": (
        "out of {name} is an array of {given}, to which {made} cannot be cast",
        "{name} 的 out 类型为 {given}，{made} 不能转换为它",
    ),
    "out_read_only": ("out of {name} is read-only", "{name} 的 out 是只读数组"),
    "out_name": ("out has {name}; the outputs are {known}", "out 含有 {name}；输出为 {known}"),
    "too_many_arguments": (
        "{count} arrays are too many; the arguments are {known}",
        "给出了 {count} 个数组，过多；参数为 {known}",
    ),
    "unknown_argument": (
        "{name} is not an argument, or is given twice; the arguments are {known}",
        "{name} 不是参数，或给了两次；参数为 {known}",
    ),
    "argument_missing": ("{name} is missing; the arguments are {known}", "缺少 {name}；参数为 {known}"),
}
