"""Pictures of a derivation: how it flows, its weights as shades, figures of saturation."""
