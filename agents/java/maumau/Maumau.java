package maumau;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What a bot needs to play in the Mau-Mau arena: maumau/1 in one file, for Java 17 or later, nothing to install.
 *
 * <pre>{@code
 * public final class MyBot extends Maumau.Bot {
 *     @Override
 *     public Maumau.Action choose(Maumau.Ask ask) {
 *         return pick(ask.legal);
 *     }
 *
 *     public static void main(String[] args) {
 *         Maumau.run(MyBot::new, new Maumau.Options().name("my bot"));
 *     }
 * }
 * }</pre>
 *
 * Messages are objects with the members of the protocol; protocol/SPEC.md describes them. {@link #run} makes one bot for
 * each game, so a process can play many games at once without mixing them up.
 */
public final class Maumau {
    /** The protocol that the kit speaks. */
    public static final String PROTOCOL = "maumau/1";

    private static final int MAX_NAME_CHARS = 64;
    private static final int MAX_NOTE_BYTES = 4096;
    private static final int MAX_CRASH_CHARS = 1000;
    private static final int READ_BYTES = 1 << 16;
    private static final long PATIENCE_NS = 1_000_000; // answers are gathered for one write only as long as this
    private static final Set<String> WANTS = Set.of("view", "legal", "events", "rules");

    private Maumau() {}

    // <messages> made from the protocol's types by a test of agents/sdk

    /** The limits that the arena announces in `hello`. */
    public static final class Limits {
        /** Bytes in a line, newline included, in either direction. */
        public int lineBytes;
        /** Lines one agent may send while one ask is open. */
        public int linesPerAsk;
        /** Utterances in an action. */
        public int says;
        /** Characters in an utterance. */
        public int sayChars;
        /** Bytes of JSON in a note. */
        public int noteBytes;
        /** Games in one process. */
        public int games;

        Limits(Map<String, Object> json) {
            lineBytes = number(json.get("line_bytes"), 0);
            linesPerAsk = number(json.get("lines_per_ask"), 0);
            says = number(json.get("says"), 0);
            sayChars = number(json.get("say_chars"), 0);
            noteBytes = number(json.get("note_bytes"), 0);
            games = number(json.get("games"), 0);
        }
    }

    /** First line of every process. */
    public static final class Hello {
        /** The protocol that the arena speaks: `maumau/1`. */
        public String protocol;
        /** The version of the arena. */
        public String arena;
        /** Limits on what is sent: of the lines in either direction, and of what an agent may send. */
        public Limits limits;
        /** How answers are put in order. (lockstep, live) */
        public String clock;

        Hello(Map<String, Object> json) {
            protocol = text(json.get("protocol"));
            arena = text(json.get("arena"));
            limits = json.get("limits") instanceof Map ? new Limits(object(json.get("limits"))) : null;
            clock = text(json.get("clock"));
        }
    }

    /** The time a seat has. */
    public static final class TimeControl {
        /** Milliseconds for one answer. */
        public int moveMs;
        /** Milliseconds a seat may overdraw in a whole game, beyond `move_ms` of each answer. */
        public int bankMs;
        /** Milliseconds that each answer in time adds to the bank. */
        public int incrementMs;
        /** Milliseconds from the start of a process to its `ready`. */
        public int startMs;
        /** Live clock: milliseconds for words that are due (G-13). */
        public int graceMs;
        /** Live clock: milliseconds that others have to answer before the seat to move is heard (G-13). */
        public int reactionMs;
        /** Live clock: milliseconds after a last card (G-13). */
        public int closingMs;
        /** Live clock: milliseconds of a count of ten (G-13). */
        public int countMs;

        TimeControl(Map<String, Object> json) {
            moveMs = number(json.get("move_ms"), 0);
            bankMs = number(json.get("bank_ms"), 0);
            incrementMs = number(json.get("increment_ms"), 0);
            startMs = number(json.get("start_ms"), 0);
            graceMs = number(json.get("grace_ms"), 0);
            reactionMs = number(json.get("reaction_ms"), 0);
            closingMs = number(json.get("closing_ms"), 0);
            countMs = number(json.get("count_ms"), 0);
        }
    }

    /** A game begins. */
    public static final class Start {
        /** The game. */
        public String game;
        /** The agent's seat. */
        public int seat;
        /** The names of all seats, in order; `seat-0`, `seat-1` and so on where the organiser hides them. */
        public List<String> names;
        /** The name of the rule set. */
        public String ruleSet;
        /** Rounds of the match. */
        public int rounds;
        /** The time a seat has. */
        public TimeControl time;
        /** Conduct faults after which the agent is dismissed. */
        public int maxStrikes;
        /** The commitment to the game's seed, 64 hexadecimal digits (SPEC 8.10). */
        public String commitment;
        /** A seed for the agent's own use, 16 hexadecimal digits, the same whenever this game is played again. */
        public String seed;
        /** True if the organiser says that agents may know the run's seed, and so every card (SPEC 8.1). May be absent: null. */
        public Boolean publicSeed;
        /** The resolved rule set; only for an agent that wants `rules`, and if a line holds it. May be absent: null. */
        public Map<String, Object> rules;

        Start(Map<String, Object> json) {
            game = text(json.get("game"));
            seat = number(json.get("seat"), 0);
            names = texts(json.get("names"));
            ruleSet = text(json.get("rule_set"));
            rounds = number(json.get("rounds"), 0);
            time = json.get("time") instanceof Map ? new TimeControl(object(json.get("time"))) : null;
            maxStrikes = number(json.get("max_strikes"), 0);
            commitment = text(json.get("commitment"));
            seed = text(json.get("seed"));
            publicSeed = flag(json.get("public_seed"));
            rules = json.get("rules") instanceof Map ? object(json.get("rules")) : null;
        }
    }

    /** A suit, a rank or a seat that a card lets its player name. */
    public static final class Choice {
        /** A value. May be absent: null. */
        public String rank;
        /** A seat. May be absent: null. */
        public Integer seat;
        /** A suit. May be absent: null. */
        public String suit;

        public Choice() {}

        Choice(Map<String, Object> json) {
            rank = text(json.get("rank"));
            seat = number(json.get("seat"), null);
            suit = text(json.get("suit"));
        }

        /** As it goes to the arena. */
        public Map<String, Object> json() {
            var json = new LinkedHashMap<String, Object>();
            if (rank != null) json.put("rank", rank);
            if (seat != null) json.put("seat", seat);
            if (suit != null) json.put("suit", suit);
            return json;
        }

        @Override
        public String toString() {
            return Json.write(json());
        }
    }

    /** An event as one seat may see it. */
    public static final class Event {
        /** What it is. */
        public String event;
        /** The accused. May be absent: null. */
        public Integer against;
        /** True if the words were said by themselves, and not with a card that is played, drawn or taken, a pass or a choice: words that are due with a card are said with it or after it (G-24, P-59). May be absent: null. */
        public Boolean apart;
        /** The card for which it stands, if it stands for another (G-79). May be absent: null. */
        public String as;
        /** At whom. May be absent: null. */
        public Integer at;
        /** Whether it is the change back. May be absent: null. */
        public Boolean back;
        /** The accuser. May be absent: null. */
        public Integer by;
        /** The card. May be absent: null. */
        public String card;
        /** The cards; absent for others. May be absent: null. */
        public List<String> cards;
        /** What was named with it. May be absent: null. */
        public Choice choose;
        /** How many cards. May be absent: null. */
        public Integer count;
        /** Who deals. May be absent: null. */
        public Integer dealer;
        /** The direction of play. (cw, ccw) May be absent: null. */
        public String direction;
        /** How it ended. (won, turn_cap, blocked) May be absent: null. */
        public String end;
        /** For what. May be absent: null. */
        public String fault;
        /** Towards what. (draw, play) May be absent: null. */
        public String for_;
        /** From whose hand. May be absent: null. */
        public Integer from;
        /** The cards left. May be absent: null. */
        public List<String> hand;
        /** The names of the rules, in alphabetical order. May be absent: null. */
        public List<String> offer;
        /** Whether they leave a run open for the next player (G-73). May be absent: null. */
        public Boolean open;
        /** Whether the referee carried it out because it was overdue, which is a mistake of the seat that takes (N-106). May be absent: null. */
        public Boolean overdue;
        /** Its place in the round, from 1. May be absent: null. */
        public Integer place;
        /** Points of this round. May be absent: null. */
        public Integer points;
        /** Why. (a word of SPEC's Reason) May be absent: null. */
        public String reason;
        /** Counted from 1. May be absent: null. */
        public Integer round;
        /** The name of the rule. May be absent: null. */
        public String rule;
        /** Whether its owner may not look at it yet. May be absent: null. */
        public Boolean sealed;
        /** Whose hand. May be absent: null. */
        public Integer seat;
        /** Both seats. May be absent: null. */
        public List<Integer> seats;
        /** The card was played openly before it was refused: everybody saw it. May be absent: null. */
        public Boolean shown;
        /** The suit. May be absent: null. */
        public String suit;
        /** The words. May be absent: null. */
        public String text;
        /** To whom. May be absent: null. */
        public Integer to;
        /** Points of the match so far. May be absent: null. */
        public Integer total;
        /** Whether it was upheld. May be absent: null. */
        public Boolean upheld;
        /** Why. May be absent: null. */
        public String why;
        /** The winners; nobody where the turn cap was reached. May be absent: null. */
        public List<Integer> winners;

        Event(Map<String, Object> json) {
            event = text(json.get("event"));
            against = number(json.get("against"), null);
            apart = flag(json.get("apart"));
            as = text(json.get("as"));
            at = number(json.get("at"), null);
            back = flag(json.get("back"));
            by = number(json.get("by"), null);
            card = text(json.get("card"));
            cards = texts(json.get("cards"));
            choose = json.get("choose") instanceof Map ? new Choice(object(json.get("choose"))) : null;
            count = number(json.get("count"), null);
            dealer = number(json.get("dealer"), null);
            direction = text(json.get("direction"));
            end = text(json.get("end"));
            fault = text(json.get("fault"));
            for_ = text(json.get("for"));
            from = number(json.get("from"), null);
            hand = texts(json.get("hand"));
            offer = texts(json.get("offer"));
            open = flag(json.get("open"));
            overdue = flag(json.get("overdue"));
            place = number(json.get("place"), null);
            points = number(json.get("points"), null);
            reason = text(json.get("reason"));
            round = number(json.get("round"), null);
            rule = text(json.get("rule"));
            sealed = flag(json.get("sealed"));
            seat = number(json.get("seat"), null);
            seats = numbers(json.get("seats"));
            shown = flag(json.get("shown"));
            suit = text(json.get("suit"));
            text = text(json.get("text"));
            to = number(json.get("to"), null);
            total = number(json.get("total"), null);
            upheld = flag(json.get("upheld"));
            why = text(json.get("why"));
            winners = numbers(json.get("winners"));
        }
    }

    /** A verb and the words spoken with it. */
    public static final class Action {
        /** What it is. (a word of SPEC's Verb) */
        public String do_;
        /** The accused. May be absent: null. */
        public Integer against;
        /** The card for which it stands. May be absent: null. */
        public String as;
        /** The loud seat. May be absent: null. */
        public Integer at;
        /** The card, which must be in the seat's hand. May be absent: null. */
        public String card;
        /** The cards, which must be in the seat's hand, in the order in which they are played: the last one lies on top. May be absent: null. */
        public List<String> cards;
        /** What the card lets its player name. May be absent: null. */
        public Choice choose;
        /** False leaves a run open for the next player, where the rules let it; a list of one card is then possible (G-73). May be absent: null. */
        public Boolean close;
        /** The name of the fault; an unknown one is a call that is not upheld. May be absent: null. */
        public String fault;
        /** Towards what. (draw, play) May be absent: null. */
        public String for_;
        /** The hand to take from. May be absent: null. */
        public Integer from;
        /** A value. May be absent: null. */
        public String rank;
        /** The name of the rule in the menu, one of the offer. May be absent: null. */
        public String rule;
        /** What is said with it, heard before its effects (G-11). May be absent: null. */
        public List<String> say;
        /** A suit. May be absent: null. */
        public String suit;
        /** The words. May be absent: null. */
        public String text;
        /** The receivers. May be absent: null. */
        public List<Integer> to;

        public Action() {}

        /** An action without further members, such as {@code draw}. */
        public Action(String do_) {
            this.do_ = do_;
        }

        Action(Map<String, Object> json) {
            do_ = text(json.get("do"));
            against = number(json.get("against"), null);
            as = text(json.get("as"));
            at = number(json.get("at"), null);
            card = text(json.get("card"));
            cards = texts(json.get("cards"));
            choose = json.get("choose") instanceof Map ? new Choice(object(json.get("choose"))) : null;
            close = flag(json.get("close"));
            fault = text(json.get("fault"));
            for_ = text(json.get("for"));
            from = number(json.get("from"), null);
            rank = text(json.get("rank"));
            rule = text(json.get("rule"));
            say = texts(json.get("say"));
            suit = text(json.get("suit"));
            text = text(json.get("text"));
            to = numbers(json.get("to"));
        }

        /** As it goes to the arena. */
        public Map<String, Object> json() {
            var json = new LinkedHashMap<String, Object>();
            if (do_ != null) json.put("do", do_);
            if (against != null) json.put("against", against);
            if (as != null) json.put("as", as);
            if (at != null) json.put("at", at);
            if (card != null) json.put("card", card);
            if (cards != null) json.put("cards", cards);
            if (choose != null) json.put("choose", choose.json());
            if (close != null) json.put("close", close);
            if (fault != null) json.put("fault", fault);
            if (for_ != null) json.put("for", for_);
            if (from != null) json.put("from", from);
            if (rank != null) json.put("rank", rank);
            if (rule != null) json.put("rule", rule);
            if (say != null) json.put("say", say);
            if (suit != null) json.put("suit", suit);
            if (text != null) json.put("text", text);
            if (to != null) json.put("to", to);
            return json;
        }

        @Override
        public String toString() {
            return Json.write(json());
        }
    }

    /** A choice of a rule to add. */
    public static final class RuleChoice {
        /** Who chooses. */
        public int by;
        /** The names of the rules that can be chosen, in alphabetical order. */
        public List<String> offer;

        RuleChoice(Map<String, Object> json) {
            by = number(json.get("by"), 0);
            offer = texts(json.get("offer"));
        }
    }

    /** A card that either neighbour of its player may answer. */
    public static final class Race {
        /** Who played it. */
        public int by;

        Race(Map<String, Object> json) {
            by = number(json.get("by"), 0);
        }
    }

    /** A value or suit that the whole table has to serve. */
    public static final class Request {
        /** By whom. */
        public int by;
        /** A value. May be absent: null. */
        public String rank;
        /** A seat. May be absent: null. */
        public Integer seat;
        /** A suit. May be absent: null. */
        public String suit;

        Request(Map<String, Object> json) {
            by = number(json.get("by"), 0);
            rank = text(json.get("rank"));
            seat = number(json.get("seat"), null);
            suit = text(json.get("suit"));
        }
    }

    /** A run of a suit that the next player may go on with. */
    public static final class OpenRun {
        /** The suit of its cards. */
        public String suit;
        /** Who opened it, or played its last card. */
        public int by;

        OpenRun(Map<String, Object> json) {
            suit = text(json.get("suit"));
            by = number(json.get("by"), 0);
        }
    }

    /** An instruction to take a card from another hand. */
    public static final class TakeOrder {
        /** Who has to take it. */
        public int by;
        /** From whose hand. */
        public int from;

        TakeOrder(Map<String, Object> json) {
            by = number(json.get("by"), 0);
            from = number(json.get("from"), 0);
        }
    }

    /** What stands between the seat to move and an ordinary play. Absent, 0 and `null` mean the same. */
    public static final class Pending {
        /** The seat that may play a further card. May be absent: null. */
        public Integer again;
        /** Anything may be played. May be absent: null. */
        public Boolean anything;
        /** The seat that may challenge the card which makes it owe cards. May be absent: null. */
        public Integer challenge;
        /** The seat that must name a suit. May be absent: null. */
        public Integer choose;
        /** A rule of the menu has to be added, before the next round (G-74). May be absent: null. */
        public RuleChoice chooseRule;
        /** Whether a hand is empty and the round closes unless that changes. May be absent: null. */
        public Boolean closing;
        /** Cards owed. May be absent: null. */
        public Integer draw;
        /** The kind of the debt, as the rule set names it. May be absent: null. */
        public String drawKind;
        /** Cards that the seat to move has drawn in this turn. May be absent: null. */
        public Integer drawn;
        /** The race of the neighbours of a joker's player. May be absent: null. */
        public Race joker;
        /** The seat that has played a free card in its turn and still owes the turn. May be absent: null. */
        public Integer owedTurn;
        /** The value or suit that the whole table has to serve. May be absent: null. */
        public Request request;
        /** The run that is open, which the seat to move may go on with. May be absent: null. */
        public OpenRun run;
        /** Cards that lie one on another and make the debt, where it is drawn one by one. May be absent: null. */
        public Integer sevens;
        /** Players to be suspended, beginning with the seat to move. May be absent: null. */
        public Integer skip;
        /** The seat that is skipped unless it answers. May be absent: null. */
        public Integer skipVictim;
        /** The player of the next card owes the word for two identical cards. May be absent: null. */
        public Boolean snap;
        /** The suit that must be served: wished, or the top card's own where a wish was possible and not made. May be absent: null. */
        public String suit;
        /** A suit must be stated, by anybody, before a card has to be of it. May be absent: null. */
        public Boolean suitOpen;
        /** The oldest instruction to take a card. May be absent: null. */
        public TakeOrder take;

        Pending(Map<String, Object> json) {
            again = number(json.get("again"), null);
            anything = flag(json.get("anything"));
            challenge = number(json.get("challenge"), null);
            choose = number(json.get("choose"), null);
            chooseRule = json.get("choose_rule") instanceof Map ? new RuleChoice(object(json.get("choose_rule"))) : null;
            closing = flag(json.get("closing"));
            draw = number(json.get("draw"), null);
            drawKind = text(json.get("draw_kind"));
            drawn = number(json.get("drawn"), null);
            joker = json.get("joker") instanceof Map ? new Race(object(json.get("joker"))) : null;
            owedTurn = number(json.get("owed_turn"), null);
            request = json.get("request") instanceof Map ? new Request(object(json.get("request"))) : null;
            run = json.get("run") instanceof Map ? new OpenRun(object(json.get("run"))) : null;
            sevens = number(json.get("sevens"), null);
            skip = number(json.get("skip"), null);
            skipVictim = number(json.get("skip_victim"), null);
            snap = flag(json.get("snap"));
            suit = text(json.get("suit"));
            suitOpen = flag(json.get("suit_open"));
            take = json.get("take") instanceof Map ? new TakeOrder(object(json.get("take"))) : null;
        }
    }

    /** Everything that a seat may know of the present position (G-08). Lists by seat are in seat order. */
    public static final class View {
        /** The seat's own cards, by suit (C, D, H, S) and in a suit from two to ace, jokers last. */
        public List<String> hand;
        /** The direction of play. (cw, ccw) */
        public String direction;
        /** The number of cards in each hand. */
        public List<Integer> hands;
        /** The number of cards in the draw pile. */
        public int drawPile;
        /** What the seat to move faces. */
        public Pending pending;
        /** The round, counted from 1. */
        public int round;
        /** The rounds of the match. */
        public int rounds;
        /** Who dealt. */
        public int dealer;
        /** Points of each seat in the match so far. */
        public List<Integer> points;
        /** Rounds won by each seat so far. */
        public List<Integer> wins;
        /** Seats that hold one card and have said so. May be absent: null. */
        public List<Integer> mauSaid;
        /** Seats that have not looked at their cards yet. May be absent: null. */
        public List<Integer> notLooked;
        /** Seats that are out of the round. May be absent: null. */
        public List<Integer> out;
        /** The seat whose point of order lasts. May be absent: null. */
        public Integer pointOfOrder;
        /** The rules of the menu that hold, by name, in the order in which they were added. May be absent: null. */
        public List<String> rules;
        /** The number of sealed cards in each hand; absent where there are none. May be absent: null. */
        public List<Integer> sealed;
        /** The top card of the discard pile; absent where the pile is empty. May be absent: null. */
        public String top;
        /** The seat to move; absent between rounds. May be absent: null. */
        public Integer turn;
        /** The turns that each seat has still to miss; absent where no seat can lose several. May be absent: null. */
        public List<Integer> turnsLost;
        /** The card that counts, if it is not the top card: the one below cards that are as if they were not there, or the one for which the top card stands (G-79). May be absent: null. */
        public String visible;

        View(Map<String, Object> json) {
            hand = texts(json.get("hand"));
            direction = text(json.get("direction"));
            hands = numbers(json.get("hands"));
            drawPile = number(json.get("draw_pile"), 0);
            pending = json.get("pending") instanceof Map ? new Pending(object(json.get("pending"))) : null;
            round = number(json.get("round"), 0);
            rounds = number(json.get("rounds"), 0);
            dealer = number(json.get("dealer"), 0);
            points = numbers(json.get("points"));
            wins = numbers(json.get("wins"));
            mauSaid = numbers(json.get("mau_said"));
            notLooked = numbers(json.get("not_looked"));
            out = numbers(json.get("out"));
            pointOfOrder = number(json.get("point_of_order"), null);
            rules = texts(json.get("rules"));
            sealed = numbers(json.get("sealed"));
            top = text(json.get("top"));
            turn = number(json.get("turn"), null);
            turnsLost = numbers(json.get("turns_lost"));
            visible = text(json.get("visible"));
        }
    }

    /** An answer is wanted. */
    public static final class Ask {
        /** The game. */
        public String game;
        /** The id to repeat in the answer. */
        public String id;
        /** The agent's seat. */
        public int seat;
        /** What kind of answer. (turn, react, choose, deal) */
        public String what;
        /** Milliseconds until the deadline, counted from when the line was written. */
        public int timeMs;
        /** The number of the last event so far. */
        public int asOf;
        /** Events since the last line of this game; for an agent that wants `events`. May be absent: null. */
        public List<Event> events;
        /** The actions that would be accepted, each with the words that the rules want said with it; for an agent that wants `legal`. Never empty where it stands. May be absent: null. */
        public List<Action> legal;
        /** The position; for an agent that wants `view`. May be absent: null. */
        public View view;

        Ask(Map<String, Object> json) {
            game = text(json.get("game"));
            id = text(json.get("id"));
            seat = number(json.get("seat"), 0);
            what = text(json.get("what"));
            timeMs = number(json.get("time_ms"), 0);
            asOf = number(json.get("as_of"), 0);
            events = records(json.get("events"), item -> new Event(object(item)));
            legal = records(json.get("legal"), item -> new Action(object(item)));
            view = json.get("view") instanceof Map ? new View(object(json.get("view"))) : null;
        }
    }

    /** Something happened and nothing is asked. */
    public static final class Tell {
        /** The game. */
        public String game;
        /** What happened since the last line of this game. */
        public List<Event> events;

        Tell(Map<String, Object> json) {
            game = text(json.get("game"));
            events = records(json.get("events"), item -> new Event(object(item)));
        }
    }

    /** A line or an action was wrong. */
    public static final class Fault {
        /** The name in the fault table. */
        public String fault;
        /** What was expected, what came, where. */
        public String message;
        /** The rule clause or SPEC clause. */
        public String clause;
        /** Penalty cards that it cost. */
        public int cards;
        /** Conduct faults of this seat in this game so far. */
        public int strikes;
        /** Whether the ask is still open, so that another answer may be sent before its deadline. */
        public boolean open;
        /** The game it counts in; absent before the first game. May be absent: null. */
        public String game;
        /** The ask that it belongs to, where one is open. May be absent: null. */
        public String id;

        Fault(Map<String, Object> json) {
            fault = text(json.get("fault"));
            message = text(json.get("message"));
            clause = text(json.get("clause"));
            cards = number(json.get("cards"), 0);
            strikes = number(json.get("strikes"), 0);
            open = Boolean.TRUE.equals(json.get("open"));
            game = text(json.get("game"));
            id = text(json.get("id"));
        }
    }

    /** The result of a match. Lists are in seat order. */
    public static final class GameResult {
        /** The place of each seat, 1 for the first; equal seats share the better place. */
        public List<Integer> places;
        /** Points of each seat. */
        public List<Integer> points;
        /** Rounds won by each seat. */
        public List<Integer> wins;
        /** Rounds played. */
        public int rounds;
        /** Seats that were dismissed. */
        public List<Integer> dismissed;
        /** Rounds that no seat has won, if any: their places follow from the hands as they stood (G-23). May be absent: null. */
        public Integer unwon;

        GameResult(Map<String, Object> json) {
            places = numbers(json.get("places"));
            points = numbers(json.get("points"));
            wins = numbers(json.get("wins"));
            rounds = number(json.get("rounds"), 0);
            dismissed = numbers(json.get("dismissed"));
            unwon = number(json.get("unwon"), null);
        }
    }

    /** A game is over. */
    public static final class Over {
        /** The game. */
        public String game;
        /** The result. */
        public GameResult result;
        /** What happened since the last line of this game. May be absent: null. */
        public List<Event> events;
        /** The game's seed, 64 hexadecimal digits; absent unless all other games of the deal were stored when this one began (SPEC 8.10). May be absent: null. */
        public String seed;

        Over(Map<String, Object> json) {
            game = text(json.get("game"));
            result = json.get("result") instanceof Map ? new GameResult(object(json.get("result"))) : null;
            events = records(json.get("events"), item -> new Event(object(item)));
            seed = text(json.get("seed"));
        }
    }

    /** The process is no longer needed and should end. */
    public static final class Bye {
        /** Why, in a sentence. */
        public String reason;

        Bye(Map<String, Object> json) {
            reason = text(json.get("reason"));
        }
    }

    private static final Set<String> VERBS = Set.of(
            "play", "draw", "pass", "challenge", "say", "call", "choose", "take", "deal",
            "deal_penalties", "turn_up", "look", "reach", "glare", "point_of_order",
            "end_point_of_order", "count", "pick_up", "wait");
    // </messages>

    private static final Map<String, Integer> POINTS =
            Map.of("J", 20, "A", 11, "T", 10, "9", 9, "8", 8, "7", 7, "K", 3, "Q", 3);

    /** Points against a seat that is left with {@code card}: by the table of {@code rules}, or for null by that of skat. */
    public static int cardPoints(String card, Map<String, Object> rules) {
        var rank = card.substring(0, 1);
        if (rules == null) return POINTS.getOrDefault(rank, 0);
        var points = object(object(rules.get("scoring")).get("points"));
        return number(points.get(card), number(points.get(rank), 0));
    }

    /** The suits, the ranks and the other cards of each pack, in the order of a deck. */
    private static final Map<String, List<String>> PACKS = Map.of(
            "french", List.of("CDHS", "23456789TJQKA"),
            "colours", List.of("BGRY", "23456789NVP01", "W0", "W4"),
            "waterfall", List.of("BGRY", "M3456789NVPF1", "W0", "WF", "WK"));

    /** Whether a list of values, suits and cards names a card. The letters of a wild card stand for nothing by themselves. */
    private static boolean among(String card, Object list) {
        var named = list instanceof String text ? Arrays.asList(text.split(" ")) : texts(list);
        var hasLetters = !card.startsWith("W");
        return named.contains(card) || hasLetters && (named.contains(card.substring(0, 1)) || named.contains(card.substring(1)));
    }

    /** All cards of a table of so many seats, each as often as it is there. The rules are those of start. */
    public static List<String> deck(Map<String, Object> rules, int seats) {
        var deck = object(rules.get("deck"));
        var cards = forSeats(deck.get("cards"), seats);
        var parts = PACKS.get(deck.get("pack") instanceof String name ? name : "french");
        var whole = new ArrayList<String>();
        for (var suit : parts.get(0).split("")) for (var rank : parts.get(1).split("")) whole.add(rank + suit);
        whole.addAll(parts.subList(2, parts.size()));
        var copies = deck.get("copies") instanceof List<?> rows ? rows : List.of();
        var pack = new ArrayList<String>();
        for (var card : whole) {
            if (!among(card, cards)) continue;
            var row = copies.stream().map(item -> object(item)).filter(one -> among(card, one.get("cards"))).findFirst();
            pack.addAll(Collections.nCopies(row.isPresent() ? number(row.get().get("is"), 1) : 1, card));
        }
        for (int jokers = number(deck.get("jokers"), 0); jokers > 0; jokers--) pack.add("XX");
        var all = new ArrayList<String>();
        for (int packs = number(forSeats(deck.get("packs"), seats), 1); packs > 0; packs--) all.addAll(pack);
        return all;
    }

    /** A value, or that of the row for this number of seats. */
    private static Object forSeats(Object value, int seats) {
        if (!(value instanceof List<?> rows)) return value;
        for (var item : rows) {
            if (!(item instanceof Map)) continue;
            var bounds = numbers(object(item).get("seats"));
            if (bounds.get(0) <= seats && seats <= bounds.get(1)) return object(item).get("is");
        }
        return value;
    }

    /** The seat after {@code seat} in the direction of play, if nobody is skipped. */
    public static int nextSeat(View view, int seat) {
        int seats = view.hands.size();
        return (seat + (view.direction.equals("cw") ? 1 : seats - 1)) % seats;
    }

    /** The cards that may be played now, each once, in the order of {@code legal}. */
    public static List<String> fits(Ask ask) {
        var cards = new LinkedHashSet<String>();
        if (ask.legal != null) for (var action : ask.legal) if (action.do_.equals("play")) cards.add(action.card);
        return new ArrayList<>(cards);
    }

    /** Keeps count of the cards that a seat has not seen; for a bot that wants "events" and "rules". */
    public static final class CardCounter {
        private final List<String> deck;
        private final List<String> played = new ArrayList<>();

        /** For the rules of start. */
        public CardCounter(Map<String, Object> rules, int seats) {
            deck = deck(rules, seats);
        }

        /** Takes the events of an ask, a tell or an over, in order. */
        public void see(List<Event> events) {
            if (events == null) return;
            for (var event : events) {
                int last = played.size() - 1;
                switch (event.event) {
                    case "turned_up", "played" -> played.add(event.card);
                    case "reshuffled" -> { if (last > 0) played.subList(0, last).clear(); } // all but the top card
                    case "taken_back" -> { if (last >= 0) played.remove(last); }
                    case "round_started" -> played.clear();
                    default -> { }
                }
            }
        }

        /** The cards in other hands and in the draw pile, in the order of the deck, for a seat that holds {@code hand}. */
        public List<String> unseen(List<String> hand) {
            var left = new ArrayList<>(deck);
            played.forEach(left::remove);
            hand.forEach(left::remove);
            return left;
        }
    }

    /** What start must have published for a game whose seed is {@code seed} (64 hexadecimal digits). */
    public static String commitment(String game, String seed) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update(("maumau/1 commitment\0" + game + "\0").getBytes(StandardCharsets.UTF_8));
            for (int at = 0; at + 1 < seed.length(); at += 2) digest.update((byte) Integer.parseInt(seed.substring(at, at + 2), 16));
            var text = new StringBuilder();
            for (var one : digest.digest()) text.append(String.format("%02x", one));
            return text.toString();
        } catch (NoSuchAlgorithmException error) {
            throw new IllegalStateException(error); // every Java has it
        }
    }

    /** The player of one game. Derive from it and write {@link #choose}; the other methods may stay as they are. */
    public abstract static class Bot {
        /** The name of the game. */
        public String game;
        /** Your seat; seats are counted clockwise from 0. */
        public int seat;
        /** The names of all seats, in order. */
        public List<String> names;
        /** The resolved rule set, if {@code wants} includes "rules"; else null. */
        public Map<String, Object> rules;
        /** The last ask of this game. */
        public Ask asked;
        /** Seeded by the arena: draw from it, and a game that is played again goes the same way. */
        public Random random;

        private Agent agent;
        private String commitment;
        private String crash;

        /** The game begins. The members above are set. */
        public void start(Start start) {}

        /**
         * The answer to {@code ask}: one of {@code ask.legal}, or an action made by hand like {@code new Action("draw")}.
         * {@code legal} holds the actions that this kit knows; those of a later version of the protocol are left out. A legal
         * action says what the rules want said with it; one made by hand says what its {@code say} holds.
         */
        public abstract Action choose(Ask ask);

        /** Something happened while nothing is asked; only for a bot that wants "events". */
        public void tell(Tell tell) {}

        /**
         * Something was wrong. Where {@code fault.open}, an action returned here answers the same ask again. Unless
         * overridden, it reports the fault on stderr and answers an open ask with its first legal action.
         */
        public Action fault(Fault fault) {
            complain(fault.fault + " in game " + game + ": " + fault.message + " (" + fault.clause + ")");
            var isAsked = fault.open && asked != null && asked.id.equals(fault.id);
            return isAsked && asked.legal != null && !asked.legal.isEmpty() ? asked.legal.get(0) : null;
        }

        /** The game is over; this object is not used again. */
        public void over(Over over) {}

        /** Any element of a list, each as likely as the others. */
        public final <T> T pick(List<T> list) {
            return list.get(random.nextInt(list.size()));
        }

        /** Puts any JSON (maps, lists, texts, numbers, truth, null) of at most 4 KiB into the game's record. */
        public final void note(Object note) {
            var message = new LinkedHashMap<String, Object>();
            message.put("type", "note");
            message.put("game", game);
            message.put("note", note);
            String line;
            try {
                line = Json.write(message);
            } catch (IllegalArgumentException error) {
                complain("a note was dropped, for it is no JSON: " + error.getMessage());
                return;
            }
            int bytes = line.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > MAX_NOTE_BYTES) complain("a note of " + bytes + " bytes was dropped; at most " + MAX_NOTE_BYTES);
            else if (agent != null) agent.out.append(line).append('\n'); // no game takes notes after its end
        }
    }

    /** In the place of a bot that could not be made: it fails at every ask, for that reason. */
    private static final class Unmade extends Bot {
        private final RuntimeException problem;

        Unmade(Throwable problem) {
            this.problem = new RuntimeException(problem);
        }

        @Override
        public Action choose(Ask ask) {
            throw problem;
        }
    }

    /** How a bot introduces itself. */
    public static final class Options {
        private String name = "";
        private String version = "";
        private List<String> wants = List.of("view", "legal");
        private boolean ticks;
        private int games = 1;
        private final Map<String, Object> plays = new LinkedHashMap<>();

        /** At most 64 characters. */
        public Options name(String name) {
            this.name = name;
            return this;
        }

        /** At most 64 characters. */
        public Options version(String version) {
            this.version = version;
            return this;
        }

        /** What an ask should hold: "view", "legal", "events"; and "rules" for the rules. By default view and legal. */
        public Options wants(String... wants) {
            this.wants = List.of(wants);
            return this;
        }

        /** Be asked at every opportunity to act, not only when there is a card to play. */
        public Options ticks(boolean ticks) {
            this.ticks = ticks;
            return this;
        }

        /**
         * How many games this process plays at once, by default 1. Their asks are answered one after another and each has
         * its own deadline, so leave it at 1 if the bot thinks for long.
         */
        public Options games(int games) {
            this.games = games;
            return this;
        }

        /** The rule sets that the bot was made for, by default all; a league with others is not begun. */
        public Options playsRules(String... names) {
            plays.put("rules", List.of(names));
            return this;
        }

        /** The sizes of the tables that the bot was made for, by default all. */
        public Options playsSeats(Integer... seats) {
            plays.put("seats", List.of(seats));
            return this;
        }
    }

    /** The arena speaks another protocol. */
    private static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1;

        Refusal(String sentence) {
            super(sentence);
        }
    }

    /** A process's side of the protocol without its pipes: lines of the arena go in, lines for it come out. */
    public static final class Agent {
        /** Whether the arena has said bye. */
        public boolean done;

        private final Supplier<? extends Bot> makeBot;
        private final Options options;
        private final Map<String, Bot> bots = new HashMap<>();
        private final StringBuilder out = new StringBuilder();
        private boolean isRehearsal;

        /** {@code makeBot} is called once for each game. */
        public Agent(Supplier<? extends Bot> makeBot, Options options) {
            for (var text : List.of(options.name, options.version)) {
                if (text.codePointCount(0, text.length()) > MAX_NAME_CHARS) {
                    throw new IllegalArgumentException("name and version have at most " + MAX_NAME_CHARS + " characters");
                }
            }
            if (!WANTS.containsAll(options.wants)) {
                throw new IllegalArgumentException("wants is " + options.wants + "; it is some of " + WANTS);
            }
            if (options.games < 1) throw new IllegalArgumentException("games is " + options.games + "; at least 1");
            this.makeBot = makeBot;
            this.options = options;
        }

        /** Takes a line and returns the lines to send. */
        public String receive(String line) {
            out.setLength(0);
            try {
                if (!line.isBlank()) handle(line);
            } catch (Refusal refusal) {
                throw refusal;
            } catch (Exception error) { // one game's misfortune must not end the others of this process
                complain("could not deal with this line of the arena: " + line.substring(0, Math.min(200, line.length())), error);
            }
            return out.toString();
        }

        private void handle(String line) {
            if (!(Json.read(line) instanceof Map<?, ?> read)) throw new IllegalArgumentException("it is no object");
            var message = object(read);
            var game = text(message.get("game"));
            switch (String.valueOf(message.get("type"))) {
                case "ask" -> ask(bot(game), message);
                case "tell" -> {
                    var bot = bot(game);
                    call(bot, "in tell", () -> bot.tell(new Tell(message)));
                }
                case "fault" -> fault(bots.get(game), new Fault(message));
                case "start" -> start(new Start(message));
                case "over" -> over(bot(game), new Over(message));
                case "hello" -> hello(message);
                case "bye" -> done = true;
                default -> { } // of a later version
            }
        }

        private Bot bot(String game) {
            var bot = bots.get(game);
            if (bot == null) throw new IllegalArgumentException("no game " + game + " has been started");
            return bot;
        }

        private void hello(Map<String, Object> message) {
            var theirs = String.valueOf(message.get("protocol"));
            if (!theirs.split("\\.", 2)[0].equals(PROTOCOL)) {
                throw new Refusal("this agent speaks " + PROTOCOL + " and the arena " + theirs + ": they cannot play together");
            }
            var ready = new LinkedHashMap<String, Object>();
            ready.put("type", "ready");
            ready.put("protocol", PROTOCOL);
            ready.put("name", options.name);
            ready.put("version", options.version);
            ready.put("wants", options.wants);
            ready.put("ticks", options.ticks);
            ready.put("games", Math.min(options.games, number(object(message.get("limits")).get("games"), 1)));
            if (!options.plays.isEmpty()) {
                ready.put("plays", options.plays);
            }
            send(ready);
        }

        private void start(Start start) {
            Bot bot;
            try {
                bot = makeBot.get();
            } catch (Throwable error) {
                if (isRehearsal) throw error;
                complain("the bot of game " + start.game + " could not be made", error);
                bot = new Unmade(error);
            }
            bot.game = start.game;
            bot.seat = start.seat;
            bot.names = start.names;
            bot.rules = start.rules;
            bot.random = new Random(Long.parseUnsignedLong(start.seed, 16));
            bot.agent = this;
            bot.commitment = start.commitment;
            bots.put(start.game, bot);
            var made = bot;
            call(bot, "in start", () -> made.start(start));
        }

        private void ask(Bot bot, Map<String, Object> message) {
            var ask = new Ask(message);
            bot.asked = ask;
            if (ask.legal != null) {
                ask.legal.removeIf(action -> !VERBS.contains(action.do_));
                if (ask.legal.isEmpty()) { // a later version wants something that no bot of this kit knows
                    var act = new LinkedHashMap<>(object(((List<?>) message.get("legal")).get(0)));
                    act.put("type", "act");
                    act.put("game", ask.game);
                    act.put("id", ask.id);
                    send(act);
                    return;
                }
            }
            var fallback = ask.legal != null ? ask.legal.get(0)
                    : ask.what.equals("turn") ? new Action("draw")
                    : ask.what.equals("react") ? new Action("wait") : null;
            var chosen = new Action[] {fallback};
            call(bot, "at ask " + ask.id + (ask.legal != null ? "; it plays the first legal action" : ""), () -> {
                var action = bot.choose(ask);
                if (action == null || action.do_ == null) {
                    throw new IllegalStateException(action + " is no action; one is like new Action(\"draw\")");
                }
                chosen[0] = action;
            });
            if (chosen[0] != null) act(bot, ask.id, chosen[0]);
        }

        /** Calls the author's code. If it fails, the author is told on stderr, and the arena with the next act. */
        private void call(Bot bot, String where, Runnable code) {
            if (isRehearsal) {
                code.run();
                return;
            }
            try {
                code.run();
            } catch (Throwable error) {
                complain("the bot failed " + where + " of game " + bot.game, error);
                if (bot.crash == null) bot.crash = sentence(error);
            }
        }

        private void fault(Bot bot, Fault fault) {
            if (bot == null) {
                complain(fault.fault + ": " + fault.message + " (" + fault.clause + ")");
                return;
            }
            call(bot, "in fault", () -> {
                var action = bot.fault(fault);
                if (action != null && fault.open) act(bot, fault.id, action);
            });
        }

        private void over(Bot bot, Over over) {
            bots.remove(bot.game);
            bot.agent = null;
            if (over.seed != null && !commitment(bot.game, over.seed).equals(bot.commitment)) {
                complain("the seed of game " + bot.game + " is not the one that the arena was committed to");
            }
            call(bot, "in over", () -> bot.over(over));
        }

        private void act(Bot bot, String id, Action action) {
            var act = new LinkedHashMap<String, Object>();
            act.put("type", "act");
            act.put("game", bot.game);
            act.put("id", id);
            act.putAll(action.json());
            if (bot.crash != null) act.put("crash", bot.crash);
            bot.crash = null;
            send(act);
        }

        private void send(Map<String, Object> message) {
            out.append(Json.write(message)).append('\n');
        }
    }

    /**
     * Plays until the arena says bye or goes away. {@code makeBot} is called once for each game. Standard output belongs to
     * the arena: while this runs, whatever is printed goes to stderr.
     */
    public static void run(Supplier<? extends Bot> makeBot, Options options) {
        var agent = new Agent(makeBot, options);
        if (System.console() != null) {
            complain("this is a bot; it now waits for an arena to speak to it. See agents/README.md.");
        }
        System.setOut(System.err);
        var arena = new FileOutputStream(FileDescriptor.out);
        var buffer = new byte[READ_BYTES];
        var rest = 0;
        var out = new StringBuilder();
        try {
            while (!agent.done) {
                if (rest == buffer.length) buffer = Arrays.copyOf(buffer, 2 * rest);
                int count = System.in.read(buffer, rest, buffer.length - rest);
                if (count <= 0) return; // the arena has gone
                long writeBy = System.nanoTime() + PATIENCE_NS;
                int begin = 0;
                int end = rest + count;
                for (int at = rest; at < end && !agent.done; at++) {
                    if (buffer[at] != '\n') continue;
                    out.append(agent.receive(new String(buffer, begin, at - begin, StandardCharsets.UTF_8)));
                    begin = at + 1;
                    if (out.length() > 0 && System.nanoTime() >= writeBy) write(arena, out);
                }
                if (out.length() > 0) write(arena, out);
                System.arraycopy(buffer, begin, buffer, 0, end - begin);
                rest = end - begin;
            }
        } catch (Refusal refusal) {
            complain(refusal.getMessage());
            System.exit(2);
        } catch (IOException error) {
            return; // the arena has gone
        }
    }

    private static void write(FileOutputStream arena, StringBuilder out) throws IOException {
        arena.write(out.toString().getBytes(StandardCharsets.UTF_8));
        out.setLength(0);
    }

    /** An ask with its answer. */
    public record Rehearsed(Ask ask, Action action) {}

    /**
     * Sends a bot recorded lines of the arena, without an arena: those that {@code maumau feed GAME --seat N --lines}
     * prints. What the bot throws goes through, so that a test or a debugger stops at its line.
     */
    public static List<Rehearsed> rehearse(Supplier<? extends Bot> makeBot, List<String> lines) {
        var agent = new Agent(makeBot, new Options());
        agent.isRehearsal = true;
        var answers = new ArrayList<Rehearsed>();
        for (var line : lines) {
            agent.out.setLength(0);
            if (!line.isBlank()) agent.handle(line);
            for (var text : agent.out.toString().split("\n")) {
                if (text.isEmpty()) continue;
                var act = object(Json.read(text));
                if ("act".equals(act.get("type"))) answers.add(new Rehearsed(new Ask(object(Json.read(line))), new Action(act)));
            }
        }
        return answers;
    }

    /** What was thrown, and where: in the author's file, if that is known. */
    private static String sentence(Throwable error) {
        var text = error.toString();
        for (var frame : error.getStackTrace()) {
            if (frame.getClassName().startsWith(Maumau.class.getName()) || frame.getClassName().startsWith("java.")) continue;
            text += " (" + frame.getFileName() + ", line " + frame.getLineNumber() + ", in " + frame.getMethodName() + ")";
            break;
        }
        return text.codePointCount(0, text.length()) <= MAX_CRASH_CHARS ? text
                : text.substring(0, text.offsetByCodePoints(0, MAX_CRASH_CHARS));
    }

    private static void complain(String sentence) {
        System.err.println("maumau: " + sentence);
    }

    private static void complain(String sentence, Throwable error) {
        var trace = new StringWriter();
        error.printStackTrace(new PrintWriter(trace));
        System.err.print("maumau: " + sentence + "\n" + trace);
    }

    // What JSON holds, as Java has it; what is of another type, as in a later version, is absent.

    private static String text(Object value) {
        return value instanceof String text ? text : null;
    }

    private static Integer number(Object value, Integer absent) {
        return value instanceof Number number ? Integer.valueOf(number.intValue()) : absent;
    }

    private static Boolean flag(Object value) {
        return value instanceof Boolean flag ? flag : null;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> object(Object value) {
        return value instanceof Map ? (Map<String, Object>) value : Map.of();
    }

    private static List<String> texts(Object value) {
        return records(value, Maumau::text);
    }

    private static List<Integer> numbers(Object value) {
        return records(value, item -> number(item, null));
    }

    private static <T> List<T> records(Object value, Function<Object, T> read) {
        if (!(value instanceof List<?> items)) return null;
        var list = new ArrayList<T>(items.size());
        for (var item : items) list.add(read.apply(item));
        return list;
    }

    /** JSON as maps, lists, texts, numbers, truth and null. */
    static final class Json {
        private final String text;
        private int at;

        private Json(String text) {
            this.text = text;
        }

        static Object read(String text) {
            var json = new Json(text);
            var value = json.value();
            if (json.next() != 0) throw json.wrong("the end");
            return value;
        }

        private IllegalArgumentException wrong(String expected) {
            return new IllegalArgumentException("expected " + expected + " at character " + (at + 1));
        }

        /** The next character that is no white space; 0 at the end. */
        private char next() {
            while (at < text.length() && text.charAt(at) <= ' ') at++;
            return at < text.length() ? text.charAt(at) : 0;
        }

        private boolean eats(char wanted) {
            if (next() != wanted) return false;
            at++;
            return true;
        }

        private Object value() {
            switch (next()) {
                case '{' -> {
                    at++;
                    var object = new LinkedHashMap<String, Object>();
                    if (eats('}')) return object;
                    do {
                        if (next() != '"') throw wrong("a name");
                        var name = string();
                        if (!eats(':')) throw wrong(":");
                        object.put(name, value());
                    } while (eats(','));
                    if (!eats('}')) throw wrong("}");
                    return object;
                }
                case '[' -> {
                    at++;
                    var list = new ArrayList<Object>();
                    if (eats(']')) return list;
                    do list.add(value()); while (eats(','));
                    if (!eats(']')) throw wrong("]");
                    return list;
                }
                case '"' -> { return string(); }
                case 't' -> { return word("true", true); }
                case 'f' -> { return word("false", false); }
                case 'n' -> { return word("null", null); }
                default -> { return number(); }
            }
        }

        private Object word(String word, Object value) {
            if (!text.startsWith(word, at)) throw wrong("a value");
            at += word.length();
            return value;
        }

        private Object number() {
            int begin = at;
            while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) at++;
            var digits = text.substring(begin, at);
            try {
                return Long.valueOf(digits);
            } catch (NumberFormatException notWhole) {
                try {
                    return Double.valueOf(digits);
                } catch (NumberFormatException error) {
                    throw wrong("a value");
                }
            }
        }

        private String string() {
            int begin = ++at;
            while (at < text.length() && text.charAt(at) != '"' && text.charAt(at) != '\\') at++;
            if (at < text.length() && text.charAt(at) == '"') return text.substring(begin, at++);
            var string = new StringBuilder(text.substring(begin, at));
            for (; at < text.length(); at++) {
                char letter = text.charAt(at);
                if (letter == '"') {
                    at++;
                    return string.toString();
                }
                if (letter != '\\') {
                    string.append(letter);
                    continue;
                }
                if (++at >= text.length()) break;
                letter = text.charAt(at);
                int escape = "bfnrt".indexOf(letter);
                if (letter == 'u') {
                    if (at + 4 >= text.length()) break;
                    string.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                    at += 4;
                } else {
                    string.append(escape < 0 ? letter : "\b\f\n\r\t".charAt(escape));
                }
            }
            throw wrong("the end of a text");
        }

        static String write(Object value) {
            var out = new StringBuilder();
            write(value, out);
            return out.toString();
        }

        private static void write(Object value, StringBuilder out) {
            if (value instanceof String string) {
                quote(string, out);
            } else if (value instanceof Map<?, ?> map) {
                char before = '{';
                for (var member : map.entrySet()) {
                    quote(String.valueOf(member.getKey()), out.append(before));
                    write(member.getValue(), out.append(':'));
                    before = ',';
                }
                out.append(map.isEmpty() ? "{}" : "}");
            } else if (value instanceof Iterable<?> items) {
                out.append('[');
                for (var item : items) {
                    if (out.charAt(out.length() - 1) != '[') out.append(',');
                    write(item, out);
                }
                out.append(']');
            } else if (value instanceof Number number && !Double.isFinite(number.doubleValue())) {
                throw new IllegalArgumentException(number + " is no number of JSON");
            } else if (value == null || value instanceof Boolean || value instanceof Number) {
                out.append(value);
            } else {
                throw new IllegalArgumentException(value.getClass().getName());
            }
        }

        private static void quote(String string, StringBuilder out) {
            out.append('"');
            for (int at = 0; at < string.length(); at++) {
                char letter = string.charAt(at);
                if (letter == '"' || letter == '\\') out.append('\\').append(letter);
                else if (letter < ' ') out.append(String.format("\\u%04x", (int) letter));
                else out.append(letter);
            }
            out.append('"');
        }
    }
}
