"""Programs that lie about recall in the ways that benchmarks do, each beside an honest twin, and who catches them.

``python -m sabotage`` runs them all with real engines over the bundled vectors and prints what was caught.
"""
