-- Claim from one trick to the next: wins each as cheaply as it can, and plans nothing.
--
-- Leads its highest card. Takes a trick with the lowest card that beats what lies there; where it can't, it
-- throws its lowest. Takes the higher recruit, and the first Gnome that it may.
local kingmaker = require "kingmaker"

-- `K7` is 7.
local function value(card)
  return tonumber(card:sub(2, 2))
end

-- What the higher of wins a trick: Knights on Goblins, then what follows, then the rest (Claim 3).
local function strength(card, led)
  local faction = card:sub(1, 1)
  if led == "G" and faction == "K" then
    return 20 + value(card)
  end
  return ((faction == led or faction == "X") and 10 or 0) + value(card)
end

-- The first of those actions whose `worth` is highest, and that worth.
local function best(actions, worth)
  local found, most = nil, -math.huge
  for _, action in ipairs(actions) do
    if worth(action) > most then
      found, most = action, worth(action)
    end
  end
  return found, most
end

local function lowest(cards)
  return (best(cards, function(card)
    return -value(card)
  end))
end

local function play(trick, legal)
  if #trick.plays == 0 then
    return (best(legal, value))
  end
  local _, high = best(trick.plays, function(seat_card)
    return strength(seat_card[2], trick.led)
  end)
  local winning = {}
  for _, card in ipairs(legal) do
    if strength(card, trick.led) > high then
      winning[#winning + 1] = card
    end
  end
  return lowest(winning) or lowest(legal)
end

local function recruit(look, legal)
  return (best(legal, function(take)
    return value(take == "take deck" and look or take:sub(6))
  end))
end

kingmaker.run {
  no_events = true,
  choose = function(turn)
    local view, legal = turn.view, turn.legal
    if view.decision == "play" then
      return play(view.trick, legal)
    end
    return view.decision == "recruit" and recruit(view.look, legal) or legal[1]
  end,
}
