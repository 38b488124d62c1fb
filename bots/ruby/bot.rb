# frozen_string_literal: true

# Plays any game by taking a legal action at random; the same `bot_seed` gives the same moves.
require_relative "kingmaker"

class RandomBot < Kingmaker::Bot
  def wants_events? = false

  def choose(turn) = turn["legal"].sample(random: rng)
end

Kingmaker.run(RandomBot.new)
