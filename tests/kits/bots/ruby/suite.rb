# frozen_string_literal: true

# The bot of the kits' suite in Ruby: it plays by the name of its game.

require_relative "maumau"

class Suite < Maumau::Bot
  def fail_in(place)
    raise "no hands in #{place}" if game == "in-#{place}"
  end

  def start(_start)
    @asks = 0
    @counter = Maumau::CardCounter.new(rules, names.length) if rules
    fail_in("start")
  end

  def choose(ask)
    @asks = @asks.to_i + 1
    fail_in("choose")
    case game.split("-")[0]
    when "last" then return ask[:legal].last
    when "count" then return say("#{game} #{@asks}")
    when "nothing" then return nil
    when "print"
      puts "thinking aloud"
      return { do: "draw" }
    when "dice" then return say(random.rand.to_s)
    when "note" then note(@asks == 1 ? { win: 0.5 } : "x" * 5000)
    when "table" then return say(table(ask))
    end
    ask[:legal].first
  end

  def say(text)
    { do: "say", text: text }
  end

  def table(ask)
    @counter.see(ask[:events])
    cost = [Maumau.card_points("JS"), Maumau.card_points("JS", rules), Maumau.card_points("7H", rules)]
    "next #{Maumau.next_seat(ask[:view], seat)}, fits #{Maumau.fits(ask).join(' ')}, points #{cost.join(' ')}, " \
      "deck #{Maumau.deck(rules, names.length).length}, unseen #{@counter.unseen(ask[:view][:hand]).length}"
  end

  def tell(_tell)
    fail_in("tell")
  end

  def fault(fault)
    fail_in("fault")
    game == "sorry" ? { do: "draw" } : super
  end

  def over(_over)
    fail_in("over")
    note("too late") if game == "note"
  end
end

given = ARGV.to_h { |word| word.split("=") }
Maumau.run(
  name: given.fetch("name", "suite"),
  version: given.fetch("version", "1"),
  wants: given.fetch("wants", "view,legal,events,rules").split(","),
  ticks: given["ticks"] == "true",
  games: given.fetch("games", "8").to_i
) { Suite.new }
