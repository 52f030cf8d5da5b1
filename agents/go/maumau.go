// Package maumau is what a bot needs to play in the Mau-Mau arena: maumau/1 in one file, the standard library only.
//
//	type MyBot struct{ maumau.Base }
//
//	func (bot *MyBot) Choose(ask *maumau.Ask) maumau.Action {
//		return maumau.Pick(&bot.Base, ask.Legal)
//	}
//
//	func main() {
//		maumau.Run(func() maumau.Bot { return &MyBot{} }, maumau.Options{Name: "my bot"})
//	}
//
// Messages are structures with the members of the protocol; protocol/SPEC.md describes them. Run makes one bot for each
// game, so a process can play many games at once without mixing them up.
package maumau

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Protocol is the protocol that the kit speaks.
const Protocol = "maumau/1"

const (
	maxNameChars  = 64
	maxNoteBytes  = 4096
	maxCrashChars = 1000
	readBytes     = 1 << 16
	patience      = time.Millisecond // answers are gathered for one write only as long as this
)

// <messages> made from the protocol's types by a test of agents/sdk

// Limits: The limits that the arena announces in `hello`.
type Limits struct {
	LineBytes   int `json:"line_bytes"`    // Bytes in a line, newline included, in either direction.
	LinesPerAsk int `json:"lines_per_ask"` // Lines one agent may send while one ask is open.
	Says        int `json:"says"`          // Utterances in an action.
	SayChars    int `json:"say_chars"`     // Characters in an utterance.
	NoteBytes   int `json:"note_bytes"`    // Bytes of JSON in a note.
	Games       int `json:"games"`         // Games in one process.
}

// Hello: First line of every process.
type Hello struct {
	Protocol string `json:"protocol"` // The protocol that the arena speaks: `maumau/1`.
	Arena    string `json:"arena"`    // The version of the arena.
	Limits   Limits `json:"limits"`   // Limits on what is sent: of the lines in either direction, and of what an agent may send.
	Clock    string `json:"clock"`    // How answers are put in order. (lockstep, live)
}

// TimeControl: The time a seat has.
type TimeControl struct {
	MoveMs      int `json:"move_ms"`      // Milliseconds for one answer.
	BankMs      int `json:"bank_ms"`      // Milliseconds a seat may overdraw in a whole game, beyond `move_ms` of each answer.
	IncrementMs int `json:"increment_ms"` // Milliseconds that each answer in time adds to the bank.
	StartMs     int `json:"start_ms"`     // Milliseconds from the start of a process to its `ready`.
	GraceMs     int `json:"grace_ms"`     // Live clock: milliseconds for words that are due (G-13).
	ReactionMs  int `json:"reaction_ms"`  // Live clock: milliseconds that others have to answer before the seat to move is heard (G-13).
	ClosingMs   int `json:"closing_ms"`   // Live clock: milliseconds after a last card (G-13).
	CountMs     int `json:"count_ms"`     // Live clock: milliseconds of a count of ten (G-13).
}

// Start: A game begins.
type Start struct {
	Game       string         `json:"game"`                  // The game.
	Seat       int            `json:"seat"`                  // The agent's seat.
	Names      []string       `json:"names"`                 // The names of all seats, in order; `seat-0`, `seat-1` and so on where the organiser hides them.
	RuleSet    string         `json:"rule_set"`              // The name of the rule set.
	Rounds     int            `json:"rounds"`                // Rounds of the match.
	Time       TimeControl    `json:"time"`                  // The time a seat has.
	MaxStrikes int            `json:"max_strikes"`           // Conduct faults after which the agent is dismissed.
	Commitment string         `json:"commitment"`            // The commitment to the game's seed, 64 hexadecimal digits (SPEC 8.10).
	Seed       string         `json:"seed"`                  // A seed for the agent's own use, 16 hexadecimal digits, the same whenever this game is played again.
	PublicSeed bool           `json:"public_seed,omitempty"` // True if the organiser says that agents may know the run's seed, and so every card (SPEC 8.1).
	Rules      map[string]any `json:"rules,omitempty"`       // The resolved rule set; only for an agent that wants `rules`, and if a line holds it.
}

// Choice: A suit, a rank or a seat that a card lets its player name.
type Choice struct {
	Rank string `json:"rank,omitempty"` // A value.
	Seat *int   `json:"seat,omitempty"` // A seat.
	Suit string `json:"suit,omitempty"` // A suit.
}

// Event: An event as one seat may see it.
type Event struct {
	Event     string   `json:"event"`               // What it is.
	Against   *int     `json:"against,omitempty"`   // The accused.
	Apart     bool     `json:"apart,omitempty"`     // True if the words were said by themselves, and not with a card that is played, drawn or taken, a pass or a choice: words that are due with a card are said with it or after it (G-24, P-59).
	As        string   `json:"as,omitempty"`        // The card for which it stands, if it stands for another (G-79).
	At        *int     `json:"at,omitempty"`        // At whom.
	Back      bool     `json:"back,omitempty"`      // Whether it is the change back.
	By        *int     `json:"by,omitempty"`        // The accuser.
	Card      string   `json:"card,omitempty"`      // The card.
	Cards     []string `json:"cards,omitempty"`     // The cards; absent for others.
	Choose    *Choice  `json:"choose,omitempty"`    // What was named with it.
	Count     *int     `json:"count,omitempty"`     // How many cards.
	Dealer    *int     `json:"dealer,omitempty"`    // Who deals.
	Direction string   `json:"direction,omitempty"` // The direction of play. (cw, ccw)
	End       string   `json:"end,omitempty"`       // How it ended. (won, turn_cap, blocked)
	Fault     string   `json:"fault,omitempty"`     // For what.
	For       string   `json:"for,omitempty"`       // Towards what. (draw, play)
	From      *int     `json:"from,omitempty"`      // From whose hand.
	Hand      []string `json:"hand,omitempty"`      // The cards left.
	Offer     []string `json:"offer,omitempty"`     // The names of the rules, in alphabetical order.
	Open      bool     `json:"open,omitempty"`      // Whether they leave a run open for the next player (G-73).
	Overdue   bool     `json:"overdue,omitempty"`   // Whether the referee carried it out because it was overdue, which is a mistake of the seat that takes (N-106).
	Place     *int     `json:"place,omitempty"`     // Its place in the round, from 1.
	Points    *int     `json:"points,omitempty"`    // Points of this round.
	Reason    string   `json:"reason,omitempty"`    // Why. (a word of SPEC's Reason)
	Round     *int     `json:"round,omitempty"`     // Counted from 1.
	Rule      string   `json:"rule,omitempty"`      // The name of the rule.
	Sealed    bool     `json:"sealed,omitempty"`    // Whether its owner may not look at it yet.
	Seat      *int     `json:"seat,omitempty"`      // Whose hand.
	Seats     []int    `json:"seats,omitempty"`     // Both seats.
	Shown     bool     `json:"shown,omitempty"`     // The card was played openly before it was refused: everybody saw it.
	Suit      string   `json:"suit,omitempty"`      // The suit.
	Text      string   `json:"text,omitempty"`      // The words.
	To        *int     `json:"to,omitempty"`        // To whom.
	Total     *int     `json:"total,omitempty"`     // Points of the match so far.
	Upheld    bool     `json:"upheld,omitempty"`    // Whether it was upheld.
	Why       string   `json:"why,omitempty"`       // Why.
	Winners   []int    `json:"winners,omitempty"`   // The winners; nobody where the turn cap was reached.
}

// Action: A verb and the words spoken with it.
type Action struct {
	Do      string   `json:"do"`                // What it is. (a word of SPEC's Verb)
	Against *int     `json:"against,omitempty"` // The accused.
	As      string   `json:"as,omitempty"`      // The card for which it stands.
	At      *int     `json:"at,omitempty"`      // The loud seat.
	Card    string   `json:"card,omitempty"`    // The card, which must be in the seat's hand.
	Cards   []string `json:"cards,omitempty"`   // The cards, which must be in the seat's hand, in the order in which they are played: the last one lies on top.
	Choose  *Choice  `json:"choose,omitempty"`  // What the card lets its player name.
	Close   *bool    `json:"close,omitempty"`   // False leaves a run open for the next player, where the rules let it; a list of one card is then possible (G-73).
	Fault   string   `json:"fault,omitempty"`   // The name of the fault; an unknown one is a call that is not upheld.
	For     string   `json:"for,omitempty"`     // Towards what. (draw, play)
	From    *int     `json:"from,omitempty"`    // The hand to take from.
	Rank    string   `json:"rank,omitempty"`    // A value.
	Rule    string   `json:"rule,omitempty"`    // The name of the rule in the menu, one of the offer.
	Say     []string `json:"say,omitempty"`     // What is said with it, heard before its effects (G-11).
	Suit    string   `json:"suit,omitempty"`    // A suit.
	Text    string   `json:"text,omitempty"`    // The words.
	To      []int    `json:"to,omitempty"`      // The receivers.
}

// RuleChoice: A choice of a rule to add.
type RuleChoice struct {
	By    int      `json:"by"`    // Who chooses.
	Offer []string `json:"offer"` // The names of the rules that can be chosen, in alphabetical order.
}

// Race: A card that either neighbour of its player may answer.
type Race struct {
	By int `json:"by"` // Who played it.
}

// Request: A value or suit that the whole table has to serve.
type Request struct {
	By   int    `json:"by"`             // By whom.
	Rank string `json:"rank,omitempty"` // A value.
	Seat *int   `json:"seat,omitempty"` // A seat.
	Suit string `json:"suit,omitempty"` // A suit.
}

// OpenRun: A run of a suit that the next player may go on with.
type OpenRun struct {
	Suit string `json:"suit"` // The suit of its cards.
	By   int    `json:"by"`   // Who opened it, or played its last card.
}

// TakeOrder: An instruction to take a card from another hand.
type TakeOrder struct {
	By   int `json:"by"`   // Who has to take it.
	From int `json:"from"` // From whose hand.
}

// Pending: What stands between the seat to move and an ordinary play. Absent, 0 and `null` mean the same.
type Pending struct {
	Again      *int        `json:"again,omitempty"`       // The seat that may play a further card.
	Anything   bool        `json:"anything,omitempty"`    // Anything may be played.
	Challenge  *int        `json:"challenge,omitempty"`   // The seat that may challenge the card which makes it owe cards.
	Choose     *int        `json:"choose,omitempty"`      // The seat that must name a suit.
	ChooseRule *RuleChoice `json:"choose_rule,omitempty"` // A rule of the menu has to be added, before the next round (G-74).
	Closing    bool        `json:"closing,omitempty"`     // Whether a hand is empty and the round closes unless that changes.
	Draw       *int        `json:"draw,omitempty"`        // Cards owed.
	DrawKind   string      `json:"draw_kind,omitempty"`   // The kind of the debt, as the rule set names it.
	Drawn      *int        `json:"drawn,omitempty"`       // Cards that the seat to move has drawn in this turn.
	Joker      *Race       `json:"joker,omitempty"`       // The race of the neighbours of a joker's player.
	OwedTurn   *int        `json:"owed_turn,omitempty"`   // The seat that has played a free card in its turn and still owes the turn.
	Request    *Request    `json:"request,omitempty"`     // The value or suit that the whole table has to serve.
	Run        *OpenRun    `json:"run,omitempty"`         // The run that is open, which the seat to move may go on with.
	Sevens     *int        `json:"sevens,omitempty"`      // Cards that lie one on another and make the debt, where it is drawn one by one.
	Skip       *int        `json:"skip,omitempty"`        // Players to be suspended, beginning with the seat to move.
	SkipVictim *int        `json:"skip_victim,omitempty"` // The seat that is skipped unless it answers.
	Snap       bool        `json:"snap,omitempty"`        // The player of the next card owes the word for two identical cards.
	Suit       string      `json:"suit,omitempty"`        // The suit that must be served: wished, or the top card's own where a wish was possible and not made.
	SuitOpen   bool        `json:"suit_open,omitempty"`   // A suit must be stated, by anybody, before a card has to be of it.
	Take       *TakeOrder  `json:"take,omitempty"`        // The oldest instruction to take a card.
}

// View: Everything that a seat may know of the present position (G-08). Lists by seat are in seat order.
type View struct {
	Hand         []string `json:"hand"`                     // The seat's own cards, by suit (C, D, H, S) and in a suit from two to ace, jokers last.
	Direction    string   `json:"direction"`                // The direction of play. (cw, ccw)
	Hands        []int    `json:"hands"`                    // The number of cards in each hand.
	DrawPile     int      `json:"draw_pile"`                // The number of cards in the draw pile.
	Pending      Pending  `json:"pending"`                  // What the seat to move faces.
	Round        int      `json:"round"`                    // The round, counted from 1.
	Rounds       int      `json:"rounds"`                   // The rounds of the match.
	Dealer       int      `json:"dealer"`                   // Who dealt.
	Points       []int    `json:"points"`                   // Points of each seat in the match so far.
	Wins         []int    `json:"wins"`                     // Rounds won by each seat so far.
	MauSaid      []int    `json:"mau_said,omitempty"`       // Seats that hold one card and have said so.
	NotLooked    []int    `json:"not_looked,omitempty"`     // Seats that have not looked at their cards yet.
	Out          []int    `json:"out,omitempty"`            // Seats that are out of the round.
	PointOfOrder *int     `json:"point_of_order,omitempty"` // The seat whose point of order lasts.
	Rules        []string `json:"rules,omitempty"`          // The rules of the menu that hold, by name, in the order in which they were added.
	Sealed       []int    `json:"sealed,omitempty"`         // The number of sealed cards in each hand; absent where there are none.
	Top          string   `json:"top,omitempty"`            // The top card of the discard pile; absent where the pile is empty.
	Turn         *int     `json:"turn,omitempty"`           // The seat to move; absent between rounds.
	TurnsLost    []int    `json:"turns_lost,omitempty"`     // The turns that each seat has still to miss; absent where no seat can lose several.
	Visible      string   `json:"visible,omitempty"`        // The card that counts, if it is not the top card: the one below cards that are as if they were not there, or the one for which the top card stands (G-79).
}

// Ask: An answer is wanted.
type Ask struct {
	Game   string   `json:"game"`             // The game.
	ID     string   `json:"id"`               // The id to repeat in the answer.
	Seat   int      `json:"seat"`             // The agent's seat.
	What   string   `json:"what"`             // What kind of answer. (turn, react, choose, deal)
	TimeMs int      `json:"time_ms"`          // Milliseconds until the deadline, counted from when the line was written.
	AsOf   int      `json:"as_of"`            // The number of the last event so far.
	Events []Event  `json:"events,omitempty"` // Events since the last line of this game; for an agent that wants `events`.
	Legal  []Action `json:"legal,omitempty"`  // The actions that would be accepted, each with the words that the rules want said with it; for an agent that wants `legal`. Never empty where it stands.
	View   *View    `json:"view,omitempty"`   // The position; for an agent that wants `view`.
}

// Tell: Something happened and nothing is asked.
type Tell struct {
	Game   string  `json:"game"`   // The game.
	Events []Event `json:"events"` // What happened since the last line of this game.
}

// Fault: A line or an action was wrong.
type Fault struct {
	Fault   string `json:"fault"`          // The name in the fault table.
	Message string `json:"message"`        // What was expected, what came, where.
	Clause  string `json:"clause"`         // The rule clause or SPEC clause.
	Cards   int    `json:"cards"`          // Penalty cards that it cost.
	Strikes int    `json:"strikes"`        // Conduct faults of this seat in this game so far.
	Open    bool   `json:"open"`           // Whether the ask is still open, so that another answer may be sent before its deadline.
	Game    string `json:"game,omitempty"` // The game it counts in; absent before the first game.
	ID      string `json:"id,omitempty"`   // The ask that it belongs to, where one is open.
}

// GameResult: The result of a match. Lists are in seat order.
type GameResult struct {
	Places    []int `json:"places"`          // The place of each seat, 1 for the first; equal seats share the better place.
	Points    []int `json:"points"`          // Points of each seat.
	Wins      []int `json:"wins"`            // Rounds won by each seat.
	Rounds    int   `json:"rounds"`          // Rounds played.
	Dismissed []int `json:"dismissed"`       // Seats that were dismissed.
	Unwon     *int  `json:"unwon,omitempty"` // Rounds that no seat has won, if any: their places follow from the hands as they stood (G-23).
}

// Over: A game is over.
type Over struct {
	Game   string     `json:"game"`             // The game.
	Result GameResult `json:"result"`           // The result.
	Events []Event    `json:"events,omitempty"` // What happened since the last line of this game.
	Seed   string     `json:"seed,omitempty"`   // The game's seed, 64 hexadecimal digits; absent unless all other games of the deal were stored when this one began (SPEC 8.10).
}

// Bye: The process is no longer needed and should end.
type Bye struct {
	Reason string `json:"reason"` // Why, in a sentence.
}

var verbs = map[string]bool{
	"play":               true,
	"draw":               true,
	"pass":               true,
	"challenge":          true,
	"say":                true,
	"call":               true,
	"choose":             true,
	"take":               true,
	"deal":               true,
	"deal_penalties":     true,
	"turn_up":            true,
	"look":               true,
	"reach":              true,
	"glare":              true,
	"point_of_order":     true,
	"end_point_of_order": true,
	"count":              true,
	"pick_up":            true,
	"wait":               true,
}

// </messages>

var points = map[string]int{"J": 20, "A": 11, "T": 10, "9": 9, "8": 8, "7": 7, "K": 3, "Q": 3}

// CardPoints are the points against a seat that is left with card: by the table of rules, or for nil by that of skat.
func CardPoints(card string, rules map[string]any) int {
	rank := card[:1]
	if rules == nil {
		return points[rank]
	}
	scoring, _ := rules["scoring"].(map[string]any)
	table, _ := scoring["points"].(map[string]any)
	value, ok := table[card].(float64)
	if !ok {
		value, _ = table[rank].(float64)
	}
	return int(value)
}

// The suits, the ranks and the other cards of each pack, in the order of a deck.
var packs = map[string]struct {
	suits, ranks string
	others       []string
}{
	"french":    {"CDHS", "23456789TJQKA", nil},
	"colours":   {"BGRY", "23456789NVP01", []string{"W0", "W4"}},
	"waterfall": {"BGRY", "M3456789NVPF1", []string{"W0", "WF", "WK"}},
}

// Whether a list of values, suits and cards names card. The letters of a wild card stand for nothing by themselves.
func among(card string, list any) bool {
	var names []string
	switch list := list.(type) {
	case string:
		names = strings.Fields(list)
	case []any:
		for _, name := range list {
			names = append(names, fmt.Sprint(name))
		}
	}
	for _, name := range names {
		if name == card || (card[0] != 'W' && (name == card[:1] || name == card[1:])) {
			return true
		}
	}
	return false
}

// Deck holds all cards of a table of so many seats, each as often as it is there. The rules are those of start.
func Deck(rules map[string]any, seats int) []string {
	deck, _ := rules["deck"].(map[string]any)
	name, isNamed := deck["pack"].(string)
	if !isNamed {
		name = "french"
	}
	var cards []string
	for _, suit := range strings.Split(packs[name].suits, "") {
		for _, rank := range strings.Split(packs[name].ranks, "") {
			cards = append(cards, rank+suit)
		}
	}
	copies, _ := deck["copies"].([]any)
	named := forSeats(deck["cards"], seats)
	var pack []string
	for _, card := range append(cards, packs[name].others...) {
		if !among(card, named) {
			continue
		}
		count := 1.0
		for _, item := range copies {
			if row, _ := item.(map[string]any); among(card, row["cards"]) {
				count, _ = row["is"].(float64)
				break
			}
		}
		for ; count > 0; count-- {
			pack = append(pack, card)
		}
	}
	jokers, _ := deck["jokers"].(float64)
	for ; jokers > 0; jokers-- {
		pack = append(pack, "XX")
	}
	times, isNumber := forSeats(deck["packs"], seats).(float64)
	if !isNumber {
		times = 1
	}
	var all []string
	for ; times > 0; times-- {
		all = append(all, pack...)
	}
	return all
}

// A value, or that of the row for this number of seats.
func forSeats(value any, seats int) any {
	rows, _ := value.([]any)
	for _, item := range rows {
		row, _ := item.(map[string]any)
		bounds, _ := row["seats"].([]any)
		if len(bounds) == 2 && bounds[0].(float64) <= float64(seats) && float64(seats) <= bounds[1].(float64) {
			return row["is"]
		}
	}
	return value
}

// NextSeat is the seat after seat in the direction of play, if nobody is skipped.
func NextSeat(view *View, seat int) int {
	seats := len(view.Hands)
	if view.Direction == "cw" {
		return (seat + 1) % seats
	}
	return (seat + seats - 1) % seats
}

// Fits lists the cards that may be played now, each once, in the order of Legal.
func Fits(ask *Ask) []string {
	var cards []string
	seen := map[string]bool{}
	for _, action := range ask.Legal {
		if action.Do == "play" && !seen[action.Card] {
			seen[action.Card] = true
			cards = append(cards, action.Card)
		}
	}
	return cards
}

// A CardCounter keeps count of the cards that a seat has not seen; for a bot that wants "events" and "rules".
type CardCounter struct{ deck, played []string }

// NewCardCounter makes one for the rules of start.
func NewCardCounter(rules map[string]any, seats int) *CardCounter {
	return &CardCounter{deck: Deck(rules, seats)}
}

// See takes the events of an ask, a tell or an over, in order.
func (counter *CardCounter) See(events []Event) {
	for _, event := range events {
		last := len(counter.played) - 1
		switch event.Event {
		case "turned_up", "played":
			counter.played = append(counter.played, event.Card)
		case "reshuffled": // all but the top card
			if last >= 0 {
				counter.played = []string{counter.played[last]}
			}
		case "taken_back":
			if last >= 0 {
				counter.played = counter.played[:last]
			}
		case "round_started":
			counter.played = nil
		}
	}
}

// Unseen lists the cards in other hands and in the draw pile, in the order of the deck, for a seat that holds hand.
func (counter *CardCounter) Unseen(hand []string) []string {
	known := map[string]int{}
	for _, card := range counter.played {
		known[card]++
	}
	for _, card := range hand {
		known[card]++
	}
	var unseen []string
	for _, card := range counter.deck {
		if known[card] > 0 {
			known[card]--
		} else {
			unseen = append(unseen, card)
		}
	}
	return unseen
}

// Commitment is what start must have published for a game whose seed is seed (64 hexadecimal digits).
func Commitment(game, seed string) string {
	bytes, err := hex.DecodeString(seed)
	if err != nil {
		return ""
	}
	digest := sha256.Sum256([]byte("maumau/1 commitment\x00" + game + "\x00" + string(bytes)))
	return hex.EncodeToString(digest[:])
}

// A Bot is the player of one game. Embed Base, which has all methods but Choose.
type Bot interface {
	// Choose answers ask: with one of ask.Legal, or with an action made by hand like Action{Do: "draw"}.
	//
	// Legal holds the actions that this kit knows; those of a later version of the protocol are left out. A legal action
	// says what the rules want said with it; one made by hand says what its Say holds.
	Choose(ask *Ask) Action
	// Start: the game begins. The members of Base are set.
	Start(start *Start)
	// Tell: something happened while nothing is asked; only for a bot that wants "events".
	Tell(tell *Tell)
	// Fault: something was wrong. Where fault.Open, an action returned here answers the same ask again.
	Fault(fault *Fault) *Action
	// Over: the game is over; the bot is not used again.
	Over(over *Over)

	base() *Base
}

// Base is what every bot has: facts about its game, and methods that may stay as they are.
type Base struct {
	Game  string         // the name of the game
	Seat  int            // your seat; seats are counted clockwise from 0
	Names []string       // the names of all seats, in order
	Rules map[string]any // the resolved rule set, if Wants includes "rules"
	Asked *Ask           // the last ask of this game
	// Random is seeded by the arena: draw from it, and a game that is played again goes the same way.
	Random *rand.Rand

	agent      *Agent
	commitment string
	crash      string
}

func (base *Base) base() *Base { return base }

// Start does nothing.
func (base *Base) Start(*Start) {}

// Tell does nothing.
func (base *Base) Tell(*Tell) {}

// Over does nothing.
func (base *Base) Over(*Over) {}

// Fault reports the fault on stderr and answers an open ask with its first legal action.
func (base *Base) Fault(fault *Fault) *Action {
	complain("%s in game %s: %s (%s)", fault.Fault, base.Game, fault.Message, fault.Clause)
	if asked := base.Asked; fault.Open && asked != nil && asked.ID == fault.ID && len(asked.Legal) > 0 {
		return &asked.Legal[0]
	}
	return nil
}

// Note puts any JSON value of at most 4 KiB into the game's record, such as your view of the position.
func (base *Base) Note(note any) {
	line, err := json.Marshal(map[string]any{"type": "note", "game": base.Game, "note": note})
	if err != nil {
		complain("a note was dropped, for it is no JSON: %v", err)
	} else if len(line) > maxNoteBytes {
		complain("a note of %d bytes was dropped; at most %d", len(line), maxNoteBytes)
	} else if base.agent != nil { // no game takes notes after its end
		base.agent.out.Write(append(line, '\n'))
	}
}

// Pick is any element of a list, each as likely as the others.
func Pick[T any](base *Base, list []T) T {
	return list[base.Random.Intn(len(list))]
}

// Options are how a bot introduces itself. The zero value of each member means its default.
type Options struct {
	Name    string   // at most 64 characters
	Version string   // at most 64 characters
	Wants   []string // what an ask should hold: "view", "legal", "events"; and "rules" for the rules. By default view and legal
	Ticks   bool     // be asked at every opportunity to act, not only when there is a card to play
	// Games is how many games this process plays at once, by default 1. Their asks are answered one after another and each
	// has its own deadline, so leave it at 1 if the bot thinks for long.
	Games int
	// Plays is what the bot was made for, by default every game. A league with others is not begun.
	Plays *Plays
}

// Plays lists rule sets and sizes of tables; a nil member means all.
type Plays struct {
	Rules []string `json:"rules,omitempty"`
	Seats []int    `json:"seats,omitempty"`
}

// An Agent is a process's side of the protocol without its pipes: lines of the arena go in, lines for it come out.
type Agent struct {
	Done bool // whether the arena has said bye

	makeBot     func() Bot
	options     Options
	bots        map[string]Bot
	out         bytes.Buffer
	isRehearsal bool
}

// NewAgent makes an agent; the error names a mistake in the options.
func NewAgent(makeBot func() Bot, options Options) (*Agent, error) {
	if utf8.RuneCountInString(options.Name) > maxNameChars || utf8.RuneCountInString(options.Version) > maxNameChars {
		return nil, fmt.Errorf("Name and Version have at most %d characters", maxNameChars)
	}
	if options.Wants == nil {
		options.Wants = []string{"view", "legal"}
	}
	for _, want := range options.Wants {
		if want != "view" && want != "legal" && want != "events" && want != "rules" {
			return nil, fmt.Errorf("Wants holds %q; it is a list of some of view, legal, events, rules", want)
		}
	}
	if options.Games == 0 {
		options.Games = 1
	}
	if options.Games < 0 {
		return nil, fmt.Errorf("Games is %d; at least 1", options.Games)
	}
	return &Agent{makeBot: makeBot, options: options, bots: map[string]Bot{}}, nil
}

// errRefused ends an agent that cannot talk to its arena.
var errRefused = errors.New("another protocol")

// Receive takes a line and returns the lines to send. The error says that the arena speaks another protocol.
func (agent *Agent) Receive(line []byte) ([]byte, error) {
	agent.out.Reset()
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return nil, nil
	}
	if err := agent.handle(line); errors.Is(err, errRefused) {
		return nil, err
	} else if err != nil { // one game's misfortune must not end the others of this process
		shown := line
		if len(shown) > 200 {
			shown = shown[:200]
		}
		complain("could not deal with this line of the arena: %s\n%v", shown, err)
	}
	return agent.out.Bytes(), nil
}

// Reads a message; members of a later version that have another type are left out.
func read(line []byte, message any) error {
	err := json.Unmarshal(line, message)
	var other *json.UnmarshalTypeError
	if errors.As(err, &other) && other.Field != "" {
		return nil
	}
	return err
}

func (agent *Agent) handle(line []byte) error {
	var head struct {
		Type string `json:"type"`
		Game string `json:"game"`
	}
	if err := read(line, &head); err != nil {
		return err
	}
	bot := agent.bots[head.Game]
	if bot == nil && (head.Type == "ask" || head.Type == "tell" || head.Type == "over") {
		return fmt.Errorf("no game %s has been started", head.Game)
	}
	switch head.Type {
	case "ask":
		ask := new(Ask)
		if err := read(line, ask); err != nil {
			return err
		}
		return agent.ask(bot, ask, line)
	case "tell":
		tell := new(Tell)
		if err := read(line, tell); err != nil {
			return err
		}
		agent.call(bot, "in Tell", func() { bot.Tell(tell) })
	case "fault":
		fault := new(Fault)
		if err := read(line, fault); err != nil {
			return err
		}
		agent.fault(bot, fault)
	case "start":
		start := new(Start)
		if err := read(line, start); err != nil {
			return err
		}
		return agent.start(start)
	case "over":
		over := new(Over)
		if err := read(line, over); err != nil {
			return err
		}
		delete(agent.bots, head.Game)
		base := bot.base()
		base.agent = nil
		if over.Seed != "" && Commitment(over.Game, over.Seed) != base.commitment {
			complain("the seed of game %s is not the one that the arena was committed to", over.Game)
		}
		agent.call(bot, "in Over", func() { bot.Over(over) })
	case "hello":
		return agent.hello(line)
	case "bye":
		agent.Done = true
	}
	return nil
}

func (agent *Agent) hello(line []byte) error {
	var hello Hello
	if err := read(line, &hello); err != nil {
		return err
	}
	if major, _, _ := strings.Cut(hello.Protocol, "."); major != Protocol {
		return fmt.Errorf("this agent speaks %s and the arena %s: they cannot play together: %w", Protocol, hello.Protocol, errRefused)
	}
	games := agent.options.Games
	if games > hello.Limits.Games {
		games = hello.Limits.Games
	}
	ready := map[string]any{
		"type": "ready", "protocol": Protocol, "name": agent.options.Name, "version": agent.options.Version,
		"wants": agent.options.Wants, "ticks": agent.options.Ticks, "games": games,
	}
	if agent.options.Plays != nil {
		ready["plays"] = agent.options.Plays
	}
	return agent.send(ready)
}

func (agent *Agent) start(start *Start) error {
	bot := agent.make(start.Game)
	base := bot.base()
	seed, err := strconv.ParseUint(start.Seed, 16, 64)
	if err != nil {
		return err
	}
	numbers := splitMix(seed)
	base.Game, base.Seat, base.Names, base.Rules = start.Game, start.Seat, start.Names, start.Rules
	base.Random, base.agent, base.commitment = rand.New(&numbers), agent, start.Commitment
	agent.bots[start.Game] = bot
	agent.call(bot, "in Start", func() { bot.Start(start) })
	return nil
}

// A bot; in the place of one that could not be made, one that fails at every ask for that reason.
func (agent *Agent) make(game string) (bot Bot) {
	if !agent.isRehearsal {
		defer func() {
			if problem := recover(); problem != nil {
				complain("the bot of game %s could not be made: %v\n%s", game, problem, debug.Stack())
				bot = &unmade{problem: problem}
			}
		}()
	}
	return agent.makeBot()
}

type unmade struct {
	Base
	problem any
}

func (bot *unmade) Choose(*Ask) Action { panic(bot.problem) }

func (agent *Agent) ask(bot Bot, ask *Ask, line []byte) error {
	base := bot.base()
	base.Asked = ask
	known := ask.Legal[:0]
	for _, action := range ask.Legal {
		if verbs[action.Do] {
			known = append(known, action)
		}
	}
	if len(ask.Legal) > 0 && len(known) == 0 { // a later version wants something that no bot of this kit knows
		var raw struct {
			Legal []map[string]any `json:"legal"`
		}
		if err := read(line, &raw); err != nil {
			return err
		}
		act := raw.Legal[0]
		act["type"], act["game"], act["id"] = "act", ask.Game, ask.ID
		return agent.send(act)
	}
	ask.Legal = known
	so := ""
	fallback := Action{Do: map[string]string{"turn": "draw", "react": "wait"}[ask.What]}
	if len(known) > 0 {
		so, fallback = "; it plays the first legal action", known[0]
	}
	action := fallback
	agent.call(bot, "at ask "+ask.ID+so, func() {
		chosen := bot.Choose(ask)
		if chosen.Do == "" {
			panic("an Action without Do is no action; one is like Action{Do: \"draw\"}")
		}
		action = chosen
	})
	if action.Do == "" {
		return nil
	}
	return agent.act(base, ask.ID, action)
}

// Calls a method of the author's. If it panics, the author is told on stderr, and the arena with the next act.
func (agent *Agent) call(bot Bot, where string, method func()) {
	if !agent.isRehearsal {
		defer func() {
			if problem := recover(); problem != nil {
				base := bot.base()
				complain("the bot failed %s of game %s\npanic: %v\n%s", where, base.Game, problem, debug.Stack())
				if base.crash == "" {
					base.crash = sentence(problem)
				}
			}
		}()
	}
	method()
}

func (agent *Agent) fault(bot Bot, fault *Fault) {
	if bot == nil {
		complain("%s: %s (%s)", fault.Fault, fault.Message, fault.Clause)
		return
	}
	agent.call(bot, "in Fault", func() {
		if action := bot.Fault(fault); action != nil && fault.Open {
			if err := agent.act(bot.base(), fault.ID, *action); err != nil {
				panic(err)
			}
		}
	})
}

func (agent *Agent) act(base *Base, id string, action Action) error {
	crash := base.crash
	base.crash = ""
	return agent.send(struct {
		Type string `json:"type"`
		Game string `json:"game"`
		ID   string `json:"id"`
		Action
		Crash string `json:"crash,omitempty"`
	}{"act", base.Game, id, action, crash})
}

func (agent *Agent) send(message any) error {
	line, err := json.Marshal(message)
	if err == nil {
		agent.out.Write(append(line, '\n'))
	}
	return err
}

// Run plays until the arena says bye or goes away. makeBot is called once for each game.
//
// Standard output belongs to the arena: while this runs, whatever is printed goes to stderr.
func Run(makeBot func() Bot, options Options) {
	agent, err := NewAgent(makeBot, options)
	if err != nil {
		complain("%v", err)
		os.Exit(2)
	}
	if info, err := os.Stdin.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		complain("this is a bot; it now waits for an arena to speak to it. See agents/README.md.")
	}
	arena := os.Stdout
	os.Stdout = os.Stderr
	var rest, out []byte
	buffer := make([]byte, readBytes)
	for !agent.Done {
		count, err := os.Stdin.Read(buffer)
		if count == 0 || err != nil && err != io.EOF {
			return // the arena has gone
		}
		came := time.Now()
		rest = append(rest, buffer[:count]...)
		for !agent.Done {
			line, after, isWhole := bytes.Cut(rest, []byte{'\n'})
			if !isWhole {
				break
			}
			answers, err := agent.Receive(line)
			if err != nil {
				complain("%s", strings.TrimSuffix(err.Error(), ": "+errRefused.Error()))
				os.Exit(2)
			}
			rest, out = after, append(out, answers...)
			if len(out) > 0 && time.Since(came) >= patience {
				if _, err := arena.Write(out); err != nil {
					return
				}
				out = out[:0]
			}
		}
		rest = append([]byte(nil), rest...)
		if len(out) > 0 {
			if _, err := arena.Write(out); err != nil {
				return
			}
			out = out[:0]
		}
	}
}

// Rehearsed is an ask with its answer.
type Rehearsed struct {
	Ask    *Ask
	Action Action
}

// Rehearse sends a bot recorded lines of the arena, without an arena: those that `maumau feed GAME --seat N --lines` prints.
// A panic of the bot goes through, so that a test or a debugger stops at its line.
func Rehearse(makeBot func() Bot, lines string, options Options) ([]Rehearsed, error) {
	agent, err := NewAgent(makeBot, options)
	if err != nil {
		return nil, err
	}
	agent.isRehearsal = true
	var answers []Rehearsed
	for _, line := range strings.Split(lines, "\n") {
		agent.out.Reset()
		if strings.TrimSpace(line) == "" {
			continue
		}
		if err := agent.handle([]byte(line)); err != nil {
			return nil, err
		}
		for _, text := range bytes.Split(agent.out.Bytes(), []byte{'\n'}) {
			var act struct {
				Type string `json:"type"`
				Action
			}
			if len(text) == 0 || json.Unmarshal(text, &act) != nil || act.Type != "act" {
				continue
			}
			ask := new(Ask)
			if err := read([]byte(line), ask); err != nil {
				return nil, err
			}
			answers = append(answers, Rehearsed{ask, act.Action})
		}
	}
	return answers, nil
}

// What went wrong, and where: in the author's file, if that is known.
func sentence(problem any) string {
	text := fmt.Sprintf("panic: %v", problem)
	_, own, _, _ := runtime.Caller(0)
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers)])
	for more := true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		if frame.File != own && !strings.HasPrefix(frame.Function, "runtime.") {
			name := frame.Function[strings.LastIndex(frame.Function, ".")+1:]
			text += fmt.Sprintf(" (%s, line %d, in %s)", filepath.Base(frame.File), frame.Line, name)
			break
		}
	}
	if runes := []rune(text); len(runes) > maxCrashChars {
		return string(runes[:maxCrashChars])
	}
	return text
}

func complain(format string, values ...any) {
	fmt.Fprintf(os.Stderr, "maumau: "+format+"\n", values...)
}

// The generator of numbers SplitMix64, which costs nothing to seed.
type splitMix uint64

func (state *splitMix) Uint64() uint64 {
	*state += 0x9e3779b97f4a7c15
	mixed := uint64(*state)
	mixed = (mixed ^ mixed>>30) * 0xbf58476d1ce4e5b9
	mixed = (mixed ^ mixed>>27) * 0x94d049bb133111eb
	return mixed ^ mixed>>31
}

func (state *splitMix) Int63() int64 { return int64(state.Uint64() >> 1) }

func (state *splitMix) Seed(seed int64) { *state = splitMix(seed) }
