"""From an .xlsx file to its cells: what was typed, the formulas as trees, and what is shown."""
