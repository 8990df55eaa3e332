"""What is said of exercises: the sheet, the buttons of its page, and the grades."""

# key: (English, Chinese)
EXERCISES: dict[str, tuple[str, str]] = {
    # --- the sheet
    "exercise.title": ("Exercise {number}: attention of {tokens} tokens", "练习 {number}：{tokens} 个词元的注意力"),
    "exercise.key_to": ("Answer key – {title}", "答案——{title}"),
    "exercise.name": ("Name: {line}", "姓名：{line}"),
    "exercise.difficulty": (
        "Difficulty {level} of 3: {products} products of integers, {exponentials} exponentials, {rounded} products "
        "with rounded weights. {root} is {value}, all scores are integers, and in rows with several keys every "
        "weight is below {most}.",
        "难度 {level}（共 3 级）：{products} 次整数乘法、{exponentials} 次指数运算、{rounded} 次含舍入权重的乘法。"
        "{root} 等于 {value}，得分都是整数；有多个键的行中，权重都小于 {most}。",
    ),
    "exercise.how": (
        "Fill in every box. Write integers and fractions exactly (3/2 or 1.5), weights and the numbers computed from "
        "them to {places} decimals, minus infinity as -inf.",
        "请填满每个方框。整数与分数写准确值（3/2 或 1.5），权重及由其算出的数保留 {places} 位小数，负无穷写 -inf。",
    ),
    "exercise.key_how": (
        "Integers and fractions are exact; other numbers are rounded to {places} decimals from their exact values. "
        "With rounded weights the last digit may differ, which counts as right.",
        "整数与分数是准确值；其余由准确值舍入到 {places} 位小数。用舍入后的权重计算时末位可能不同，仍算正确。",
    ),
    # --- its page
    "exercise.box": ("{step}, row {row}, column {column}", "{step}，第 {row} 行第 {column} 列"),
    "exercise.check": ("Check my answers", "检查答案"),
    "exercise.save": ("Save my answers", "保存答案"),
    "exercise.load": ("Load saved answers", "载入答案"),
    "exercise.clear": ("Clear", "清空"),
    "exercise.name_label": ("Name", "姓名"),
    "exercise.score": (
        "{right} right, {wrong} wrong, {empty} empty, of {all}.",
        "对 {right} 个，错 {wrong} 个，空 {empty} 个，共 {all} 个。",
    ),
    "exercise.right": ("right", "正确"),
    "exercise.wrong": ("wrong", "错误"),
    "exercise.few_digits": ("right so far; write more decimals", "目前正确，请多写几位小数"),
    "exercise.unreadable": ("not a number", "不是数"),
    "exercise.not_this_sheet": ("These answers are of another sheet.", "这些答案属于另一张练习。"),
    # --- grades
    "grade.title": ("Grades", "成绩"),
    "grade.of": ("{name}: {right} of {all} right", "{name}：{all} 个中对 {right} 个"),
    "grade.all_right": ("Every number is right.", "每个数都正确。"),
    "grade.nothing": ("No box is filled in.", "没有填写任何方框。"),
    "grade.empty": ("Empty: {count}.", "空 {count} 个。"),
    "grade.unread": ("No numbers, for you to decide: {answers}.", "不是数，请自行判断：{answers}。"),
    "grade.counted": ("{step} ({count})", "{step}（{count} 个）"),
    "grade.printed": ("{step} {place}: {printed}", "{step} {place}：{printed}"),
    "grade.step": ("{name}", "{name}"),
    "grade.step_of_head": ("head_{number}.{step}", "第 {number} 个头的{step}"),
    "grade.step.scores": ("scores", "得分"),
    "grade.step.scaled": ("scaled", "缩放后的得分"),
    "grade.step.masked": ("masked", "加掩码后的得分"),
    "grade.step.weights": ("weights", "注意力权重"),
    "grade.step.output": ("output", "输出"),
    "grade.step.concat": ("concat", "拼接"),
    "grade.step.projection": ("projection", "输出投影"),
    "grade.first": (
        "The first mistake is in {step}, entry {place}: {printed} was answered; {right} is right.",
        "第一个错误在{step}的 {place}：写的是 {printed}，应为 {right}。",
    ),
    "grade.reading": (
        "In {step}, another reading fits {count} of the numbers: {reading}.",
        "{step}中有 {count} 个数符合另一种算法：{reading}。",
    ),
    "grade.wrong_too": (
        "Also wrong, not because of an earlier mistake: {steps}.",
        "另有与前面错误无关的错误：{steps}。",
    ),
    "grade.carried": (
        "Right but for an earlier mistake, and not counted again: {steps}.",
        "由前面错误的数按正确方法算出（不重复扣分）：{steps}。",
    ),
    "grade.name": ("name", "姓名"),
    "grade.right": ("right", "对"),
    "grade.wrong": ("wrong", "错"),
    "grade.follows": ("carried", "连带"),
    "grade.left_empty": ("empty", "空"),
    "grade.first_in": ("first mistake in", "首个错误"),
    "grade.points": ("points", "分数"),
    "grade.points_of": ("Points: {points} of {all}.", "得分 {points}，满分 {all}。"),
    "grade.unreadable": ("unreadable", "无法识别"),
    "grade.mistake": ("kind of mistake", "错误类型"),
    # --- answers that cannot be used
    "answers_suffix": (
        "answers are a worksheet with [claims] (.toml), the filled sheet (.md or .ipynb) or what the page"
        " saved (.json)",
        "答案应为带 [claims] 的工作表（.toml）、填好的练习（.md、.ipynb）或网页保存的文件（.json）",
    ),
    "answers_no_file": (
        "no answers are in this folder (.toml, .md, .ipynb, .json)",
        "这个文件夹里没有答案文件（.toml、.md、.ipynb、.json）",
    ),
    "answers_none": (
        "it contains no answers; fill in the boxes under the headings of the steps",
        "其中没有答案；请填写各步骤下的方框",
    ),
    "answers_other": (
        "these are the answers to another sheet; grade them with the key of that one",
        "这是另一份练习的答案；请用对应的答案工作表评分",
    ),
    "answers_shape": (
        "{step} has {found} answers, its matrix {expected}; keep every row and column, and leave boxes empty",
        "{step} 有 {found} 个答案，而矩阵为 {expected}；请保留所有行列，不会的留空",
    ),
    "answers_notebook": ("not a notebook: {reason}", "不是笔记本：{reason}"),
    "answers_broken": (
        "not answers saved by the page of an exercise: {reason}",
        "不是练习网页保存的答案：{reason}",
    ),
    "key_suffix": (
        "the key is a worksheet (.toml); symattn exercise --key -o key.toml writes it",
        "答案应为工作表（.toml）；可用 symattn exercise --key -o key.toml 写出",
    ),
    "key_symbolic": (
        "the key has no numbers; give the worksheet that symattn exercise --key -o key.toml writes",
        "答案文件没有数值；请使用 symattn exercise --key -o key.toml 写出的工作表",
    ),
}
