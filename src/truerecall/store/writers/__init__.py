"""Formats that neighbour lists are written to, one file each, for other tools to read."""
