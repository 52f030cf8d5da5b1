// The bot of the kits' suite in Go: it plays by the name of its game.
package main

import (
	"fmt"
	"maumau"
	"os"
	"strconv"
	"strings"
)

type suite struct {
	maumau.Base
	asks    int
	counter *maumau.CardCounter
}

func (bot *suite) fail(place string) {
	if bot.Game == "in-"+place {
		panic("no hands in " + place)
	}
}

func (bot *suite) Start(*maumau.Start) {
	if bot.Rules != nil {
		bot.counter = maumau.NewCardCounter(bot.Rules, len(bot.Names))
	}
	bot.fail("start")
}

func say(text string) maumau.Action { return maumau.Action{Do: "say", Text: text} }

func (bot *suite) Choose(ask *maumau.Ask) maumau.Action {
	bot.asks++
	bot.fail("choose")
	kind, _, _ := strings.Cut(bot.Game, "-")
	switch kind {
	case "last":
		return ask.Legal[len(ask.Legal)-1]
	case "count":
		return say(fmt.Sprint(bot.Game, " ", bot.asks))
	case "nothing":
		return maumau.Action{}
	case "print":
		fmt.Println("thinking aloud")
		return maumau.Action{Do: "draw"}
	case "dice":
		return say(fmt.Sprint(bot.Random.Float64()))
	case "note":
		if bot.asks == 1 {
			bot.Note(map[string]any{"win": 0.5})
		} else {
			bot.Note(strings.Repeat("x", 5000))
		}
	case "table":
		return say(bot.table(ask))
	}
	return ask.Legal[0]
}

func (bot *suite) table(ask *maumau.Ask) string {
	bot.counter.See(ask.Events)
	return fmt.Sprintf("next %d, fits %s, points %d %d %d, deck %d, unseen %d",
		maumau.NextSeat(ask.View, bot.Seat), strings.Join(maumau.Fits(ask), " "),
		maumau.CardPoints("JS", nil), maumau.CardPoints("JS", bot.Rules), maumau.CardPoints("7H", bot.Rules),
		len(maumau.Deck(bot.Rules, len(bot.Names))), len(bot.counter.Unseen(ask.View.Hand)))
}

func (bot *suite) Tell(*maumau.Tell) { bot.fail("tell") }

func (bot *suite) Fault(fault *maumau.Fault) *maumau.Action {
	bot.fail("fault")
	if bot.Game == "sorry" {
		return &maumau.Action{Do: "draw"}
	}
	return bot.Base.Fault(fault)
}

func (bot *suite) Over(*maumau.Over) {
	bot.fail("over")
	if bot.Game == "note" {
		bot.Note("too late")
	}
}

func main() {
	given := map[string]string{"name": "suite", "version": "1", "wants": "view,legal,events,rules", "games": "8"}
	for _, word := range os.Args[1:] {
		name, value, _ := strings.Cut(word, "=")
		given[name] = value
	}
	games, err := strconv.Atoi(given["games"])
	if err != nil {
		panic(err)
	}
	maumau.Run(func() maumau.Bot { return &suite{} }, maumau.Options{
		Name: given["name"], Version: given["version"], Wants: strings.Split(given["wants"], ","),
		Ticks: given["ticks"] == "true", Games: games,
	})
}
