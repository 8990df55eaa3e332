"""Wrong digits and what follows from them, corrected in the article itself."""
