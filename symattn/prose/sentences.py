"""All tables of sentences as one."""

from __future__ import annotations

from symattn.prose.articles import ARTICLES
from symattn.prose.gradients import GRADIENTS
from symattn.prose.inputs import INPUTS
from symattn.prose.kinds import KINDS
from symattn.prose.lowering import LOWERING
from symattn.prose.precision import PRECISION
from symattn.prose.steps import STEPS
from symattn.prose.studies import STUDIES
from symattn.prose.tables import TABLES
from symattn.prose.theorems import THEOREMS

SENTENCES = STEPS | KINDS | GRADIENTS | THEOREMS | INPUTS | ARTICLES | TABLES | PRECISION | STUDIES | LOWERING
