# The Perl kit: derive from Kingmaker, call run.
#
#     use v5.36;
#     use lib ".";
#
#     package First {
#         use parent "Kingmaker";
#         sub choose ($self, $turn) { $turn->{legal}[0] }
#     }
#
#     First->new->run;
#
# Messages are hashes, as protocol/SPEC.md describes them. Needs Perl 5.36 and nothing else.
package Kingmaker;
use v5.36;

use IO::Handle ();

my $SDK = "kingmaker-perl/1";

# Both have one interface. JSON::PP comes with Perl; JSON::XS, where it is installed, is twelve times as fast.
my $CODEC = eval { require JSON::XS; "JSON::XS" } // do { require JSON::PP; "JSON::PP" };

# Reads and writes bytes of UTF-8; the strings of a message are text. A view may be as deep as it likes.
my $JSON = $CODEC->new->utf8->canonical->max_depth(10_000);

sub new ($class) { bless {}, $class }

# For a bot to override. One process plays many games, one after the other; `started` is where a bot forgets
# the last, and `rand` is seeded there with its `bot_seed`: a bot that draws from it can be replayed. A `die`
# that leaves one of them ends the process with its text in the log, and costs the game.

# False for a bot that plays from the view alone: it is told no events, and its turns are cheaper.
sub wants_events ($self) { 1 }

sub started ($self, $start) { }

# One of @{ $turn->{legal} }; or a list of that and a note of at most 200 characters for the record.
sub choose ($self, $turn) { die ref($self) . " has no choose\n" }

sub ended ($self, $end) { }

# Plays until the arena says `bye` or closes the input. Ends the process, with its text on stderr and another
# exit code than 0, where the arena reports an error or did not start it.
sub run ($self) {
    my $reply = $self->_hello(_environment());
    binmode STDIN;
    binmode STDERR, ":utf8";
    while ($reply) {
        STDOUT->print($JSON->encode($reply), "\n");
        STDOUT->flush;
        my $line = <STDIN> // last;
        $reply = $self->_answer($JSON->decode($line));
    }
}

sub _environment () {
    for my $name (qw(ARENA_ENDPOINT ARENA_TOKEN)) {
        $ENV{$name} // die "$name is not set: a bot is started by the arena (try: arena play . random)\n";
    }
    $ENV{ARENA_ENDPOINT} eq "stdio:"
        or die "this kit talks over stdio: write transport = \"stdio\" in bot.toml\n";
    return $ENV{ARENA_TOKEN};
}

sub _hello ($self, $token) {
    my @features = $self->wants_events ? () : (features => ["no_events"]);
    return { type => "hello", protocol => [1], token => $token, sdk => $SDK, @features };
}

# What the bot replies to a message; nothing: it is to exit.
sub _answer ($self, $message) {
    my $type = $message->{type};
    return $self->_move($message) if $type eq "turn";
    return if $type eq "bye";
    die "arena: $message->{code} at $message->{path}: $message->{detail}\n" if $type eq "error";

    if ($type eq "start") {
        srand hex substr $message->{bot_seed}, 0, 8;
        $self->started($message);
    }
    elsif ($type eq "end") { $self->ended($message) }
    else                   { die "arena: a message of type $type is not known to $SDK\n" }
    return { type => "ready", game_id => $message->{game_id} };
}

sub _move ($self, $turn) {
    my ($action, $note) = $self->choose($turn);
    my @legal = $turn->{legal}->@*;
    # Sent all the same: the referee is the judge, and its record shows what the bot did.
    warn "not legal: $action; legal: @legal\n" unless grep { $_ eq $action } @legal;
    my %move = (type => "move", game_id => $turn->{game_id}, turn => 0 + $turn->{turn}, action => "$action");
    $move{note} = $note if defined $note;
    return \%move;
}

1;
