"""The fixed numbers of the statistics, for whoever names them without resampling: signatures, light tables.

Imports nothing: it is on the way to a first screen.
"""

REPLICATES = 10_000
"""Of the headline bootstrap."""
FEW = 20
"""Scenarios under which a percentile interval is too narrow, and p is withheld."""
