// Answers with the first legal action. Nothing but the runtime is under test: it checks no line and knows no rules.

package main

import (
	"bufio"
	"encoding/json"
	"os"
)

func main() {
	lines, out := bufio.NewReaderSize(os.Stdin, 1<<20), json.NewEncoder(os.Stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var message struct {
			Type, Game string
			Id         any
			Legal      []map[string]any
		}
		if json.Unmarshal(line, &message) != nil {
			os.Exit(1)
		}
		switch message.Type {
		case "hello":
			out.Encode(map[string]any{"type": "ready", "protocol": "maumau/1", "name": "go", "wants": []string{"legal"}})
		case "ask":
			act := message.Legal[0]
			act["type"], act["game"], act["id"] = "act", message.Game, message.Id
			out.Encode(act)
		case "bye":
			return
		}
	}
}
