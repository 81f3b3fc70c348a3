"""Answers by mail: one line, a small strict grammar, made from the question of whatever game it is."""
