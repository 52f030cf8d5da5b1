// my-bot: a bot for the Mau-Mau arena. README.md has the commands.
package main

import "maumau"

type myBot struct{ maumau.Base }

func (bot *myBot) Choose(ask *maumau.Ask) maumau.Action {
	// Think here. Each entry of ask.Legal is a whole answer; ask.View is the position.
	best, dearest := ask.Legal[0], -1
	for _, action := range ask.Legal {
		if action.Do == "play" && maumau.CardPoints(action.Card, nil) > dearest { // the dearest card first
			best, dearest = action, maumau.CardPoints(action.Card, nil)
		}
	}
	return best
}

func newBot() maumau.Bot { return &myBot{} }

func main() {
	maumau.Run(newBot, maumau.Options{Name: "my-bot", Games: 64})
}
