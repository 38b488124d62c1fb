# Claim from one trick to the next: jq looks and decides (greedy.jq), bash has only to say it.
source ./kingmaker.sh

features='["no_events"]'
look=$(<greedy.jq)

choose() {
    action=$seen
}

play
