"""What users hold: a derivation, a proof, a report, a saturation."""
