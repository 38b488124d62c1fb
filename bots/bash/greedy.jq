# Wins each trick as cheaply as it can, and plans nothing.
#
# Leads its highest card. Takes a trick with the lowest card that beats what lies there; where it can't, it
# throws its lowest. Takes the higher recruit, and the first Gnome that it may.

# `K7` is 7.
def value: .[1:2] | tonumber;

# What the higher of wins a trick: Knights on Goblins, then what follows, then the rest (Claim 3).
def strength($led):
  (if $led + .[:1] == "GK" then 20 elif .[:1] == $led or .[:1] == "X" then 10 else 0 end) + value;

def lowest: min_by(value);

# The first of the highest: max_by alone gives the last.
def highest(f): reverse | max_by(f);

def play($trick):
  if $trick.plays == [] then highest(value)
  else
    ([$trick.plays[][1] | strength($trick.led)] | max) as $best
    | map(select(strength($trick.led) > $best)) as $winning
    | if $winning == [] then lowest else $winning | lowest end
  end;

def recruit($look): highest(if . == "take deck" then $look else .[5:] end | value);

if .type != "turn" then null
else
  .view as $view
  | .legal
  | if $view.decision == "play" then play($view.trick)
    elif $view.decision == "recruit" then recruit($view.look)
    else .[0] end
end
