"""What the names and formulas of an article are worth: true, as printed, and printed with its wrong entries mended."""
