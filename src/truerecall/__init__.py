"""truerecall: measures whether a vector index returns the right answers, and checks that the ruler is straight."""

__version__ = "0.1.0"
