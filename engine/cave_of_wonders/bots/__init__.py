"""The players made of code, by name."""

from collections.abc import Mapping

from engine.cave_of_wonders.board.model import View
from engine.cave_of_wonders.bots.greedy import GreedyBot
from engine.cave_of_wonders.bots.random import RandomBot
from engine.cave_of_wonders.bots.sultan import SultanBot
from engine.core import Bot

BOTS: Mapping[str, Bot[View]] = {"random": RandomBot(), "greedy": GreedyBot(), "sultan": SultanBot()}
