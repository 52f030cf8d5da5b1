# Plays the first legal action.
#
#     jq --null-input --compact-output --unbuffered --from-file first.jq

# Think here. Each entry of `legal` is a whole answer, with the words that must be said; `view` is the position.
def choose: .legal[0];

def speaks_ours: .protocol == "maumau/1" or (.protocol | startswith("maumau/1."));

inputs
| if .type == "hello" then
    if speaks_ours then {type: "ready", protocol: "maumau/1", name: "first.jq", games: 64}
    else "first.jq speaks maumau/1 and the arena does not\n" | halt_error(2) end
  elif .type == "ask" then {type: "act", game, id} + choose
  elif .type == "fault" then stderr | empty
  elif .type == "bye" then halt
  else empty end
