"""An article's chains of equalities, read in order: what is given, what is claimed, and what there is to say of it."""
