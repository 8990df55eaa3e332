"""Scores by relative position."""

# key: (English, Chinese)
POSITIONS: dict[str, tuple[str, str]] = {
    "title.position_keys": ("Keys of relative positions", "相对位置的键"),
    "title.position_queries": ("Queries of relative positions", "相对位置的查询"),
    "title.position_values": ("Values of relative positions", "相对位置的值"),
    "title.with_content": ("Queries for contents", "用于内容的查询"),
    "title.with_position": ("Queries for positions", "用于位置的查询"),
    "title.met": ("{operand} against relative positions", "{operand} 与相对位置的得分"),
    "title.placed": ("Scores by relative position", "按相对位置的得分"),
    "title.related": ("Scores with relative positions", "含相对位置的得分"),
    "title.bucket_weights": ("Weights of relative positions", "相对位置的权重"),
    "step.distance.table.behind": (
        "The score of query {i} and key {j} gets the number of {table} for the bucket {b} of the distance {distance}: "
        "the first for distances below the first of {starts}, the next for those from there on, and so on.",
        "查询 {i} 与键 {j} 的得分加上 {table} 中与距离 {distance} 所在的桶 {b} 对应的数："
        "距离小于 {starts} 中第一个数时取第一个，"
        "从该数起取下一个，依此类推。",
    ),
    "step.distance.table.both": (
        "The score of query {i} and key {j} gets the number of {table} for the bucket {b} of the distance {distance}: "
        "the first for distances below the first of {starts}, the next for those from there on, and so on; negative "
        "ones have the second half of the numbers in the same way.",
        "查询 {i} 与键 {j} 的得分加上 {table} 中与距离 {distance} 所在的桶 {b} 对应的数："
        "距离小于 {starts} 中第一个数时取第一个，"
        "从该数起取下一个，依此类推；负距离以同样方式取后一半的数。",
    ),
    "step.distance.table.clipped": (
        "The score of query {i} and key {j} gets the number of {table} for the bucket {b} of the distance {distance}: "
        "the first for {first} and less, one for each distance from there on, the last for {last} and more.",
        "查询 {i} 与键 {j} 的得分加上 {table} 中与距离 {distance} 所在的桶 {b} 对应的数："
        "距离不超过 {first} 时取第一个，此后每个距离一个，距离不小于 {last} 时取最后一个。",
    ),
    "step.distance.table.window": (
        "The score of query {i} and key {j} gets the number of {table} for the bucket {b} of the distances, down and "
        "across, of the two tokens in a window of {height} × {width}, whose rows stand one after another.",
        "查询 {i} 与键 {j} 的得分加上 {table} 中与两个词元在 {height} × {width} 窗口内的纵横距离"
        "所在的桶 {b} 对应的数，窗口按行依次排列。",
    ),
    "step.distance.table.down": (
        "The score of query {i} and key {j} gets the number of {table} for the bucket {b} of the distance down of the "
        "two tokens in a window of {height} × {width}, whose rows stand one after another.",
        "查询 {i} 与键 {j} 的得分加上 {table} 中与两个词元在 {height} × {width} 窗口内的纵向距离"
        "所在的桶 {b} 对应的数，窗口按行依次排列。",
    ),
    "step.distance.table.across": (
        "The score of query {i} and key {j} gets the number of {table} for the bucket {b} of the distance across "
        "of the two tokens in a window of {height} × {width}, whose rows stand one after another.",
        "查询 {i} 与键 {j} 的得分加上 {table} 中与两个词元在 {height} × {width} 窗口内的横向距离"
        "所在的桶 {b} 对应的数，窗口按行依次排列。",
    ),
    "step.position_keys": (
        "The keys of relative positions: a ‹row› for each bucket.",
        "相对位置的键：每个桶一‹行›。",
    ),
    "step.position_queries": (
        "The queries of relative positions: a ‹row› for each bucket.",
        "相对位置的查询：每个桶一‹行›。",
    ),
    "step.position_values": (
        "The values of relative positions: a ‹row› for each bucket.",
        "相对位置的值：每个桶一‹行›。",
    ),
    "step.with_content": (
        "A learned ‹row› is added to every query, for its scores against keys.",
        "每个查询加上一个可学习的‹行›，用于与键的得分。",
    ),
    "step.with_position": (
        "Another learned ‹row› is added to every query, for its scores against positions.",
        "每个查询加上另一个可学习的‹行›，用于与位置的得分。",
    ),
    "step.met": (
        "Every ‹row› is scored against every relative position.",
        "每一‹行›与每个相对位置计算得分。",
    ),
    "step.placed.behind": (
        "‹Row› {i} of {table} has a number for every bucket; ‹column› {j} takes that of the bucket {b} of the distance "
        "{distance}: "
        "the first for distances below the first of {starts}, the next for those from there on, and so on.",
        "{table} 第 {i} ‹行›每个桶有一个数；第 {j} ‹列›取与距离 {distance} 所在的桶 {b} 对应的数："
        "距离小于 {starts} 中第一个数时取第一个，从该数起取下一个，依此类推。",
    ),
    "step.placed.both": (
        "‹Row› {i} of {table} has a number for every bucket; ‹column› {j} takes that of the bucket {b} of the distance "
        "{distance}: "
        "the first for distances below the first of {starts}, the next for those from there on, and so on; negative "
        "ones have the second half of the numbers in the same way.",
        "{table} 第 {i} ‹行›每个桶有一个数；第 {j} ‹列›取与距离 {distance} 所在的桶 {b} 对应的数："
        "距离小于 {starts} 中第一个数时取第一个，从该数起取下一个，依此类推；负距离以同样方式取后一半的数。",
    ),
    "step.placed.clipped": (
        "‹Row› {i} of {table} has a number for every bucket; ‹column› {j} takes that of the bucket {b} of the distance "
        "{distance}: "
        "the first for {first} and less, one for each distance from there on, the last for {last} and more.",
        "{table} 第 {i} ‹行›每个桶有一个数；第 {j} ‹列›取与距离 {distance} 所在的桶 {b} 对应的数："
        "距离不超过 {first} 时取第一个，此后每个距离一个，距离不小于 {last} 时取最后一个。",
    ),
    "step.placed.window": (
        "‹Row› {i} of {table} has a number for every bucket; ‹column› {j} takes that of the bucket {b} of the "
        "distances, down and across, of the two tokens in a window of {height} × {width}, whose rows stand one after "
        "another.",
        "{table} 第 {i} ‹行›每个桶有一个数；第 {j} ‹列›取与两个词元在 {height} × {width} 窗口内的纵横距离"
        "所在的桶 {b} 对应的数，窗口按行依次排列。",
    ),
    "step.placed.down": (
        "‹Row› {i} of {table} has a number for every bucket; ‹column› {j} takes that of the bucket {b} of the distance "
        "down of the two tokens in a window of {height} × {width}, whose rows stand one after another.",
        "{table} 第 {i} ‹行›每个桶有一个数；第 {j} ‹列›取与两个词元在 {height} × {width} 窗口内的纵向距离"
        "所在的桶 {b} 对应的数，窗口按行依次排列。",
    ),
    "step.placed.across": (
        "‹Row› {i} of {table} has a number for every bucket; ‹column› {j} takes that of the bucket {b} of the distance "
        "across of the two tokens in a window of {height} × {width}, whose rows stand one after another.",
        "{table} 第 {i} ‹行›每个桶有一个数；第 {j} ‹列›取与两个词元在 {height} × {width} 窗口内的横向距离"
        "所在的桶 {b} 对应的数，窗口按行依次排列。",
    ),
    "step.related": (
        "Scores by relative position are added to those of the contents.",
        "内容得分加上相对位置的得分。",
    ),
    "step.bucket_weights": (
        "The weights of each query, summed over the keys of every bucket: what it looks at of each relative position.",
        "每个查询的权重按桶对键求和：它对每个相对位置的关注。",
    ),
    "step.output.positions": (
        "The output of query {i} is a weighted average of the values and of those of their relative positions.",
        "查询 {i} 的输出是各值及其相对位置的值的加权平均。",
    ),
    "bad_buckets": (
        "{given} are no buckets; write t5_buckets(32), DistanceBuckets((1, 2, 4)) or GridBuckets(7, 7)",
        "{given} 不是桶；请写 t5_buckets(32)、DistanceBuckets((1, 2, 4)) 或 GridBuckets(7, 7)",
    ),
    "bad_bucket_count": (
        "{given} is no number of buckets; write a whole number from 3 to 10000",
        "{given} 不能作为桶的个数；请写 3 到 10000 的整数",
    ),
    "bad_log_buckets": (
        "{count} buckets for distances up to {distance} cannot be made; a multiple of 4 from 8 on can, with a distance "
        "above a quarter of it and 1",
        "不能把不超过 {distance} 的距离分成 {count} 个桶；需要不小于 8 的 4 的倍数，且距离大于它的四分之一加 1",
    ),
    "no_positions": (
        "relative positions have neither keys nor queries nor values; give a table for one of them",
        "相对位置既没有键，也没有查询和值；请至少给出其中一个表",
    ),
    "position_alone": (
        "a row for scores against positions is of no use without keys of positions",
        "没有位置的键时，用于位置得分的行没有作用",
    ),
    "bad_window_axis": (
        "{given} is no axis of a window; write 0 for distances down or 1 for those across",
        "{given} 不是窗口的轴；请写 0（纵向距离）或 1（横向距离）",
    ),
    "bad_window": (
        "a window of {given} cannot be used; its sides are whole numbers from 1 on",
        "{given} 的窗口不能使用；两边须为不小于 1 的整数",
    ),
    "bad_t5_buckets": (
        "{count} buckets for distances up to {distance} cannot be made; an even number of at least 4 can, with a "
        "distance above a quarter of it; in one direction, any number of at least 2, and a distance above its half",
        "不能把不超过 {distance} 的距离分成 {count} 个桶；"
        "需要不少于 4 的偶数，且距离大于它的四分之一；单向时为不少于 2 的整数，且距离大于它的一半",
    ),
    "bad_relative": (
        "a relative bias is {{ table = ..., distance = 128, both = true, offset = 0 }} or "
        "{{ table = ..., window = [7, 7] }}, its table with a row for each bucket and a column for each head; what "
        "queries and keys score against positions is {{ keys = ..., queries = ..., values = ... }}, with a row for "
        'each bucket, by buckets = "clipped", or "log" or "t5" with a distance',
        "相对位置偏置写作 {{ table = ..., distance = 128, both = true, offset = 0 }} 或 "
        "{{ table = ..., window = [7, 7] }}，表中每个桶一行、每个头一列；"
        "查询和键与位置的得分写作 {{ keys = ..., queries = ..., values = ... }}，每个桶一行，"
        '桶为 buckets = "clipped"，或给出 distance 的 "log"、"t5"',
    ),
}
