"""Reviews of games that are over: each seat's chance to win from move to move, what turned it, and better answers.

Pure: a record goes in, a `Review` comes out. Everything is judged by playing on with the rules' own quick players.
"""
