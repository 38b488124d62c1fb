# frozen_string_literal: true

# The Ruby kit: derive from Kingmaker::Bot, hand an object of it to Kingmaker.run.
#
#     require_relative "kingmaker"
#
#     class First < Kingmaker::Bot
#       def choose(turn) = turn["legal"].first
#     end
#
#     Kingmaker.run(First.new)
#
# Messages are hashes with string keys, as protocol/SPEC.md describes them. Needs the standard library only.

require "json"

module Kingmaker
  SDK = "kingmaker-ruby/1"

  # A player. One process plays many games, one after the other; `started` is where a bot forgets the last.
  # An exception that leaves a method ends the process with its trace in the log, and costs the game.
  class Bot
    # A Random, seeded anew for each game with its `bot_seed`: a bot that draws from it can be replayed.
    attr_accessor :rng

    # False for a bot that plays from the view alone: it is told no events, and its turns are cheaper.
    def wants_events? = true

    def started(start) = nil

    # One of turn["legal"]; or an array of that and a note of at most 200 characters for the record.
    def choose(turn) = raise(NotImplementedError, "#{self.class} has no choose")

    def ended(message) = nil
  end

  # Plays until the arena says `bye` or closes the input. Ends the process, with its text on stderr and exit
  # code 1, where the arena reports an error or did not start it.
  def self.run(bot)
    token = environment
    $stdin.set_encoding(Encoding::UTF_8)
    $stdout.set_encoding(Encoding::UTF_8)
    reply = hello(bot, token)
    while reply
      $stdout.write(JSON.generate(reply), "\n")
      $stdout.flush
      line = $stdin.gets
      reply = line && answer(bot, JSON.parse(line, max_nesting: false))
    end
  end

  def self.environment
    endpoint, token = %w[ARENA_ENDPOINT ARENA_TOKEN].map do |name|
      ENV[name] or abort "#{name} is not set: a bot is started by the arena (try: arena play . random)"
    end
    endpoint == "stdio:" or abort %(this kit talks over stdio: write transport = "stdio" in bot.toml)
    token
  end
  private_class_method :environment

  # What the bot says first.
  def self.hello(bot, token)
    first = { type: "hello", protocol: [1], token: token, sdk: SDK }
    bot.wants_events? ? first : first.merge(features: ["no_events"])
  end

  # What the bot replies to a message; nil: it is to exit.
  def self.answer(bot, message)
    case message["type"]
    when "turn" then return move(bot, message)
    when "start"
      bot.rng = Random.new(message["bot_seed"].hex)
      bot.started(message)
    when "end" then bot.ended(message)
    when "bye" then return nil
    when "error" then abort "arena: #{message["code"]} at #{message["path"]}: #{message["detail"]}"
    else abort "arena: a message of type #{message["type"].inspect} is not known to #{SDK}"
    end
    { type: "ready", game_id: message["game_id"] }
  end

  def self.move(bot, turn)
    action, note = bot.choose(turn)
    legal = turn["legal"]
    # Sent all the same: the referee is the judge, and its record shows what the bot did.
    warn "not legal: #{action.inspect}; legal: #{legal.join(" ")}" unless legal.include?(action)
    { type: "move", game_id: turn["game_id"], turn: turn["turn"], action: action, note: note }.compact
  end
  private_class_method :move
end
