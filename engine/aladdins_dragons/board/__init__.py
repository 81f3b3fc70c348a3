"""The table: what is in the box, the state as data, the verbs that change it, and the events they emit."""
