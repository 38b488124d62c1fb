//! The Rust kit: implement [`Bot`], and hand an object of it to [`run`].
//!
//! ```no_run
//! use kingmaker::{Bot, Choice, Rng, Turn, run};
//!
//! struct First;
//!
//! impl Bot for First {
//!     fn choose(&mut self, turn: &Turn, _: &mut Rng) -> Choice {
//!         turn.legal[0].clone().into()
//!     }
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     run(First)
//! }
//! ```
//!
//! The kit knows no game: what a game calls view, setup and body stays JSON until a bot asks [`read`] for it.

mod types;

use std::borrow::Cow;
use std::env;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use serde::Deserialize;
use serde_json::value::RawValue;

pub use fastrand::Rng;
pub use types::*;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// A player. One process plays many games, one after the other; `started` is where a bot forgets the last.
/// A panic in one of these functions ends the process, and costs the bot its game.
pub trait Bot {
    /// False for a bot that plays from the view alone: it is told no events, and its turns are cheaper.
    const WANTS_EVENTS: bool = true;

    /// A game begins.
    fn started(&mut self, _start: &Start) {}

    /// One of `turn.legal`. `rng` is seeded anew for each game with its `bot_seed`: a bot that draws from
    /// nothing else makes the same moves in the same game again.
    fn choose(&mut self, turn: &Turn, rng: &mut Rng) -> Choice;

    /// A game is over.
    fn ended(&mut self, _end: &End) {}
}

/// What a bot does, and perhaps a note for the record: at most 200 characters, none of them a control
/// character. A text alone converts to it.
pub struct Choice {
    pub action: String,
    pub note: Option<String>,
}

impl<T: Into<String>> From<T> for Choice {
    fn from(action: T) -> Self {
        Self { action: action.into(), note: None }
    }
}

/// What a message leaves open, as the type that the game gives it:
/// `let view: ClaimView = read(&turn.view)`. Panics where it is not of that type.
pub fn read<'a, T: Deserialize<'a>>(open: &'a RawValue) -> T {
    serde_json::from_str(open.get()).expect("this view, setup or body is of another type")
}

/// Play until the arena says `bye`: the whole `main` of a bot. Fails, with the reason on stderr, where the
/// arena complains or where no arena started this process.
pub fn run(bot: impl Bot) -> ExitCode {
    match converse(bot) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn converse<B: Bot>(bot: B) -> Outcome<()> {
    let endpoint = told("ARENA_ENDPOINT")?;
    let mut reply = hello::<B>(told("ARENA_TOKEN")?)?;
    let mut exchange = connect(&endpoint)?;
    let mut with = Conversation { bot, rng: Rng::with_seed(0) };
    while let Some(message) = exchange(reply)? {
        match with.answer(&message)? {
            Some(answer) => reply = answer,
            None => break,
        }
    }
    Ok(())
}

fn told(name: &str) -> Outcome<String> {
    let hint = "a bot is started by the arena (try: arena play PATH random)";
    env::var(name).map_err(|_| format!("{name} is not set: {hint}").into())
}

fn hello<B: Bot>(token: String) -> Outcome<String> {
    let hello = Hello {
        hello_type: "hello".into(),
        protocol: vec![1],
        token,
        features: (!B::WANTS_EVENTS).then(|| vec!["no_events".into()]),
        sdk: Some("kingmaker-rust/1".into()),
        name: None,
        version: None,
    };
    Ok(serde_json::to_string(&hello)?)
}

/// Sends a message and returns the next that comes; None: there will be none.
type Exchange = Box<dyn FnMut(String) -> Outcome<Option<Vec<u8>>>>;

fn connect(endpoint: &str) -> Outcome<Exchange> {
    if endpoint.starts_with("stdio:") { Ok(over_lines()) } else { over_zeromq(endpoint) }
}

fn over_lines() -> Exchange {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout());
    Box::new(move |reply| {
        output.write_all((reply + "\n").as_bytes())?;
        output.flush()?;
        let mut line = Vec::new();
        let read = input.read_until(b'\n', &mut line)?;
        Ok((read > 0).then_some(line))
    })
}

#[cfg(feature = "zeromq")]
fn over_zeromq(endpoint: &str) -> Outcome<Exchange> {
    use zeromq::{ReqSocket, Socket, SocketRecv, SocketSend};
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut socket = ReqSocket::new();
    runtime.block_on(socket.connect(endpoint))?;
    Ok(Box::new(move |reply| {
        runtime.block_on(socket.send(reply.into()))?;
        let message = runtime.block_on(socket.recv())?;
        Ok(message.get(0).map(|frame| frame.to_vec()))
    }))
}

#[cfg(not(feature = "zeromq"))]
fn over_zeromq(endpoint: &str) -> Outcome<Exchange> {
    let hint = "transport = \"stdio\" in bot.toml, or build with --features zeromq";
    Err(format!("this bot was built without ZeroMQ, which {endpoint} needs: {hint}").into())
}

/// A bot's side of the conversation, bytes to text: no socket, no clock.
struct Conversation<B> {
    bot: B,
    rng: Rng,
}

/// Of any message; what it is decides as what it is read.
#[derive(Deserialize)]
struct Message<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
}

impl<B: Bot> Conversation<B> {
    /// The reply to a message; None: the bot is to exit.
    fn answer(&mut self, bytes: &[u8]) -> Outcome<Option<String>> {
        let message: Message = serde_json::from_slice(bytes)?;
        match &*message.kind {
            "turn" => self.turn(&serde_json::from_slice(bytes)?),
            "start" => self.start(&serde_json::from_slice(bytes)?),
            "end" => self.end(&serde_json::from_slice(bytes)?),
            "bye" => Ok(None),
            "error" => Err(complaint(&serde_json::from_slice(bytes)?).into()),
            unknown => Err(format!("the arena sent a message of unknown type: {unknown}").into()),
        }
    }

    fn start(&mut self, start: &Start) -> Outcome<Option<String>> {
        self.rng = Rng::with_seed(u64::from_str_radix(&start.bot_seed[..16], 16)?);
        self.bot.started(start);
        ready(&start.game_id)
    }

    fn turn(&mut self, turn: &Turn) -> Outcome<Option<String>> {
        let Choice { action, note } = self.bot.choose(turn, &mut self.rng);
        if !turn.legal.contains(&action) {
            eprintln!("not one of the legal actions: {action}"); // sent all the same: the referee is the judge
        }
        let (move_type, game_id) = ("move".into(), turn.game_id.clone());
        let answer = Move { move_type, game_id, turn: turn.turn, action, note };
        Ok(Some(serde_json::to_string(&answer)?))
    }

    fn end(&mut self, end: &End) -> Outcome<Option<String>> {
        self.bot.ended(end);
        ready(&end.game_id)
    }
}

fn ready(game_id: &str) -> Outcome<Option<String>> {
    let ready = Ready { ready_type: "ready".into(), game_id: game_id.into() };
    Ok(Some(serde_json::to_string(&ready)?))
}

fn complaint(error: &types::Error) -> String {
    let place = if error.path.is_empty() { "message" } else { &error.path };
    format!("the arena complains: {} at {place}: {}", error.code, error.detail)
}
