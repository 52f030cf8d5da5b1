// Plays the first legal action. Go, nothing to install.
//
//	go build first.go
package main

import (
	"bufio"
	"encoding/json"
	"log"
	"os"
	"strings"
)

type Action = map[string]any

// A Message holds what this bot reads of any message.
type Message struct {
	Type     string
	Protocol string
	Game     string
	ID       string
	View     json.RawMessage
	Legal    []Action
}

// choose: think here. Each entry of Legal is a whole answer, with the words that must be said; View is the position.
func choose(ask Message) Action {
	return ask.Legal[0]
}

func main() {
	log.SetFlags(0)
	lines, out := bufio.NewReader(os.Stdin), json.NewEncoder(os.Stdout) // which writes a line at once
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return // the arena has gone
		}
		var message Message
		if err := json.Unmarshal(line, &message); err != nil {
			log.Fatalf("first.go: %v in %s", err, line)
		}
		switch message.Type {
		case "hello":
			if !strings.HasPrefix(message.Protocol+".", "maumau/1.") {
				log.Println("first.go speaks maumau/1 and the arena", message.Protocol)
				os.Exit(2)
			}
			out.Encode(Action{"type": "ready", "protocol": "maumau/1", "name": "first.go", "games": 64})
		case "ask":
			action := choose(message)
			action["type"], action["game"], action["id"] = "act", message.Game, message.ID
			out.Encode(action)
		case "fault":
			log.Printf("%s", line)
		case "bye":
			return
		}
	}
}
