"""Connections to an endpoint without ZeroMQ."""

from __future__ import annotations

import socket


def dial(endpoint: str) -> socket.socket:
    """A connection without libzmq to an endpoint of either kind."""
    scheme, place = endpoint.split("://")
    if scheme == "tcp":
        host, port = place.split(":")
        return socket.create_connection((host, int(port)), timeout=20)
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(place)
    except OSError:
        connection.close()
        raise
    return connection
