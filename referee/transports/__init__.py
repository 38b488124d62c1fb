"""How bytes reach a bot and come back. Nothing here knows what they mean."""
