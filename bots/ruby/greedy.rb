# frozen_string_literal: true

# Claim from one trick to the next: wins each as cheaply as it can, and plans nothing.
#
# Leads its highest card. Takes a trick with the lowest card that beats what lies there; where it can't, it
# throws its lowest. Takes the higher recruit, and the first Gnome that it may.
require_relative "kingmaker"

class Greedy < Kingmaker::Bot
  def wants_events? = false

  def choose(turn)
    view, legal = turn.values_at("view", "legal")
    case view["decision"]
    when "play" then play(view["trick"], legal)
    when "recruit" then legal.max_by { |take| value(take == "take deck" ? view["look"] : take[5..]) }
    else legal.first
    end
  end

  private

  def play(trick, legal)
    return legal.max_by { |card| value(card) } if trick["plays"].empty?

    best = trick["plays"].map { |_seat, card| strength(card, trick["led"]) }.max
    winning = legal.select { |card| strength(card, trick["led"]) > best }
    (winning.empty? ? legal : winning).min_by { |card| value(card) }
  end

  # `K7` is 7.
  def value(card) = card[1].to_i

  # What the higher of wins a trick: Knights on Goblins, then what follows, then the rest (Claim 3).
  def strength(card, led)
    rank = led == "G" && card[0] == "K" ? 2 : [led, "X"].include?(card[0]) ? 1 : 0
    rank * 10 + value(card)
  end
end

Kingmaker.run(Greedy.new)
