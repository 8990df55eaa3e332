"""All tables of sentences as one."""

from __future__ import annotations

from symattn.writing.prose.articles import ARTICLES
from symattn.writing.prose.calculus import CALCULUS
from symattn.writing.prose.exercises import EXERCISES
from symattn.writing.prose.formulas import FORMULAS
from symattn.writing.prose.gradients import GRADIENTS
from symattn.writing.prose.inputs import INPUTS
from symattn.writing.prose.layers import LAYERS
from symattn.writing.prose.lowering import LOWERING
from symattn.writing.prose.pages import PAGES
from symattn.writing.prose.positions import POSITIONS
from symattn.writing.prose.precision import PRECISION
from symattn.writing.prose.recurrences import RECURRENCES
from symattn.writing.prose.reviews import REVIEWS
from symattn.writing.prose.sizes import SIZES
from symattn.writing.prose.steps import STEPS
from symattn.writing.prose.studies import STUDIES
from symattn.writing.prose.tables import TABLES
from symattn.writing.prose.theorems import THEOREMS
from symattn.writing.prose.variants import KINDS
from symattn.writing.prose.weaving import WEAVING

READING = INPUTS | ARTICLES | FORMULAS | SIZES | CALCULUS | REVIEWS
TELLING = (
    STEPS | KINDS | POSITIONS | RECURRENCES | LAYERS | GRADIENTS | THEOREMS | TABLES | PRECISION | STUDIES | LOWERING
)
SENTENCES = READING | TELLING | PAGES | WEAVING | EXERCISES
