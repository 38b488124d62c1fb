//! Claim from one trick to the next: wins each as cheaply as it can, and plans nothing.
//!
//! Leads its highest card. Takes a trick with the lowest card that beats what lies there; where it can't, it
//! throws its lowest. Takes the higher recruit, and the first Gnome that it may.

use std::process::ExitCode;

use kingmaker::{Bot, Choice, ClaimTrickView, ClaimView, Rng, Turn, read, run};

struct Greedy;

impl Bot for Greedy {
    const WANTS_EVENTS: bool = false;

    fn choose(&mut self, turn: &Turn, _: &mut Rng) -> Choice {
        let view: ClaimView = read(&turn.view);
        let legal = turn.legal.iter().map(String::as_str);
        let choice = match view.decision.as_deref() {
            Some("play") => play(&view.trick, legal),
            Some("recruit") => first_max(legal, |take| worth(&view, take)),
            _ => &turn.legal[0],
        };
        choice.into()
    }
}

/// The cheapest card that takes the trick as it lies, else the lowest; leading, the highest.
fn play<'a>(trick: &ClaimTrickView, legal: impl Iterator<Item = &'a str> + Clone) -> &'a str {
    let led = trick.led.as_deref().unwrap_or_default();
    let Some(best) = trick.plays.iter().map(|(_, card)| strength(card, led)).max() else {
        return first_max(legal, value);
    };
    let winning = legal.clone().filter(|card| strength(card, led) > best).min_by_key(|card| value(card));
    winning.or_else(|| legal.min_by_key(|card| value(card))).expect("legal is never empty")
}

fn worth(view: &ClaimView, take: &str) -> u8 {
    match take.strip_prefix("take ") {
        Some("deck") => view.look.as_deref().map_or(0, value),
        card => card.map_or(0, value),
    }
}

/// `K7` is 7.
fn value(card: &str) -> u8 {
    card.as_bytes()[1] - b'0'
}

/// What the higher of wins a trick: Knights on Goblins, then what follows, then the rest (Claim 3).
fn strength(card: &str, led: &str) -> (u8, u8) {
    let rank = match (led, &card[..1]) {
        ("G", "K") => 2,
        (_, "X") => 1,
        (led, faction) => u8::from(led == faction),
    };
    (rank, value(card))
}

/// The first of the highest; the standard library's `max_by_key` gives the last.
fn first_max<'a>(of: impl Iterator<Item = &'a str>, key: impl Fn(&str) -> u8) -> &'a str {
    of.reduce(|best, next| if key(next) > key(best) { next } else { best }).expect("legal is never empty")
}

fn main() -> ExitCode {
    run(Greedy)
}
