# Claim from one trick to the next: wins each as cheaply as it can, and plans nothing.
#
# Leads its highest card. Takes a trick with the lowest card that beats what lies there; where it can't, it
# throws its lowest. Takes the higher recruit, and the first Gnome that it may.
use v5.36;
use lib ".";

package Greedy {
    use parent "Kingmaker";
    use List::Util qw(max reduce);

    sub wants_events ($self) { 0 }

    sub choose ($self, $turn) {
        my ($view, @legal) = ($turn->{view}, $turn->{legal}->@*);
        my $decision = $view->{decision};
        return play($view->{trick}, @legal) if $decision eq "play";
        return highest(sub ($take) { value($take eq "take deck" ? $view->{look} : substr $take, 5) }, @legal)
            if $decision eq "recruit";
        return $legal[0];
    }

    sub play ($trick, @legal) {
        my @plays = $trick->{plays}->@* or return highest(\&value, @legal);
        my $led     = $trick->{led};
        my $best    = max map { strength($_->[1], $led) } @plays;
        my @winning = grep { strength($_, $led) > $best } @legal;
        return highest(sub ($card) { -value($card) }, @winning ? @winning : @legal);
    }

    # The first of those whose worth is highest.
    sub highest ($worth, @actions) {
        return reduce { $worth->($b) > $worth->($a) ? $b : $a } @actions;
    }

    # `K7` is 7.
    sub value ($card) { substr $card, 1, 1 }

    # What the higher of wins a trick: Knights on Goblins, then what follows, then the rest (Claim 3).
    sub strength ($card, $led) {
        my $faction = substr $card, 0, 1;
        my $rank    = "$led$faction" eq "GK" ? 2 : $faction eq $led || $faction eq "X" ? 1 : 0;
        return 10 * $rank + value($card);
    }
}

Greedy->new->run;
