"""The one-command start (`script/server`): everything on one machine, as children of one process that watches them.

It loads what they need once; web, worker and listener are copies of it.

Where systemd or a container runtime watches over processes, nothing of this runs.
"""
