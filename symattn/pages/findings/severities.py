"""What the problems of an article are called in reviews and editors, how severe each is, and what it says."""

RULES = (
    ("wrong", "error", "review.wrong"),
    ("carried", "warning", "review.carried"),
    ("last-digit", "warning", "review.last-digit"),
    ("formula", "error", "review.formula"),
)
SEVERITIES = {rule: severity for rule, severity, _ in RULES}
