"""What may be asked of a leaderboard; the command line shows it before anything is loaded."""

from __future__ import annotations

from typing import Literal

Format = Literal["table", "github", "csv", "tsv", "json", "html", "latex"]
By = Literal["overall", "variant"]
"""The overall table, or one of each variant."""
Show = Literal["table", "matrix", "seats", "luck", "fit", "all"]
"""Who stands where; who beats whom; what seats are worth; how much is luck; whether strengths explain it."""
Picture = Literal["ratings", "matrix", "intervals", "luck", "timing"]
"""Ratings over games played; who beats whom; how sure places are; how much is luck; how long bots think."""
PictureFormat = Literal["svg", "pdf", "png"]
