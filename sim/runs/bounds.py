"""How many of something a run may ask for: beyond it nothing would ever end, or fit into memory."""

MOST_TRIALS = 10_000
MOST_TURNS = 10_000
MOST_AT_ONCE = 10_000
"""Conversations, or cases that a judge is asked about."""
