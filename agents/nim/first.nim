## Plays the first legal action. Nim, nothing to install.
##
##     nim compile -d:release first.nim

import std/[json, strutils]

proc choose(ask: JsonNode): JsonNode =
  ## Think here. Each entry of `legal` is a whole answer, with the words that must be said; `view` is the position.
  ask["legal"][0]

proc answer(message: JsonNode) =
  stdout.writeLine $message
  stdout.flushFile # the arena waits for each line

for line in stdin.lines:
  let message = parseJson(line)
  case message["type"].getStr
  of "hello":
    let protocol = message["protocol"].getStr
    if not startsWith(protocol & ".", "maumau/1."):
      stderr.writeLine "first.nim speaks maumau/1 and the arena ", protocol
      quit 2
    answer %*{"type": "ready", "protocol": "maumau/1", "name": "first.nim", "games": 64}
  of "ask":
    let act = choose(message)
    act["type"] = %"act"
    act["game"] = message["game"]
    act["id"] = message["id"]
    answer act
  of "fault":
    stderr.writeLine line
  of "bye":
    break
  else:
    discard # a message that says nothing to this bot, or one of a later version
