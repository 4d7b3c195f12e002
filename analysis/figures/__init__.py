"""Figures as Vega-Lite specifications, and their pictures."""
