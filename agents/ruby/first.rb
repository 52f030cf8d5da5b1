# Plays the first legal action. Ruby 3.1 or later, nothing to install.
#
#     ruby first.rb

require "json"

# Think here. Each entry of `legal` is a whole answer, with the words that must be said; `view` is the position.
def choose(ask)
  ask[:legal].first
end

def answer(message)
  puts JSON.generate(message)
end

$stdout.sync = true # the arena waits for each line

$stdin.each_line do |line|
  case JSON.parse(line, symbolize_names: true)
  in {type: "hello", protocol: %r{\Amaumau/1(\.|\z)}}
    answer type: "ready", protocol: "maumau/1", name: "first.rb", games: 64
  in {type: "hello", protocol:}
    warn "first.rb speaks maumau/1 and the arena #{protocol}"
    exit 2
  in {type: "ask", game:, id:} => ask
    answer type: "act", game:, id:, **choose(ask)
  in {type: "fault"}
    warn line
  in {type: "bye"}
    break
  else
    # a message that says nothing to this bot, or one of a later version
  end
end
