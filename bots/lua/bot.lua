-- Plays any game by taking a legal action at random; the same `bot_seed` gives the same moves.
local kingmaker = require "kingmaker"

kingmaker.run {
  no_events = true,
  choose = function(turn)
    return turn.legal[math.random(#turn.legal)]
  end,
}
