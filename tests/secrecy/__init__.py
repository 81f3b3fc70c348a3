"""Pairs of worlds that differ in what is hidden alone, and all that others receive in both, compared byte by byte.

`worlds` makes them, `collecting` gathers what each viewer receives, `addresses` says of every address whether it is
collected and why not, `test_pairs` compares.
"""
