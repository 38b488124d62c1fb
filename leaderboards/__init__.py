"""From results to something to look at: ratings, standings, tables.

Takes `protocol.result.GameResult`s and knows nothing of how they were played. Importing this package
imports nothing else; numpy and tabulate are loaded when they are first needed.
"""

import os

# Matrices are small here, and bots are timed on the cores that numpy's threads would spin on.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
