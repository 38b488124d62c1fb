"""The contract between the referee and a bot.

Importing this package imports nothing else: bots and the rules alike may use `protocol.vocabulary`
without paying for pydantic or ZeroMQ.
"""
