//! Plays any game by taking a legal action at random; the same `bot_seed` gives the same moves.

use std::process::ExitCode;

use kingmaker::{Bot, Choice, Rng, Turn, run};

struct RandomBot;

impl Bot for RandomBot {
    const WANTS_EVENTS: bool = false;

    fn choose(&mut self, turn: &Turn, rng: &mut Rng) -> Choice {
        turn.legal[rng.usize(..turn.legal.len())].clone().into()
    }
}

fn main() -> ExitCode {
    run(RandomBot)
}
