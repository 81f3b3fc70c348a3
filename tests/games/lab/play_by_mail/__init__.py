"""Tests of the people who play by mail."""
