"""What is kept of a person: the copy he may have, how it is deleted when he goes, and when nobody needs it any more."""
