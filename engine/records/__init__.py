"""Records: a whole game as one piece of data, and the proof that it was dealt and played as it says.

Pure, and enough by itself: the stand-alone verifier is this folder and the rules.
"""
