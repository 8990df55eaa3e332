"""Whether two matrix expressions are equal for every size: a normal form of their entries as sums of products."""
