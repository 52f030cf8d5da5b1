// Feeds the bot a recorded game: lines.jsonl is what the arena sent a player of game.jsonl.
package main

import (
	"maumau"
	"os"
	"reflect"
	"testing"
)

func TestEveryAnswerIsLegal(t *testing.T) {
	lines, err := os.ReadFile("lines.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	answers, err := maumau.Rehearse(newBot, string(lines), maumau.Options{})
	if err != nil || len(answers) == 0 {
		t.Fatal(len(answers), "answers:", err)
	}
	for _, answer := range answers {
		isLegal := false
		for _, legal := range answer.Ask.Legal {
			isLegal = isLegal || reflect.DeepEqual(legal, answer.Action)
		}
		if !isLegal {
			t.Errorf("%+v is not legal", answer.Action)
		}
	}
}
