"""Aladdin and the Cave of Wonders: two to four players guide one Aladdin over the treasures of a cave."""
