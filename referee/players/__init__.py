"""Who sits in a seat."""
