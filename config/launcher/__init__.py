"""The one-command start (`script/server`): everything on one machine, as children of one process that watches them.

Where systemd or a container runtime watches over processes, nothing of this runs.
"""
