// Package kingmaker is the Go kit: fill in a [Bot], and hand it to [Run].
//
// It knows no game: what a game calls view, setup and body stays JSON until a bot asks [Read] for it.
package kingmaker

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/go-zeromq/zmq4"
)

// Bot is a player. One process plays many games, one after the other; Started is where a bot forgets the last.
// A panic in one of its functions ends the process, and costs the bot its game.
type Bot struct {
	// Choose returns one of turn.Legal. rng is seeded anew for each game with its bot_seed: a bot that draws
	// from nothing else makes the same moves in the same game again.
	Choose func(turn *Turn, rng *rand.Rand) Choice
	// Started and Ended say what else happens; nil where that is of no interest.
	Started func(start *Start)
	Ended   func(end *End)
	// NoEvents is for a bot that plays from the view alone: it is told no events, and its turns are cheaper.
	NoEvents bool
}

// Choice is what a bot does, and perhaps a note for the record: at most 200 characters, none of them a control
// character.
type Choice struct {
	Action, Note string
}

// Read gives what a message leaves open the type that its game has for it: view := Read[ClaimView](turn.View).
// It panics where that does not fit.
func Read[T any](open json.RawMessage) T {
	var value T
	if err := json.Unmarshal(open, &value); err != nil {
		panic(fmt.Sprintf("this view, setup or body is no %T: %v", value, err))
	}
	return value
}

// Run plays until the arena says bye; the whole main of a bot. Where the arena complains, or no arena started
// this process, it exits with status 1 and the reason on stderr.
func Run(bot Bot) {
	if err := converse(bot); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// exchange sends a message and returns the next that comes; io.EOF where none will.
type exchange func(reply []byte) (message []byte, err error)

func converse(bot Bot) error {
	endpoint, token := os.Getenv("ARENA_ENDPOINT"), os.Getenv("ARENA_TOKEN")
	if endpoint == "" || token == "" {
		return errors.New("ARENA_ENDPOINT or ARENA_TOKEN is not set: " +
			"a bot is started by the arena (try: arena play PATH random)")
	}
	talk, err := connect(endpoint)
	with := conversation{bot: bot}
	reply := hello(bot, token)
	for err == nil && reply != nil {
		var message []byte
		if message, err = talk(reply); err == nil {
			reply, err = with.answer(message)
		}
	}
	if err == io.EOF {
		return nil
	}
	return err
}

func connect(endpoint string) (exchange, error) {
	if strings.HasPrefix(endpoint, "stdio:") {
		return overLines(bufio.NewReader(os.Stdin)), nil
	}
	socket := zmq4.NewReq(context.Background())
	return overZeroMQ(socket), socket.Dial(endpoint)
}

func overZeroMQ(socket zmq4.Socket) exchange {
	return func(reply []byte) ([]byte, error) {
		if err := socket.Send(zmq4.NewMsg(reply)); err != nil {
			return nil, err
		}
		message, err := socket.Recv()
		return message.Bytes(), err
	}
}

func overLines(input *bufio.Reader) exchange {
	return func(reply []byte) ([]byte, error) {
		if _, err := os.Stdout.Write(append(reply, '\n')); err != nil {
			return nil, err
		}
		return input.ReadBytes('\n')
	}
}

// conversation is a bot's side of it, bytes to bytes: no socket, no clock.
type conversation struct {
	bot Bot
	rng *rand.Rand
}

// answer returns the reply to a message; nil: the bot is to exit.
func (c *conversation) answer(message []byte) ([]byte, error) {
	var kind struct{ Type string }
	if err := json.Unmarshal(message, &kind); err != nil {
		return nil, err
	}
	switch kind.Type {
	case "turn":
		return answered(message, c.turn)
	case "start":
		return answered(message, c.start)
	case "end":
		return answered(message, c.end)
	case "bye":
		return nil, nil
	case "error":
		return answered(message, complaint)
	}
	return nil, fmt.Errorf("the arena sent a message of unknown type: %s", kind.Type)
}

// answered reads a message as what it is, and has it answered.
func answered[T any](message []byte, answer func(*T) (any, error)) ([]byte, error) {
	var read T
	if err := json.Unmarshal(message, &read); err != nil {
		return nil, err
	}
	reply, err := answer(&read)
	if err != nil {
		return nil, err
	}
	return encoded(reply), nil
}

func (c *conversation) start(start *Start) (any, error) {
	seed := [2]uint64{}
	for i := range seed {
		var err error
		if seed[i], err = strconv.ParseUint(start.BotSeed[16*i:16*i+16], 16, 64); err != nil {
			return nil, err
		}
	}
	c.rng = rand.New(rand.NewPCG(seed[0], seed[1]))
	if c.bot.Started != nil {
		c.bot.Started(start)
	}
	return Ready{Type: "ready", GameID: start.GameID}, nil
}

func (c *conversation) turn(turn *Turn) (any, error) {
	choice := c.bot.Choose(turn, c.rng)
	if !slices.Contains(turn.Legal, choice.Action) {
		// Sent all the same: the referee is the judge.
		fmt.Fprintln(os.Stderr, "not one of the legal actions:", choice.Action)
	}
	move := Move{Type: "move", GameID: turn.GameID, Turn: turn.Turn, Action: choice.Action}
	if choice.Note != "" {
		move.Note = &choice.Note
	}
	return move, nil
}

func (c *conversation) end(end *End) (any, error) {
	if c.bot.Ended != nil {
		c.bot.Ended(end)
	}
	return Ready{Type: "ready", GameID: end.GameID}, nil
}

func complaint(said *Error) (any, error) {
	place := said.Path
	if place == "" {
		place = "message"
	}
	return nil, fmt.Errorf("the arena complains: %s at %s: %s", said.Code, place, said.Detail)
}

func hello(bot Bot, token string) []byte {
	sdk := "kingmaker-go/1"
	hello := Hello{Type: "hello", Protocol: []int64{1}, Token: token, SDK: &sdk}
	if bot.NoEvents {
		hello.Features = []string{"no_events"}
	}
	return encoded(hello)
}

// encoded is a message as JSON, without the escapes that are meant for web pages.
func encoded(message any) []byte {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(message); err != nil {
		panic(err) // no message of ours holds what JSON cannot say
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n"))
}
