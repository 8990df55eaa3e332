"""Printed rotary positions: as matrices, as pairs, as columns of features, as complex numbers."""
