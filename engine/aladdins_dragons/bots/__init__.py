"""The players made of code, by name."""

from collections.abc import Mapping

from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.bots.greedy import GreedyBot
from engine.aladdins_dragons.bots.random import RandomBot
from engine.aladdins_dragons.bots.sultan import SultanBot
from engine.core import Bot

BOTS: Mapping[str, Bot[View]] = {"random": RandomBot(), "greedy": GreedyBot(), "sultan": SultanBot()}
