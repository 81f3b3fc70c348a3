"""`script/house`: how much of the code one has to know, in figures that are counted anew each time."""
