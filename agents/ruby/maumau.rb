# frozen_string_literal: true

# What a bot needs to play in the Mau-Mau arena: maumau/1 in one file, for Ruby 3.0 or later, the standard library only.
#
#     require_relative "maumau"
#
#     class MyBot < Maumau::Bot
#       def choose(ask)
#         pick(ask[:legal])
#       end
#     end
#
#     Maumau.run(name: "my bot") { MyBot.new }
#
# Messages are the parsed JSON objects of the protocol, hashes with symbols as keys; protocol/SPEC.md describes their
# members and maumau.rbs declares them. `run` makes one bot for each game, so a process can play many games at once without
# mixing them up.

require "digest"
require "json"
require "set"

module Maumau
  PROTOCOL = "maumau/1"

  WANTS = %w[view legal events rules].freeze
  MAX_NAME_CHARS = 64
  MAX_NOTE_BYTES = 4096
  MAX_CRASH_CHARS = 1000
  READ_BYTES = 1 << 16
  PATIENCE_S = 0.001 # answers are gathered for one write only as long as this
  # Suits, ranks and other cards of each pack, in the order of a deck.
  PACKS = {
    "french" => ["CDHS", "23456789TJQKA", []],
    "colours" => ["BGRY", "23456789NVP01", %w[W0 W4]],
    "waterfall" => ["BGRY", "M3456789NVPF1", %w[W0 WF WK]]
  }.freeze
  POINTS = { J: 20, A: 11, T: 10, "9": 9, "8": 8, "7": 7, K: 3, Q: 3 }.freeze

  # <messages> made from the protocol's types by a test of agents/sdk
  VERBS = Set[
    "play", "draw", "pass", "challenge", "say", "call", "choose", "take", "deal", "deal_penalties",
    "turn_up", "look", "reach", "glare", "point_of_order", "end_point_of_order", "count",
    "pick_up", "wait"
  ].freeze
  # </messages>

  private_constant :WANTS, :MAX_NAME_CHARS, :MAX_NOTE_BYTES, :MAX_CRASH_CHARS, :READ_BYTES, :PATIENCE_S, :PACKS, :POINTS, :VERBS

  # Another major version of the protocol.
  class Refusal < StandardError; end

  module_function

  # Points against a seat that is left with `card`: by the table of `rules`, else by that of skat.
  def card_points(card, rules = nil)
    points = rules ? rules[:scoring][:points] : POINTS
    points[card.to_sym] || points.fetch(card[0].to_sym, 0)
  end

  # All cards of a table of so many seats, each as often as it is there. `rules` are those of start.
  def deck(rules, seats)
    here = lambda do |value|
      rows = value.is_a?(Array) && value[0].is_a?(Hash) ? value : []
      row = rows.find { |one| seats.between?(*one[:seats]) }
      row ? row[:is] : value
    end
    # The letters of a wild card stand for nothing by themselves.
    among = lambda do |card, list|
      named = list.is_a?(String) ? list.split : list
      named.include?(card) || (card[0] != "W" && card.chars.any? { |letter| named.include?(letter) })
    end
    suits, ranks, others = PACKS.fetch(rules[:deck].fetch(:pack, "french"))
    all = suits.chars.flat_map { |suit| ranks.chars.map { |rank| rank + suit } } + others
    pack = all.select { |card| among.call(card, here.call(rules[:deck][:cards])) }.flat_map do |card|
      row = rules[:deck].fetch(:copies, []).find { |one| among.call(card, one[:cards]) }
      [card] * (row ? row[:is] : 1)
    end
    (pack + ["XX"] * rules[:deck].fetch(:jokers, 0)) * here.call(rules[:deck].fetch(:packs, 1))
  end

  # The seat after `seat` in the direction of play, if nobody is skipped.
  def next_seat(view, seat)
    (seat + (view[:direction] == "cw" ? 1 : -1)) % view[:hands].length
  end

  # The cards that may be played now, each once, in the order of `legal`.
  def fits(ask)
    (ask[:legal] || []).select { |action| action[:do] == "play" }.map { |action| action[:card] }.uniq
  end

  # What start must have published for a game whose seed is `seed` (64 hexadecimal digits).
  def commitment(game, seed)
    Digest::SHA256.hexdigest("maumau/1 commitment\0".b + game.b + "\0".b + [seed].pack("H*"))
  end

  # Keeps count of the cards that a seat has not seen; for a bot that wants "events" and "rules".
  class CardCounter
    def initialize(rules, seats)
      @deck = Maumau.deck(rules, seats)
      @played = []
    end

    # Takes the events of an ask, a tell or an over, in order.
    def see(events)
      (events || []).each do |event|
        case event[:event]
        when "turned_up", "played" then @played << event[:card]
        when "reshuffled" then @played = @played.last(1) # all but the top card
        when "taken_back" then @played.pop
        when "round_started" then @played.clear
        end
      end
    end

    # The cards in other hands and in the draw pile, in the order of the deck, for a seat that holds `hand`.
    def unseen(hand)
      left = @deck.dup
      (@played + hand).each { |card| (place = left.index(card)) && left.delete_at(place) }
      left
    end
  end

  # The player of one game. Derive from it and write `choose`; the other methods may stay as they are.
  class Bot
    # The name of the game; your seat, counted clockwise from 0; the names of all seats, in order; the resolved rule set, if
    # `wants` includes "rules"; and the last ask of this game.
    attr_accessor :game, :seat, :names, :rules, :asked
    # Seeded by the arena: draw from it, and a game that is played again goes the same way.
    attr_accessor :random
    # Of the kit.
    attr_accessor :outbox, :committed, :crash

    # The game begins. The members above are set.
    def start(_start); end

    # The answer to `ask`: one of `ask[:legal]`, or an action made by hand like `{ do: "draw" }`. `legal` holds the actions
    # that this kit knows; those of a later version of the protocol are left out. A legal action says what the rules want
    # said with it; one made by hand says what its `say` holds.
    def choose(_ask)
      raise NotImplementedError, "write a choose(ask) that returns an action"
    end

    # Something happened while nothing is asked; only for a bot that wants "events".
    def tell(_tell); end

    # Something was wrong. Where `fault[:open]`, an action returned here answers the same ask again. Unless overridden, it
    # reports the fault on stderr and answers an open ask with its first legal action.
    def fault(fault)
      Maumau.complain("#{fault[:fault]} in game #{game}: #{fault[:message]} (#{fault[:clause]})")
      asked[:legal]&.first if fault[:open] && asked && asked[:id] == fault[:id]
    end

    # The game is over; this object is not used again.
    def over(_over); end

    # Any element of a list, each as likely as the others.
    def pick(list)
      list.sample(random: random)
    end

    # Puts any JSON value of at most 4 KiB into the game's record, such as your view of the position.
    def note(note)
      line = JSON.generate({ type: "note", game: game, note: note })
      if line.bytesize > MAX_NOTE_BYTES
        Maumau.complain("a note of #{line.bytesize} bytes was dropped; at most #{MAX_NOTE_BYTES}")
      else
        outbox&.push(line) # no game takes notes after its end
      end
    rescue JSON::GeneratorError => e
      Maumau.complain("a note was dropped, for it is no JSON: #{e.message}")
    end
  end

  # In the place of a bot that could not be made: it fails at every ask, for that reason.
  class Unmade < Bot
    def initialize(error)
      super()
      @error = error
    end

    def choose(_ask)
      raise @error
    end
  end
  private_constant :Unmade

  # A process's side of the protocol without its pipes: lines of the arena go in, lines for it come out.
  class Agent
    # Whether the arena has said bye.
    attr_reader :done

    # The block makes the bot of a game; see `run` for the options.
    def initialize(name: "", version: "", wants: %w[view legal], ticks: false, games: 1, plays: nil, &make_bot)
      [["name", name], ["version", version]].each do |what, text|
        raise ArgumentError, "#{what} has more than #{MAX_NAME_CHARS} characters" if text.length > MAX_NAME_CHARS
      end
      raise ArgumentError, "wants is #{wants}; it is some of #{WANTS.join(', ')}" unless (wants - WANTS).empty?
      raise ArgumentError, "games is #{games}; at least 1" if games < 1

      @ready = { name: name, version: version, wants: wants, ticks: ticks, games: games }
      @ready[:plays] = plays if plays
      @make_bot = make_bot
      @bots = {}
      @out = []
      @done = @is_rehearsal = false
    end

    # Takes a line and returns the lines to send.
    def receive(line)
      @out.clear
      begin
        handle(line)
      rescue Refusal
        raise
      rescue StandardError => e # one game's misfortune must not end the others of this process
        Maumau.complain("could not deal with this line of the arena: #{line[0, 200]}", e)
      end
      @out.map { |text| "#{text}\n" }.join
    end

    # See Maumau.rehearse.
    def rehearse(lines)
      @is_rehearsal = true
      lines.flat_map do |line|
        @out.clear
        handle(line)
        acts = @out.map { |text| JSON.parse(text, symbolize_names: true) }.select { |act| act[:type] == "act" }
        acts.map { |act| [JSON.parse(line, symbolize_names: true), act.except(:type, :game, :id)] }
      end
    end

    private

    def handle(line)
      return if line.strip.empty?

      message = JSON.parse(line, symbolize_names: true)
      raise ArgumentError, "it is no object" unless message.is_a?(Hash)

      case message[:type]
      when "ask" then ask(bot(message), message)
      when "tell" then bot(message).then { |bot| call(bot, "in tell") { bot.tell(message) } }
      when "fault" then fault(@bots[message[:game]], message)
      when "start" then start(message)
      when "over" then over(bot(message), message)
      when "hello" then hello(message)
      when "bye" then @done = true
      end
    end

    def bot(message)
      @bots[message[:game]] or raise ArgumentError, "no game #{message[:game]} has been started"
    end

    def hello(hello)
      theirs = hello[:protocol].to_s
      unless theirs.split(".")[0] == PROTOCOL
        raise Refusal, "this agent speaks #{PROTOCOL} and the arena #{theirs}: they cannot play together"
      end

      games = [@ready[:games], hello.dig(:limits, :games) || 1].min
      send_line({ type: "ready", protocol: PROTOCOL, **@ready, games: games })
    end

    def start(start)
      bot = make(start[:game])
      bot.game, bot.seat, bot.names, bot.rules = start.values_at(:game, :seat, :names, :rules)
      bot.random = Random.new(start[:seed].hex)
      bot.outbox = @out
      bot.committed = start[:commitment]
      @bots[bot.game] = bot
      call(bot, "in start") { bot.start(start) }
    end

    def make(game)
      @make_bot.call
    rescue StandardError, NotImplementedError => e
      raise if @is_rehearsal

      Maumau.complain("the bot of game #{game} could not be made", e)
      Unmade.new(e)
    end

    def ask(bot, ask)
      bot.asked = ask
      if (legal = ask[:legal])
        ask[:legal] = legal.select { |action| VERBS.include?(action[:do]) }
        # A later version wants something that no bot of this kit knows.
        return send_act(bot, ask[:id], legal[0]) if ask[:legal].empty?
      end
      action = legal ? ask[:legal][0] : { "turn" => { do: "draw" }, "react" => { do: "wait" } }[ask[:what]]
      call(bot, "at ask #{ask[:id]}#{'; it plays the first legal action' if legal}") do
        chosen = bot.choose(ask)
        unless chosen.is_a?(Hash) && chosen[:do].is_a?(String)
          raise TypeError, "#{chosen.inspect} is no action; one is a hash like { do: \"draw\" }"
        end
        JSON.generate(chosen)
        action = chosen
      end
      send_act(bot, ask[:id], action) if action
    end

    # Calls the author's code. If it fails, the author is told on stderr, and the arena with the next act.
    def call(bot, where)
      yield
    rescue StandardError, NotImplementedError, SystemStackError => e
      raise if @is_rehearsal

      Maumau.complain("the bot failed #{where} of game #{bot.game}", e)
      bot.crash ||= Maumau.sentence(e)
      nil
    end

    def fault(bot, fault)
      return Maumau.complain("#{fault[:fault]}: #{fault[:message]} (#{fault[:clause]})") unless bot

      call(bot, "in fault") do
        action = bot.fault(fault)
        send_act(bot, fault[:id], action) if action && fault[:open]
      end
    end

    def over(bot, over)
      @bots.delete(bot.game)
      bot.outbox = nil
      if over[:seed] && Maumau.commitment(bot.game, over[:seed]) != bot.committed
        Maumau.complain("the seed of game #{bot.game} is not the one that the arena was committed to")
      end
      call(bot, "in over") { bot.over(over) }
    end

    def send_act(bot, id, action)
      act = { type: "act", **action, game: bot.game, id: id }
      act[:crash] = bot.crash if bot.crash
      bot.crash = nil
      send_line(act)
    end

    def send_line(message)
      @out << JSON.generate(message)
    end
  end

  # Plays until the arena says bye or goes away. The block is called once for each game and makes its bot.
  #
  # `wants` is what an ask should hold: "view", "legal", "events"; and "rules" for the rule set in start. `ticks`: be asked at
  # every opportunity to act, not only when there is a card to play. `games`: how many games this process plays at once. Their
  # asks are answered one after another and each has its own deadline, so leave it at 1 if the bot thinks for long. `plays`: the
  # games that the bot was made for, such as `{ rules: ["skat"], seats: [2, 3] }`; a league with others is not begun.
  #
  # Standard output belongs to the arena: while this runs, whatever is printed goes to stderr.
  def run(**options, &make_bot)
    agent = Agent.new(**options, &make_bot)
    complain("this is a bot; it now waits for an arena to speak to it. See agents/README.md.") if $stdin.tty?
    $stdout.flush
    arena = $stdout.dup
    arena.sync = true
    $stdout.reopen($stderr)
    $stdout.sync = true
    rest = String.new
    until agent.done
      rest << $stdin.readpartial(READ_BYTES)
      write_by = now + PATIENCE_S
      out = String.new
      while !agent.done && (line = rest.slice!(/\A.*\n/n))
        out << agent.receive(line.force_encoding(Encoding::UTF_8).scrub).b
        arena.write(out) && out.clear if !out.empty? && now >= write_by
      end
      arena.write(out) unless out.empty?
    end
  rescue Refusal => e
    complain(e.message)
    exit 2
  rescue EOFError, Errno::EPIPE
    nil # the arena has gone
  rescue Interrupt
    exit 130
  end

  # Sends a bot recorded lines of the arena, without an arena: pairs of an ask and its answer. `lines` are those that
  # `maumau feed GAME --seat N --lines` prints; the block makes the bot. What it raises is raised here, so that a test or a
  # debugger stops at its line.
  def rehearse(lines, **options, &make_bot)
    Agent.new(**options, &make_bot).rehearse(lines)
  end

  def now
    Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end

  # What was raised, and where: in the author's file, if that is known.
  def sentence(error)
    place = error.backtrace_locations&.find { |one| one.absolute_path != __FILE__ }
    where = place && " (#{File.basename(place.path)}, line #{place.lineno}, in #{place.label})"
    "#{error.class}: #{error.message}#{where}"[0, MAX_CRASH_CHARS]
  end

  def complain(sentence, error = nil)
    warn("maumau: #{sentence}#{"\n#{error.full_message(highlight: false)}" if error}")
  end
end
