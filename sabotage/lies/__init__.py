"""Lies by what they are about. Each file binds LIES."""
