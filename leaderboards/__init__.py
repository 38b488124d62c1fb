"""From results to something to look at: ratings, standings, tables.

Takes `protocol.result.GameResult`s and knows nothing of how they were played. Importing this package
imports nothing else; TrueSkill and tabulate are loaded when they are first needed.
"""
