"""The example of a record in the API description; most of its moves are left out."""

from engine.core import JsonObject

RECORD: JsonObject = {
    "format": "caravanserai-record",
    "format_version": 2,
    "ref": "k3v9pq2mzt7a",
    "title": "Thursday",
    "rules": "cave-of-wonders",
    "rules_version": 1,
    "options": {"equal_turns": "off", "full_distance": "off"},
    "seats": [{"name": "Anna", "joined": 0, "entropy": "camel"}, {"name": "Bot greedy", "joined": 1, "bot": "greedy"}],
    "commitment": "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925",
    "server_seed": "0" * 64,
    "started_at": "2026-11-22T18:04:11Z",
    "finished_at": "2026-11-29T07:30:00Z",
    "moves": [
        {
            "number": 1,
            "kind": "start",
            "by": "service",
            "chain": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "events": [
                {"type": "GameBegan", "start": 0, "favourites": ["ruby", "emerald"]},
                {"type": "RollRevealed", "turn": 1, "seat": 0, "roll": 4, "again": False},
            ],
            "at": "2026-11-22T18:04:11Z",
        },
        {
            "number": 2,
            "kind": "answer",
            "by": "player",
            "chain": "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
            "seat": 0,
            "decision": "t1-move-1",
            "action": {"type": "move", "to": "G7"},
            "events": [{"type": "AladdinMoved", "seat": 0, "origin": "G6", "to": "G7", "flew": False}],
            "at": "2026-11-22T18:30:00Z",
        },
    ],
    "outcome": {
        "ending": "complete",
        "winners": [0],
        "ranking": [0, 1],
        "scores": [31, 24],
        "reason": {"code": "won", "params": {"winner": {"seat": 0}}},
    },
}
