"""Puts the parts together: settings, URLs, Celery, the worker's ticker, the web process and the launcher."""

import ctypes

from config.celery import app as celery_app

__all__ = ["celery_app"]

# glibc's malloc(3), in whatever process runs us: what a large picture took goes back to the machine at once, and
# threads share two arenas. A worker whose threads draw boards takes 100 MB less.
M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8

if hasattr(libc := ctypes.CDLL(None), "mallopt"):
    libc.mallopt(M_MMAP_THRESHOLD, 128 * 1024)
    libc.mallopt(M_ARENA_MAX, 2)
