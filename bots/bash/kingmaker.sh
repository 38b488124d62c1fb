# The bash kit: source it, define `choose`, call `play`.
#
#     source ./kingmaker.sh
#
#     choose() {
#         action=${legal[0]}
#     }
#
#     play
#
# bash reads byte by byte and knows no JSON, so a jq that lives as long as the bot reads the arena's messages,
# and hands bash one short line for each. What a bot may define before it calls `play`:
#
#     choose     a function: sets `action` to one of `legal`, and `note`, if it likes, to a JSON string of at
#                most 200 characters for the record
#     started    a function: a game begins. RANDOM is seeded with its bot_seed
#     ended      a function: a game is over
#     look       a jq filter with exactly one result: what these functions want to see of a message (start,
#                turn or end, see protocol/SPEC.md)
#     features   '["no_events"]' for a bot that plays from views alone: it is told no events, and its turns
#                are cheaper
#
# What the functions find: `legal`, an array (of a turn); `seen`, the result of `look`, as compact JSON. Texts
# are JSON strings with their quotes ("K7", quotes included), and go back as they came.

look=null
features='[]'
started() { :; }
ended() { :; }

# What jq makes of a message: its type, then JSON values, with tabs between them, of which JSON text has none.
_lines='
; # on a line of its own: a filter may end in a comment
def values:
  if .type == "start" then .game_id, seen, .bot_seed
  elif .type == "turn" then .game_id, seen, .turn, .legal[]
  elif .type == "end" then .game_id, seen
  elif .type == "bye" then halt
  elif .type == "error" then error("arena: \(.code) at \(.path): \(.detail)")
  else error("arena: a message of type \(.type) is not known") end;
inputs | [.type, (values | tojson)] | join("\t")'

# Plays until the arena says `bye` or closes the input. Ends the process, with a text on stderr and another
# exit code than 0, where the arena reports an error or did not start it, where jq fails, where a function uses
# a variable that is not set, and where `choose` sets no `action`.
play() {
    set -u
    : "${ARENA_ENDPOINT:?is not set: a bot is started by the arena (try: arena play . random)}"
    : "${ARENA_TOKEN:?is not set: a bot is started by the arena (try: arena play . random)}"
    local lines jq words
    # jq has the input to itself: nothing that a function runs can read a message away.
    exec {lines}< <(exec jq -nr --unbuffered "def seen: $look$_lines") </dev/null
    jq=$!
    printf '{"type":"hello","protocol":[1],"token":"%s","sdk":"kingmaker-bash/1","features":%s}\n' \
        "$ARENA_TOKEN" "$features"
    while IFS=$'\t' read -r -u "$lines" -a words; do
        "_${words[0]}" "${words[@]:1}"
    done
    wait "$jq" # 0 after `bye` or the end of the input
    exit
}

_start() {
    local game_id=$1 seen=$2 seed=$3
    RANDOM=$((16#${seed:1:8}))
    started
    _ready
}

_turn() {
    local game_id=$1 seen=$2 turn=$3 legal=("${@:4}") action='' note=''
    choose
    : "${action:?was not set by choose}"
    local IFS=$'\t'
    [[ "$IFS${legal[*]}$IFS" == *"$IFS$action$IFS"* ]] || # sent all the same: the referee is the judge
        echo "not legal: $action; legal: ${legal[*]}" >&2
    printf '{"type":"move","game_id":%s,"turn":%s,"action":%s%s}\n' \
        "$game_id" "$turn" "$action" "${note:+,\"note\":$note}"
}

_end() {
    local game_id=$1 seen=$2
    ended
    _ready
}

_ready() {
    printf '{"type":"ready","game_id":%s}\n' "$game_id"
}
