"""Standing orders for every rule set: answers given in advance, kept in the state, given by the rules themselves.

`rules.WithOrders` goes around any rule set that offers a `vocabulary.Vocabulary`; nothing here knows a game.
"""
