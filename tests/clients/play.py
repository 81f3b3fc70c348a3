"""Plays a game to its end, by what is proposed, with the client that openapi-python-client has made."""

import sys
import time

from caravanserai_client import AuthenticatedClient
from caravanserai_client.api.games import answer_decision, list_decisions, list_games, open_table, read_game, start_game
from caravanserai_client.models import AnswerBody, ListGamesStatus, NoBody, TableBody

site, token = sys.argv[1:]
with AuthenticatedClient(base_url=site, token=token, raise_on_unexpected_status=True) as client:
    table = TableBody(rules="cave-of-wonders", seat_count=2, bots=["random"])
    ref = open_table.sync(client=client, body=table).ref
    start_game.sync(ref, client=client, body=NoBody())
    while list_games.sync(client=client, status=ListGamesStatus.RUNNING).items:
        time.sleep(0.25)  # the bot plays
        for question in list_decisions.sync(ref, client=client).items:
            if question.is_waiting and question.proposal:
                answer = AnswerBody(proposal=question.proposal.mark)
                answer_decision.sync(ref, question.code, client=client, body=answer)
    print(read_game.sync(ref, client=client).outcome.ending)
