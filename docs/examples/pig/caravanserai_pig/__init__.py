"""Pig: roll a die as often as you dare; a 1 loses what the turn has brought. Whoever reaches 100 first wins."""

from caravanserai_pig.rules import Pig

GAMES = (Pig(),)
"""What the entry point offers: each version of the rule set."""
