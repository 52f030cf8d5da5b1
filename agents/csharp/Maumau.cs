// What a bot needs to play in the Mau-Mau arena: maumau/1 in one file, for .NET and for Mono, nothing to install.
//
//     using Maumau;
//
//     public class MyBot : Bot
//     {
//         public override Action Choose(Ask ask) { return Pick(ask.Legal); }
//
//         public static void Main() { Kit.Run(() => new MyBot(), new Options { Name = "my bot" }); }
//     }
//
// Messages are objects with the members of the protocol; protocol/SPEC.md describes them. Run makes one bot for each game,
// so a process can play many games at once without mixing them up.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Text;

namespace Maumau
{
    // <messages> made from the protocol's types by a test of agents/sdk

    /// <summary>The limits that the arena announces in `hello`.</summary>
    public sealed class Limits
    {
        /// <summary>Bytes in a line, newline included, in either direction.</summary>
        public int LineBytes;
        /// <summary>Lines one agent may send while one ask is open.</summary>
        public int LinesPerAsk;
        /// <summary>Utterances in an action.</summary>
        public int Says;
        /// <summary>Characters in an utterance.</summary>
        public int SayChars;
        /// <summary>Bytes of JSON in a note.</summary>
        public int NoteBytes;
        /// <summary>Games in one process.</summary>
        public int Games;

        internal Limits(Dictionary<string, object> json)
        {
            LineBytes = Json.Number(Json.Get(json, "line_bytes")) ?? 0;
            LinesPerAsk = Json.Number(Json.Get(json, "lines_per_ask")) ?? 0;
            Says = Json.Number(Json.Get(json, "says")) ?? 0;
            SayChars = Json.Number(Json.Get(json, "say_chars")) ?? 0;
            NoteBytes = Json.Number(Json.Get(json, "note_bytes")) ?? 0;
            Games = Json.Number(Json.Get(json, "games")) ?? 0;
        }
    }

    /// <summary>First line of every process.</summary>
    public sealed class Hello
    {
        /// <summary>The protocol that the arena speaks: `maumau/1`.</summary>
        public string Protocol;
        /// <summary>The version of the arena.</summary>
        public string Arena;
        /// <summary>Limits on what is sent: of the lines in either direction, and of what an agent may send.</summary>
        public Limits Limits;
        /// <summary>How answers are put in order. (lockstep, live)</summary>
        public string Clock;

        internal Hello(Dictionary<string, object> json)
        {
            Protocol = Json.Get(json, "protocol") as string;
            Arena = Json.Get(json, "arena") as string;
            Limits = Json.One(Json.Get(json, "limits"), o => new Limits(o));
            Clock = Json.Get(json, "clock") as string;
        }
    }

    /// <summary>The time a seat has.</summary>
    public sealed class TimeControl
    {
        /// <summary>Milliseconds for one answer.</summary>
        public int MoveMs;
        /// <summary>Milliseconds a seat may overdraw in a whole game, beyond `move_ms` of each answer.</summary>
        public int BankMs;
        /// <summary>Milliseconds that each answer in time adds to the bank.</summary>
        public int IncrementMs;
        /// <summary>Milliseconds from the start of a process to its `ready`.</summary>
        public int StartMs;
        /// <summary>Live clock: milliseconds for words that are due (G-13).</summary>
        public int GraceMs;
        /// <summary>Live clock: milliseconds that others have to answer before the seat to move is heard (G-13).</summary>
        public int ReactionMs;
        /// <summary>Live clock: milliseconds after a last card (G-13).</summary>
        public int ClosingMs;
        /// <summary>Live clock: milliseconds of a count of ten (G-13).</summary>
        public int CountMs;

        internal TimeControl(Dictionary<string, object> json)
        {
            MoveMs = Json.Number(Json.Get(json, "move_ms")) ?? 0;
            BankMs = Json.Number(Json.Get(json, "bank_ms")) ?? 0;
            IncrementMs = Json.Number(Json.Get(json, "increment_ms")) ?? 0;
            StartMs = Json.Number(Json.Get(json, "start_ms")) ?? 0;
            GraceMs = Json.Number(Json.Get(json, "grace_ms")) ?? 0;
            ReactionMs = Json.Number(Json.Get(json, "reaction_ms")) ?? 0;
            ClosingMs = Json.Number(Json.Get(json, "closing_ms")) ?? 0;
            CountMs = Json.Number(Json.Get(json, "count_ms")) ?? 0;
        }
    }

    /// <summary>A game begins.</summary>
    public sealed class Start
    {
        /// <summary>The game.</summary>
        public string Game;
        /// <summary>The agent's seat.</summary>
        public int Seat;
        /// <summary>The names of all seats, in order; `seat-0`, `seat-1` and so on where the organiser hides them.</summary>
        public List<string> Names;
        /// <summary>The name of the rule set.</summary>
        public string RuleSet;
        /// <summary>Rounds of the match.</summary>
        public int Rounds;
        /// <summary>The time a seat has.</summary>
        public TimeControl Time;
        /// <summary>Conduct faults after which the agent is dismissed.</summary>
        public int MaxStrikes;
        /// <summary>The commitment to the game's seed, 64 hexadecimal digits (SPEC 8.10).</summary>
        public string Commitment;
        /// <summary>A seed for the agent's own use, 16 hexadecimal digits, the same whenever this game is played again.</summary>
        public string Seed;
        /// <summary>True if the organiser says that agents may know the run's seed, and so every card (SPEC 8.1). May be absent: null.</summary>
        public bool? PublicSeed;
        /// <summary>The resolved rule set; only for an agent that wants `rules`, and if a line holds it. May be absent: null.</summary>
        public Dictionary<string, object> Rules;

        internal Start(Dictionary<string, object> json)
        {
            Game = Json.Get(json, "game") as string;
            Seat = Json.Number(Json.Get(json, "seat")) ?? 0;
            Names = Json.Texts(Json.Get(json, "names"));
            RuleSet = Json.Get(json, "rule_set") as string;
            Rounds = Json.Number(Json.Get(json, "rounds")) ?? 0;
            Time = Json.One(Json.Get(json, "time"), o => new TimeControl(o));
            MaxStrikes = Json.Number(Json.Get(json, "max_strikes")) ?? 0;
            Commitment = Json.Get(json, "commitment") as string;
            Seed = Json.Get(json, "seed") as string;
            PublicSeed = Json.Get(json, "public_seed") as bool?;
            Rules = Json.Get(json, "rules") as Dictionary<string, object>;
        }
    }

    /// <summary>A suit, a rank or a seat that a card lets its player name.</summary>
    public sealed class Choice
    {
        /// <summary>A value. May be absent: null.</summary>
        public string Rank;
        /// <summary>A seat. May be absent: null.</summary>
        public int? Seat;
        /// <summary>A suit. May be absent: null.</summary>
        public string Suit;

        public Choice() { }

        internal Choice(Dictionary<string, object> json)
        {
            Rank = Json.Get(json, "rank") as string;
            Seat = Json.Number(Json.Get(json, "seat"));
            Suit = Json.Get(json, "suit") as string;
        }

        internal Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            if (Rank != null) json["rank"] = Rank;
            if (Seat != null) json["seat"] = Seat;
            if (Suit != null) json["suit"] = Suit;
            return json;
        }

        public override string ToString() { return Json.Write(ToJson()); }
    }

    /// <summary>An event as one seat may see it.</summary>
    public sealed class Event
    {
        /// <summary>What it is.</summary>
        public string Kind;
        /// <summary>The accused. May be absent: null.</summary>
        public int? Against;
        /// <summary>True if the words were said by themselves, and not with a card that is played, drawn or taken, a pass or a choice: words that are due with a card are said with it or after it (G-24, P-59). May be absent: null.</summary>
        public bool? Apart;
        /// <summary>The card for which it stands, if it stands for another (G-79). May be absent: null.</summary>
        public string As;
        /// <summary>At whom. May be absent: null.</summary>
        public int? At;
        /// <summary>Whether it is the change back. May be absent: null.</summary>
        public bool? Back;
        /// <summary>The accuser. May be absent: null.</summary>
        public int? By;
        /// <summary>The card. May be absent: null.</summary>
        public string Card;
        /// <summary>The cards; absent for others. May be absent: null.</summary>
        public List<string> Cards;
        /// <summary>What was named with it. May be absent: null.</summary>
        public Choice Choose;
        /// <summary>How many cards. May be absent: null.</summary>
        public int? Count;
        /// <summary>Who deals. May be absent: null.</summary>
        public int? Dealer;
        /// <summary>The direction of play. (cw, ccw) May be absent: null.</summary>
        public string Direction;
        /// <summary>How it ended. (won, turn_cap, blocked) May be absent: null.</summary>
        public string End;
        /// <summary>For what. May be absent: null.</summary>
        public string Fault;
        /// <summary>Towards what. (draw, play) May be absent: null.</summary>
        public string For;
        /// <summary>From whose hand. May be absent: null.</summary>
        public int? From;
        /// <summary>The cards left. May be absent: null.</summary>
        public List<string> Hand;
        /// <summary>The names of the rules, in alphabetical order. May be absent: null.</summary>
        public List<string> Offer;
        /// <summary>Whether they leave a run open for the next player (G-73). May be absent: null.</summary>
        public bool? Open;
        /// <summary>Whether the referee carried it out because it was overdue, which is a mistake of the seat that takes (N-106). May be absent: null.</summary>
        public bool? Overdue;
        /// <summary>Its place in the round, from 1. May be absent: null.</summary>
        public int? Place;
        /// <summary>Points of this round. May be absent: null.</summary>
        public int? Points;
        /// <summary>Why. (a word of SPEC's Reason) May be absent: null.</summary>
        public string Reason;
        /// <summary>Counted from 1. May be absent: null.</summary>
        public int? Round;
        /// <summary>The name of the rule. May be absent: null.</summary>
        public string Rule;
        /// <summary>Whether its owner may not look at it yet. May be absent: null.</summary>
        public bool? Sealed;
        /// <summary>Whose hand. May be absent: null.</summary>
        public int? Seat;
        /// <summary>Both seats. May be absent: null.</summary>
        public List<int> Seats;
        /// <summary>The card was played openly before it was refused: everybody saw it. May be absent: null.</summary>
        public bool? Shown;
        /// <summary>The suit. May be absent: null.</summary>
        public string Suit;
        /// <summary>The words. May be absent: null.</summary>
        public string Text;
        /// <summary>To whom. May be absent: null.</summary>
        public int? To;
        /// <summary>Points of the match so far. May be absent: null.</summary>
        public int? Total;
        /// <summary>Whether it was upheld. May be absent: null.</summary>
        public bool? Upheld;
        /// <summary>Why. May be absent: null.</summary>
        public string Why;
        /// <summary>The winners; nobody where the turn cap was reached. May be absent: null.</summary>
        public List<int> Winners;

        internal Event(Dictionary<string, object> json)
        {
            Kind = Json.Get(json, "event") as string;
            Against = Json.Number(Json.Get(json, "against"));
            Apart = Json.Get(json, "apart") as bool?;
            As = Json.Get(json, "as") as string;
            At = Json.Number(Json.Get(json, "at"));
            Back = Json.Get(json, "back") as bool?;
            By = Json.Number(Json.Get(json, "by"));
            Card = Json.Get(json, "card") as string;
            Cards = Json.Texts(Json.Get(json, "cards"));
            Choose = Json.One(Json.Get(json, "choose"), o => new Choice(o));
            Count = Json.Number(Json.Get(json, "count"));
            Dealer = Json.Number(Json.Get(json, "dealer"));
            Direction = Json.Get(json, "direction") as string;
            End = Json.Get(json, "end") as string;
            Fault = Json.Get(json, "fault") as string;
            For = Json.Get(json, "for") as string;
            From = Json.Number(Json.Get(json, "from"));
            Hand = Json.Texts(Json.Get(json, "hand"));
            Offer = Json.Texts(Json.Get(json, "offer"));
            Open = Json.Get(json, "open") as bool?;
            Overdue = Json.Get(json, "overdue") as bool?;
            Place = Json.Number(Json.Get(json, "place"));
            Points = Json.Number(Json.Get(json, "points"));
            Reason = Json.Get(json, "reason") as string;
            Round = Json.Number(Json.Get(json, "round"));
            Rule = Json.Get(json, "rule") as string;
            Sealed = Json.Get(json, "sealed") as bool?;
            Seat = Json.Number(Json.Get(json, "seat"));
            Seats = Json.Numbers(Json.Get(json, "seats"));
            Shown = Json.Get(json, "shown") as bool?;
            Suit = Json.Get(json, "suit") as string;
            Text = Json.Get(json, "text") as string;
            To = Json.Number(Json.Get(json, "to"));
            Total = Json.Number(Json.Get(json, "total"));
            Upheld = Json.Get(json, "upheld") as bool?;
            Why = Json.Get(json, "why") as string;
            Winners = Json.Numbers(Json.Get(json, "winners"));
        }
    }

    /// <summary>A verb and the words spoken with it.</summary>
    public sealed class Action
    {
        /// <summary>What it is. (a word of SPEC's Verb)</summary>
        public string Do;
        /// <summary>The accused. May be absent: null.</summary>
        public int? Against;
        /// <summary>The card for which it stands. May be absent: null.</summary>
        public string As;
        /// <summary>The loud seat. May be absent: null.</summary>
        public int? At;
        /// <summary>The card, which must be in the seat's hand. May be absent: null.</summary>
        public string Card;
        /// <summary>The cards, which must be in the seat's hand, in the order in which they are played: the last one lies on top. May be absent: null.</summary>
        public List<string> Cards;
        /// <summary>What the card lets its player name. May be absent: null.</summary>
        public Choice Choose;
        /// <summary>False leaves a run open for the next player, where the rules let it; a list of one card is then possible (G-73). May be absent: null.</summary>
        public bool? Close;
        /// <summary>The name of the fault; an unknown one is a call that is not upheld. May be absent: null.</summary>
        public string Fault;
        /// <summary>Towards what. (draw, play) May be absent: null.</summary>
        public string For;
        /// <summary>The hand to take from. May be absent: null.</summary>
        public int? From;
        /// <summary>A value. May be absent: null.</summary>
        public string Rank;
        /// <summary>The name of the rule in the menu, one of the offer. May be absent: null.</summary>
        public string Rule;
        /// <summary>What is said with it, heard before its effects (G-11). May be absent: null.</summary>
        public List<string> Say;
        /// <summary>A suit. May be absent: null.</summary>
        public string Suit;
        /// <summary>The words. May be absent: null.</summary>
        public string Text;
        /// <summary>The receivers. May be absent: null.</summary>
        public List<int> To;

        public Action() { }

        /// <summary>An action without further members, such as draw.</summary>
        public Action(string verb) { Do = verb; }

        internal Action(Dictionary<string, object> json)
        {
            Do = Json.Get(json, "do") as string;
            Against = Json.Number(Json.Get(json, "against"));
            As = Json.Get(json, "as") as string;
            At = Json.Number(Json.Get(json, "at"));
            Card = Json.Get(json, "card") as string;
            Cards = Json.Texts(Json.Get(json, "cards"));
            Choose = Json.One(Json.Get(json, "choose"), o => new Choice(o));
            Close = Json.Get(json, "close") as bool?;
            Fault = Json.Get(json, "fault") as string;
            For = Json.Get(json, "for") as string;
            From = Json.Number(Json.Get(json, "from"));
            Rank = Json.Get(json, "rank") as string;
            Rule = Json.Get(json, "rule") as string;
            Say = Json.Texts(Json.Get(json, "say"));
            Suit = Json.Get(json, "suit") as string;
            Text = Json.Get(json, "text") as string;
            To = Json.Numbers(Json.Get(json, "to"));
        }

        internal Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            if (Do != null) json["do"] = Do;
            if (Against != null) json["against"] = Against;
            if (As != null) json["as"] = As;
            if (At != null) json["at"] = At;
            if (Card != null) json["card"] = Card;
            if (Cards != null) json["cards"] = Cards;
            if (Choose != null) json["choose"] = Choose.ToJson();
            if (Close != null) json["close"] = Close;
            if (Fault != null) json["fault"] = Fault;
            if (For != null) json["for"] = For;
            if (From != null) json["from"] = From;
            if (Rank != null) json["rank"] = Rank;
            if (Rule != null) json["rule"] = Rule;
            if (Say != null) json["say"] = Say;
            if (Suit != null) json["suit"] = Suit;
            if (Text != null) json["text"] = Text;
            if (To != null) json["to"] = To;
            return json;
        }

        public override string ToString() { return Json.Write(ToJson()); }
    }

    /// <summary>A choice of a rule to add.</summary>
    public sealed class RuleChoice
    {
        /// <summary>Who chooses.</summary>
        public int By;
        /// <summary>The names of the rules that can be chosen, in alphabetical order.</summary>
        public List<string> Offer;

        internal RuleChoice(Dictionary<string, object> json)
        {
            By = Json.Number(Json.Get(json, "by")) ?? 0;
            Offer = Json.Texts(Json.Get(json, "offer"));
        }
    }

    /// <summary>A card that either neighbour of its player may answer.</summary>
    public sealed class Race
    {
        /// <summary>Who played it.</summary>
        public int By;

        internal Race(Dictionary<string, object> json)
        {
            By = Json.Number(Json.Get(json, "by")) ?? 0;
        }
    }

    /// <summary>A value or suit that the whole table has to serve.</summary>
    public sealed class Request
    {
        /// <summary>By whom.</summary>
        public int By;
        /// <summary>A value. May be absent: null.</summary>
        public string Rank;
        /// <summary>A seat. May be absent: null.</summary>
        public int? Seat;
        /// <summary>A suit. May be absent: null.</summary>
        public string Suit;

        internal Request(Dictionary<string, object> json)
        {
            By = Json.Number(Json.Get(json, "by")) ?? 0;
            Rank = Json.Get(json, "rank") as string;
            Seat = Json.Number(Json.Get(json, "seat"));
            Suit = Json.Get(json, "suit") as string;
        }
    }

    /// <summary>A run of a suit that the next player may go on with.</summary>
    public sealed class OpenRun
    {
        /// <summary>The suit of its cards.</summary>
        public string Suit;
        /// <summary>Who opened it, or played its last card.</summary>
        public int By;

        internal OpenRun(Dictionary<string, object> json)
        {
            Suit = Json.Get(json, "suit") as string;
            By = Json.Number(Json.Get(json, "by")) ?? 0;
        }
    }

    /// <summary>An instruction to take a card from another hand.</summary>
    public sealed class TakeOrder
    {
        /// <summary>Who has to take it.</summary>
        public int By;
        /// <summary>From whose hand.</summary>
        public int From;

        internal TakeOrder(Dictionary<string, object> json)
        {
            By = Json.Number(Json.Get(json, "by")) ?? 0;
            From = Json.Number(Json.Get(json, "from")) ?? 0;
        }
    }

    /// <summary>What stands between the seat to move and an ordinary play. Absent, 0 and `null` mean the same.</summary>
    public sealed class Pending
    {
        /// <summary>The seat that may play a further card. May be absent: null.</summary>
        public int? Again;
        /// <summary>Anything may be played. May be absent: null.</summary>
        public bool? Anything;
        /// <summary>The seat that may challenge the card which makes it owe cards. May be absent: null.</summary>
        public int? Challenge;
        /// <summary>The seat that must name a suit. May be absent: null.</summary>
        public int? Choose;
        /// <summary>A rule of the menu has to be added, before the next round (G-74). May be absent: null.</summary>
        public RuleChoice ChooseRule;
        /// <summary>Whether a hand is empty and the round closes unless that changes. May be absent: null.</summary>
        public bool? Closing;
        /// <summary>Cards owed. May be absent: null.</summary>
        public int? Draw;
        /// <summary>The kind of the debt, as the rule set names it. May be absent: null.</summary>
        public string DrawKind;
        /// <summary>Cards that the seat to move has drawn in this turn. May be absent: null.</summary>
        public int? Drawn;
        /// <summary>The race of the neighbours of a joker's player. May be absent: null.</summary>
        public Race Joker;
        /// <summary>The seat that has played a free card in its turn and still owes the turn. May be absent: null.</summary>
        public int? OwedTurn;
        /// <summary>The value or suit that the whole table has to serve. May be absent: null.</summary>
        public Request Request;
        /// <summary>The run that is open, which the seat to move may go on with. May be absent: null.</summary>
        public OpenRun Run;
        /// <summary>Cards that lie one on another and make the debt, where it is drawn one by one. May be absent: null.</summary>
        public int? Sevens;
        /// <summary>Players to be suspended, beginning with the seat to move. May be absent: null.</summary>
        public int? Skip;
        /// <summary>The seat that is skipped unless it answers. May be absent: null.</summary>
        public int? SkipVictim;
        /// <summary>The player of the next card owes the word for two identical cards. May be absent: null.</summary>
        public bool? Snap;
        /// <summary>The suit that must be served: wished, or the top card's own where a wish was possible and not made. May be absent: null.</summary>
        public string Suit;
        /// <summary>A suit must be stated, by anybody, before a card has to be of it. May be absent: null.</summary>
        public bool? SuitOpen;
        /// <summary>The oldest instruction to take a card. May be absent: null.</summary>
        public TakeOrder Take;

        internal Pending(Dictionary<string, object> json)
        {
            Again = Json.Number(Json.Get(json, "again"));
            Anything = Json.Get(json, "anything") as bool?;
            Challenge = Json.Number(Json.Get(json, "challenge"));
            Choose = Json.Number(Json.Get(json, "choose"));
            ChooseRule = Json.One(Json.Get(json, "choose_rule"), o => new RuleChoice(o));
            Closing = Json.Get(json, "closing") as bool?;
            Draw = Json.Number(Json.Get(json, "draw"));
            DrawKind = Json.Get(json, "draw_kind") as string;
            Drawn = Json.Number(Json.Get(json, "drawn"));
            Joker = Json.One(Json.Get(json, "joker"), o => new Race(o));
            OwedTurn = Json.Number(Json.Get(json, "owed_turn"));
            Request = Json.One(Json.Get(json, "request"), o => new Request(o));
            Run = Json.One(Json.Get(json, "run"), o => new OpenRun(o));
            Sevens = Json.Number(Json.Get(json, "sevens"));
            Skip = Json.Number(Json.Get(json, "skip"));
            SkipVictim = Json.Number(Json.Get(json, "skip_victim"));
            Snap = Json.Get(json, "snap") as bool?;
            Suit = Json.Get(json, "suit") as string;
            SuitOpen = Json.Get(json, "suit_open") as bool?;
            Take = Json.One(Json.Get(json, "take"), o => new TakeOrder(o));
        }
    }

    /// <summary>Everything that a seat may know of the present position (G-08). Lists by seat are in seat order.</summary>
    public sealed class View
    {
        /// <summary>The seat's own cards, by suit (C, D, H, S) and in a suit from two to ace, jokers last.</summary>
        public List<string> Hand;
        /// <summary>The direction of play. (cw, ccw)</summary>
        public string Direction;
        /// <summary>The number of cards in each hand.</summary>
        public List<int> Hands;
        /// <summary>The number of cards in the draw pile.</summary>
        public int DrawPile;
        /// <summary>What the seat to move faces.</summary>
        public Pending Pending;
        /// <summary>The round, counted from 1.</summary>
        public int Round;
        /// <summary>The rounds of the match.</summary>
        public int Rounds;
        /// <summary>Who dealt.</summary>
        public int Dealer;
        /// <summary>Points of each seat in the match so far.</summary>
        public List<int> Points;
        /// <summary>Rounds won by each seat so far.</summary>
        public List<int> Wins;
        /// <summary>Seats that hold one card and have said so. May be absent: null.</summary>
        public List<int> MauSaid;
        /// <summary>Seats that have not looked at their cards yet. May be absent: null.</summary>
        public List<int> NotLooked;
        /// <summary>Seats that are out of the round. May be absent: null.</summary>
        public List<int> Out;
        /// <summary>The seat whose point of order lasts. May be absent: null.</summary>
        public int? PointOfOrder;
        /// <summary>The rules of the menu that hold, by name, in the order in which they were added. May be absent: null.</summary>
        public List<string> Rules;
        /// <summary>The number of sealed cards in each hand; absent where there are none. May be absent: null.</summary>
        public List<int> Sealed;
        /// <summary>The top card of the discard pile; absent where the pile is empty. May be absent: null.</summary>
        public string Top;
        /// <summary>The seat to move; absent between rounds. May be absent: null.</summary>
        public int? Turn;
        /// <summary>The turns that each seat has still to miss; absent where no seat can lose several. May be absent: null.</summary>
        public List<int> TurnsLost;
        /// <summary>The card that counts, if it is not the top card: the one below cards that are as if they were not there, or the one for which the top card stands (G-79). May be absent: null.</summary>
        public string Visible;

        internal View(Dictionary<string, object> json)
        {
            Hand = Json.Texts(Json.Get(json, "hand"));
            Direction = Json.Get(json, "direction") as string;
            Hands = Json.Numbers(Json.Get(json, "hands"));
            DrawPile = Json.Number(Json.Get(json, "draw_pile")) ?? 0;
            Pending = Json.One(Json.Get(json, "pending"), o => new Pending(o));
            Round = Json.Number(Json.Get(json, "round")) ?? 0;
            Rounds = Json.Number(Json.Get(json, "rounds")) ?? 0;
            Dealer = Json.Number(Json.Get(json, "dealer")) ?? 0;
            Points = Json.Numbers(Json.Get(json, "points"));
            Wins = Json.Numbers(Json.Get(json, "wins"));
            MauSaid = Json.Numbers(Json.Get(json, "mau_said"));
            NotLooked = Json.Numbers(Json.Get(json, "not_looked"));
            Out = Json.Numbers(Json.Get(json, "out"));
            PointOfOrder = Json.Number(Json.Get(json, "point_of_order"));
            Rules = Json.Texts(Json.Get(json, "rules"));
            Sealed = Json.Numbers(Json.Get(json, "sealed"));
            Top = Json.Get(json, "top") as string;
            Turn = Json.Number(Json.Get(json, "turn"));
            TurnsLost = Json.Numbers(Json.Get(json, "turns_lost"));
            Visible = Json.Get(json, "visible") as string;
        }
    }

    /// <summary>An answer is wanted.</summary>
    public sealed class Ask
    {
        /// <summary>The game.</summary>
        public string Game;
        /// <summary>The id to repeat in the answer.</summary>
        public string Id;
        /// <summary>The agent's seat.</summary>
        public int Seat;
        /// <summary>What kind of answer. (turn, react, choose, deal)</summary>
        public string What;
        /// <summary>Milliseconds until the deadline, counted from when the line was written.</summary>
        public int TimeMs;
        /// <summary>The number of the last event so far.</summary>
        public int AsOf;
        /// <summary>Events since the last line of this game; for an agent that wants `events`. May be absent: null.</summary>
        public List<Event> Events;
        /// <summary>The actions that would be accepted, each with the words that the rules want said with it; for an agent that wants `legal`. Never empty where it stands. May be absent: null.</summary>
        public List<Action> Legal;
        /// <summary>The position; for an agent that wants `view`. May be absent: null.</summary>
        public View View;

        internal Ask(Dictionary<string, object> json)
        {
            Game = Json.Get(json, "game") as string;
            Id = Json.Get(json, "id") as string;
            Seat = Json.Number(Json.Get(json, "seat")) ?? 0;
            What = Json.Get(json, "what") as string;
            TimeMs = Json.Number(Json.Get(json, "time_ms")) ?? 0;
            AsOf = Json.Number(Json.Get(json, "as_of")) ?? 0;
            Events = Json.Many(Json.Get(json, "events"), o => new Event(o));
            Legal = Json.Many(Json.Get(json, "legal"), o => new Action(o));
            View = Json.One(Json.Get(json, "view"), o => new View(o));
        }
    }

    /// <summary>Something happened and nothing is asked.</summary>
    public sealed class Tell
    {
        /// <summary>The game.</summary>
        public string Game;
        /// <summary>What happened since the last line of this game.</summary>
        public List<Event> Events;

        internal Tell(Dictionary<string, object> json)
        {
            Game = Json.Get(json, "game") as string;
            Events = Json.Many(Json.Get(json, "events"), o => new Event(o));
        }
    }

    /// <summary>A line or an action was wrong.</summary>
    public sealed class Fault
    {
        /// <summary>The name in the fault table.</summary>
        public string Name;
        /// <summary>What was expected, what came, where.</summary>
        public string Message;
        /// <summary>The rule clause or SPEC clause.</summary>
        public string Clause;
        /// <summary>Penalty cards that it cost.</summary>
        public int Cards;
        /// <summary>Conduct faults of this seat in this game so far.</summary>
        public int Strikes;
        /// <summary>Whether the ask is still open, so that another answer may be sent before its deadline.</summary>
        public bool Open;
        /// <summary>The game it counts in; absent before the first game. May be absent: null.</summary>
        public string Game;
        /// <summary>The ask that it belongs to, where one is open. May be absent: null.</summary>
        public string Id;

        internal Fault(Dictionary<string, object> json)
        {
            Name = Json.Get(json, "fault") as string;
            Message = Json.Get(json, "message") as string;
            Clause = Json.Get(json, "clause") as string;
            Cards = Json.Number(Json.Get(json, "cards")) ?? 0;
            Strikes = Json.Number(Json.Get(json, "strikes")) ?? 0;
            Open = Json.Get(json, "open") as bool? ?? false;
            Game = Json.Get(json, "game") as string;
            Id = Json.Get(json, "id") as string;
        }
    }

    /// <summary>The result of a match. Lists are in seat order.</summary>
    public sealed class GameResult
    {
        /// <summary>The place of each seat, 1 for the first; equal seats share the better place.</summary>
        public List<int> Places;
        /// <summary>Points of each seat.</summary>
        public List<int> Points;
        /// <summary>Rounds won by each seat.</summary>
        public List<int> Wins;
        /// <summary>Rounds played.</summary>
        public int Rounds;
        /// <summary>Seats that were dismissed.</summary>
        public List<int> Dismissed;
        /// <summary>Rounds that no seat has won, if any: their places follow from the hands as they stood (G-23). May be absent: null.</summary>
        public int? Unwon;

        internal GameResult(Dictionary<string, object> json)
        {
            Places = Json.Numbers(Json.Get(json, "places"));
            Points = Json.Numbers(Json.Get(json, "points"));
            Wins = Json.Numbers(Json.Get(json, "wins"));
            Rounds = Json.Number(Json.Get(json, "rounds")) ?? 0;
            Dismissed = Json.Numbers(Json.Get(json, "dismissed"));
            Unwon = Json.Number(Json.Get(json, "unwon"));
        }
    }

    /// <summary>A game is over.</summary>
    public sealed class Over
    {
        /// <summary>The game.</summary>
        public string Game;
        /// <summary>The result.</summary>
        public GameResult Result;
        /// <summary>What happened since the last line of this game. May be absent: null.</summary>
        public List<Event> Events;
        /// <summary>The game's seed, 64 hexadecimal digits; absent unless all other games of the deal were stored when this one began (SPEC 8.10). May be absent: null.</summary>
        public string Seed;

        internal Over(Dictionary<string, object> json)
        {
            Game = Json.Get(json, "game") as string;
            Result = Json.One(Json.Get(json, "result"), o => new GameResult(o));
            Events = Json.Many(Json.Get(json, "events"), o => new Event(o));
            Seed = Json.Get(json, "seed") as string;
        }
    }

    /// <summary>The process is no longer needed and should end.</summary>
    public sealed class Bye
    {
        /// <summary>Why, in a sentence.</summary>
        public string Reason;

        internal Bye(Dictionary<string, object> json)
        {
            Reason = Json.Get(json, "reason") as string;
        }
    }

    static class Verbs
    {
        internal static readonly HashSet<string> All = new HashSet<string> {
            "play", "draw", "pass", "challenge", "say", "call", "choose", "take", "deal",
            "deal_penalties", "turn_up", "look", "reach", "glare", "point_of_order",
            "end_point_of_order", "count", "pick_up", "wait",
        };
    }
    // </messages>

    /// <summary>The player of one game. Derive from it and write Choose; the other methods may stay as they are.</summary>
    public abstract class Bot
    {
        /// <summary>The name of the game.</summary>
        public string Game;
        /// <summary>Your seat; seats are counted clockwise from 0.</summary>
        public int Seat;
        /// <summary>The names of all seats, in order.</summary>
        public List<string> Names;
        /// <summary>The resolved rule set, if Wants includes "rules"; else null.</summary>
        public Dictionary<string, object> Rules;
        /// <summary>The last ask of this game.</summary>
        public Ask Asked;
        /// <summary>Seeded by the arena: draw from it, and a game that is played again goes the same way.</summary>
        public Dice Random;

        internal Agent Agent;
        internal string Commitment;
        internal string Crash;

        /// <summary>The game begins. The members above are set.</summary>
        public virtual void Start(Start start) { }

        /// <summary>The answer to ask: one of ask.Legal, or an action made by hand like new Action("draw").</summary>
        /// <remarks>Legal holds the actions that this kit knows; those of a later version of the protocol are left out. A
        /// legal action says what the rules want said with it; one made by hand says what its Say holds.</remarks>
        public abstract Action Choose(Ask ask);

        /// <summary>Something happened while nothing is asked; only for a bot that wants "events".</summary>
        public virtual void Tell(Tell tell) { }

        /// <summary>Something was wrong. Where fault.Open, an action returned here answers the same ask again.</summary>
        /// <remarks>Unless overridden, it reports the fault on stderr and answers an open ask with its first legal
        /// action.</remarks>
        public virtual Action Fault(Fault fault)
        {
            Kit.Complain(fault.Name + " in game " + Game + ": " + fault.Message + " (" + fault.Clause + ")");
            var isAsked = fault.Open && Asked != null && Asked.Id == fault.Id;
            return isAsked && Asked.Legal != null ? Asked.Legal.FirstOrDefault() : null;
        }

        /// <summary>The game is over; this object is not used again.</summary>
        public virtual void Over(Over over) { }

        /// <summary>Any element of a list, each as likely as the others.</summary>
        public T Pick<T>(List<T> list) { return list[Random.Next(list.Count)]; }

        /// <summary>Puts any JSON (dictionaries, lists, texts, numbers, truth, null) of at most 4 KiB into the game's
        /// record.</summary>
        public void Note(object note)
        {
            string line;
            try
            {
                line = Json.Write(new Dictionary<string, object> { { "type", "note" }, { "game", Game }, { "note", note } });
            }
            catch (ArgumentException error)
            {
                Kit.Complain("a note was dropped, for it is no JSON: " + error.Message);
                return;
            }
            var bytes = Encoding.UTF8.GetByteCount(line);
            if (bytes > Kit.MaxNoteBytes) Kit.Complain("a note of " + bytes + " bytes was dropped; at most " + Kit.MaxNoteBytes);
            else if (Agent != null) Agent.Out.Append(line).Append('\n'); // no game takes notes after its end
        }
    }

    /// <summary>Random numbers by SplitMix64. System.Random asks the system for a seed of its own, which a sandbox may not
    /// have.</summary>
    public sealed class Dice
    {
        ulong state;

        /// <summary>The same seed, the same numbers.</summary>
        public Dice(ulong seed) { state = seed; }

        /// <summary>At least 0 and below 1.</summary>
        public double NextDouble()
        {
            unchecked
            {
                state += 0x9e3779b97f4a7c15;
                var mixed = (state ^ state >> 30) * 0xbf58476d1ce4e5b9;
                mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
                return ((mixed ^ mixed >> 31) >> 11) / 9007199254740992.0;
            }
        }

        /// <summary>At least 0 and below bound.</summary>
        public int Next(int bound) { return (int)(NextDouble() * bound); }
    }

    /// <summary>In the place of a bot that could not be made: it fails at every ask, for that reason.</summary>
    sealed class Unmade : Bot
    {
        readonly Exception problem;
        internal Unmade(Exception problem) { this.problem = problem; }
        public override Action Choose(Ask ask) { throw new InvalidOperationException(problem.Message, problem); }
    }

    /// <summary>How a bot introduces itself.</summary>
    public sealed class Options
    {
        /// <summary>At most 64 characters.</summary>
        public string Name = "";
        /// <summary>At most 64 characters.</summary>
        public string Version = "";
        /// <summary>What an ask should hold: "view", "legal", "events"; and "rules" for the rules.</summary>
        public string[] Wants = { "view", "legal" };
        /// <summary>Be asked at every opportunity to act, not only when there is a card to play.</summary>
        public bool Ticks;
        /// <summary>How many games this process plays at once. Their asks are answered one after another and each has its
        /// own deadline, so leave it at 1 if the bot thinks for long.</summary>
        public int Games = 1;
        /// <summary>The rule sets that the bot was made for; a league with others is not begun. null for all.</summary>
        public string[] PlaysRules;
        /// <summary>The sizes of the tables that the bot was made for; null for all.</summary>
        public int[] PlaysSeats;
    }

    /// <summary>Keeps count of the cards that a seat has not seen; for a bot that wants "events" and "rules".</summary>
    public sealed class CardCounter
    {
        readonly List<string> deck;
        readonly List<string> played = new List<string>();

        /// <summary>For the rules of start.</summary>
        public CardCounter(Dictionary<string, object> rules, int seats) { deck = Kit.Deck(rules, seats); }

        /// <summary>Takes the events of an ask, a tell or an over, in order.</summary>
        public void See(List<Event> events)
        {
            foreach (var one in events ?? new List<Event>())
            {
                var last = played.Count - 1;
                if (one.Kind == "turned_up" || one.Kind == "played") played.Add(one.Card);
                else if (one.Kind == "reshuffled" && last > 0) played.RemoveRange(0, last); // all but the top card
                else if (one.Kind == "taken_back" && last >= 0) played.RemoveAt(last);
                else if (one.Kind == "round_started") played.Clear();
            }
        }

        /// <summary>The cards in other hands and in the draw pile, in the order of the deck, for a seat that holds
        /// hand.</summary>
        public List<string> Unseen(List<string> hand)
        {
            var left = new List<string>(deck);
            foreach (var card in played.Concat(hand)) left.Remove(card);
            return left;
        }
    }

    /// <summary>An ask with its answer.</summary>
    public sealed class Rehearsed
    {
        public Ask Ask;
        public Action Action;
    }

    /// <summary>The arena speaks another protocol.</summary>
    sealed class Refusal : Exception
    {
        internal Refusal(string sentence) : base(sentence) { }
    }

    /// <summary>A process's side of the protocol without its pipes: lines of the arena go in, lines for it come out.</summary>
    public sealed class Agent
    {
        /// <summary>Whether the arena has said bye.</summary>
        public bool Done;

        internal readonly StringBuilder Out = new StringBuilder();
        internal bool IsRehearsal;
        readonly Func<Bot> makeBot;
        readonly Options options;
        readonly Dictionary<string, Bot> bots = new Dictionary<string, Bot>();

        /// <summary>makeBot is called once for each game.</summary>
        public Agent(Func<Bot> makeBot, Options options)
        {
            foreach (var text in new[] { options.Name, options.Version })
            {
                if (text.Count(letter => !char.IsLowSurrogate(letter)) > Kit.MaxNameChars)
                    throw new ArgumentException("Name and Version have at most " + Kit.MaxNameChars + " characters");
            }
            var unknown = options.Wants.Except(new[] { "view", "legal", "events", "rules" }).FirstOrDefault();
            if (unknown != null) throw new ArgumentException("Wants holds " + unknown + "; it is some of view, legal, events, rules");
            if (options.Games < 1) throw new ArgumentException("Games is " + options.Games + "; at least 1");
            this.makeBot = makeBot;
            this.options = options;
        }

        /// <summary>Takes a line and returns the lines to send.</summary>
        public string Receive(string line)
        {
            Out.Clear();
            try
            {
                if (line.Trim().Length > 0) Handle(line);
            }
            catch (Exception error) when (!(error is Refusal))
            {
                // One game's misfortune must not end the others of this process.
                Kit.Complain("could not deal with this line of the arena: " + line.Substring(0, Math.Min(200, line.Length)), error);
            }
            return Out.ToString();
        }

        internal void Handle(string line)
        {
            var message = Json.Read(line) as Dictionary<string, object>;
            if (message == null) throw new ArgumentException("it is no object");
            var game = Json.Get(message, "game") as string ?? "";
            Bot bot;
            bots.TryGetValue(game, out bot);
            var kind = Json.Get(message, "type") as string;
            if (bot == null && (kind == "ask" || kind == "tell" || kind == "over"))
                throw new ArgumentException("no game " + game + " has been started");
            switch (kind)
            {
                case "ask": Ask(bot, message); break;
                case "tell": Call(bot, "in Tell", () => bot.Tell(new Tell(message))); break;
                case "fault": Fault(bot, new Fault(message)); break;
                case "start": Start(new Start(message)); break;
                case "over": Over(bot, new Over(message)); break;
                case "hello": Hello(message); break;
                case "bye": Done = true; break;
            }
        }

        void Hello(Dictionary<string, object> message)
        {
            var theirs = Json.Get(message, "protocol") as string ?? "";
            if (theirs.Split('.')[0] != Kit.Protocol)
                throw new Refusal("this agent speaks " + Kit.Protocol + " and the arena " + theirs + ": they cannot play together");
            var limits = Json.Get(message, "limits") as Dictionary<string, object>;
            var games = limits == null ? 1 : Json.Number(Json.Get(limits, "games")) ?? 1;
            var ready = new Dictionary<string, object> {
                { "type", "ready" }, { "protocol", Kit.Protocol }, { "name", options.Name }, { "version", options.Version },
                { "wants", options.Wants }, { "ticks", options.Ticks }, { "games", Math.Min(options.Games, games) },
            };
            var plays = new Dictionary<string, object>();
            if (options.PlaysRules != null) plays["rules"] = options.PlaysRules;
            if (options.PlaysSeats != null) plays["seats"] = options.PlaysSeats;
            if (plays.Count > 0) ready["plays"] = plays;
            Send(ready);
        }

        void Start(Start start)
        {
            Bot bot;
            try
            {
                bot = makeBot();
            }
            catch (Exception error) when (!IsRehearsal)
            {
                Kit.Complain("the bot of game " + start.Game + " could not be made", error);
                bot = new Unmade(error);
            }
            var seed = ulong.Parse(start.Seed, NumberStyles.HexNumber, CultureInfo.InvariantCulture);
            bot.Game = start.Game;
            bot.Seat = start.Seat;
            bot.Names = start.Names;
            bot.Rules = start.Rules;
            bot.Random = new Dice(seed);
            bot.Agent = this;
            bot.Commitment = start.Commitment;
            bots[start.Game] = bot;
            Call(bot, "in Start", () => bot.Start(start));
        }

        void Ask(Bot bot, Dictionary<string, object> message)
        {
            var ask = new Ask(message);
            bot.Asked = ask;
            if (ask.Legal != null)
            {
                ask.Legal.RemoveAll(action => !Verbs.All.Contains(action.Do));
                if (ask.Legal.Count == 0) // a later version wants something that no bot of this kit knows
                {
                    var act = (Dictionary<string, object>)((List<object>)message["legal"])[0];
                    act["type"] = "act";
                    act["game"] = ask.Game;
                    act["id"] = ask.Id;
                    Send(act);
                    return;
                }
            }
            var action_ = ask.Legal != null ? ask.Legal[0]
                : ask.What == "turn" ? new Action("draw")
                : ask.What == "react" ? new Action("wait") : null;
            Call(bot, "at ask " + ask.Id + (ask.Legal != null ? "; it plays the first legal action" : ""), () =>
            {
                var chosen = bot.Choose(ask);
                if (chosen == null || chosen.Do == null)
                    throw new InvalidOperationException((object)chosen + " is no action; one is like new Action(\"draw\")");
                action_ = chosen;
            });
            if (action_ != null) Act(bot, ask.Id, action_);
        }

        /// <summary>Calls the author's code. If it fails, the author is told on stderr, and the arena with the next act.</summary>
        void Call(Bot bot, string where, System.Action code)
        {
            try
            {
                code();
            }
            catch (Exception error) when (!IsRehearsal)
            {
                Kit.Complain("the bot failed " + where + " of game " + bot.Game, error);
                if (bot.Crash == null) bot.Crash = Kit.Sentence(error);
            }
        }

        void Fault(Bot bot, Fault fault)
        {
            if (bot == null)
            {
                Kit.Complain(fault.Name + ": " + fault.Message + " (" + fault.Clause + ")");
                return;
            }
            Call(bot, "in Fault", () =>
            {
                var action = bot.Fault(fault);
                if (action != null && fault.Open) Act(bot, fault.Id, action);
            });
        }

        void Over(Bot bot, Over over)
        {
            bots.Remove(bot.Game);
            bot.Agent = null;
            if (over.Seed != null && Kit.Commitment(bot.Game, over.Seed) != bot.Commitment)
                Kit.Complain("the seed of game " + bot.Game + " is not the one that the arena was committed to");
            Call(bot, "in Over", () => bot.Over(over));
        }

        void Act(Bot bot, string id, Action action)
        {
            var act = action.ToJson();
            act["type"] = "act";
            act["game"] = bot.Game;
            act["id"] = id;
            if (bot.Crash != null) act["crash"] = bot.Crash;
            bot.Crash = null;
            Send(act);
        }

        void Send(Dictionary<string, object> message) { Out.Append(Json.Write(message)).Append('\n'); }
    }

    /// <summary>What is about cards, and the loop that plays.</summary>
    public static class Kit
    {
        /// <summary>The protocol that the kit speaks.</summary>
        public const string Protocol = "maumau/1";

        internal const int MaxNameChars = 64;
        internal const int MaxNoteBytes = 4096;
        const int MaxCrashChars = 1000;
        const int ReadBytes = 1 << 16;
        const int PatienceMs = 1; // answers are gathered for one write only as long as this

        static readonly Dictionary<string, int> Points = new Dictionary<string, int> {
            { "J", 20 }, { "A", 11 }, { "T", 10 }, { "9", 9 }, { "8", 8 }, { "7", 7 }, { "K", 3 }, { "Q", 3 },
        };

        /// <summary>Points against a seat that is left with card: by the table of rules, or for null by that of skat.</summary>
        public static int CardPoints(string card, Dictionary<string, object> rules = null)
        {
            var rank = card.Substring(0, 1);
            int points;
            if (rules == null) return Points.TryGetValue(rank, out points) ? points : 0;
            var scoring = (Dictionary<string, object>)rules["scoring"];
            var table = (Dictionary<string, object>)scoring["points"];
            return Json.Number(Json.Get(table, card)) ?? Json.Number(Json.Get(table, rank)) ?? 0;
        }

        // The suits, the ranks and the other cards of each pack, in the order of a deck.
        static readonly Dictionary<string, string[]> Packs = new Dictionary<string, string[]> {
            { "french", new[] { "CDHS", "23456789TJQKA" } },
            { "colours", new[] { "BGRY", "23456789NVP01", "W0", "W4" } },
            { "waterfall", new[] { "BGRY", "M3456789NVPF1", "W0", "WF", "WK" } },
        };

        /// <summary>Whether a list of values, suits and cards names a card. The letters of a wild card stand for nothing
        /// by themselves.</summary>
        static bool Among(string card, object list)
        {
            var named = (list is string ? ((string)list).Split(' ') : (IEnumerable<string>)Json.Texts(list)).ToList();
            return named.Contains(card) || (card[0] != 'W' && (named.Contains(card.Substring(0, 1)) || named.Contains(card.Substring(1))));
        }

        /// <summary>All cards of a table of so many seats, each as often as it is there. The rules are those of
        /// start.</summary>
        public static List<string> Deck(Dictionary<string, object> rules, int seats)
        {
            var deck = (Dictionary<string, object>)rules["deck"];
            var cards = ForSeats(Json.Get(deck, "cards"), seats);
            var parts = Packs[Json.Get(deck, "pack") as string ?? "french"];
            var whole = (from suit in parts[0] from rank in parts[1] select "" + rank + suit).Concat(parts.Skip(2));
            var rows = (Json.Get(deck, "copies") as List<object> ?? new List<object>()).Cast<Dictionary<string, object>>().ToList();
            var pack = new List<string>();
            foreach (var card in whole.Where(one => Among(one, cards)))
            {
                var row = rows.Find(one => Among(card, one["cards"]));
                pack.AddRange(Enumerable.Repeat(card, row == null ? 1 : Json.Number(row["is"]) ?? 1));
            }
            pack.AddRange(Enumerable.Repeat("XX", Json.Number(Json.Get(deck, "jokers")) ?? 0));
            var packs = Json.Number(ForSeats(Json.Get(deck, "packs"), seats)) ?? 1;
            return Enumerable.Repeat(pack, packs).SelectMany(one => one).ToList();
        }

        /// <summary>A value, or that of the row for this number of seats.</summary>
        static object ForSeats(object value, int seats)
        {
            foreach (var row in (value as List<object> ?? new List<object>()).OfType<Dictionary<string, object>>())
            {
                var bounds = Json.Numbers(row["seats"]);
                if (bounds[0] <= seats && seats <= bounds[1]) return row["is"];
            }
            return value;
        }

        /// <summary>The seat after seat in the direction of play, if nobody is skipped.</summary>
        public static int NextSeat(View view, int seat)
        {
            var seats = view.Hands.Count;
            return (seat + (view.Direction == "cw" ? 1 : seats - 1)) % seats;
        }

        /// <summary>The cards that may be played now, each once, in the order of Legal.</summary>
        public static List<string> Fits(Ask ask)
        {
            var legal = ask.Legal ?? new List<Action>();
            return legal.Where(action => action.Do == "play").Select(action => action.Card).Distinct().ToList();
        }

        /// <summary>What start must have published for a game whose seed is seed (64 hexadecimal digits).</summary>
        public static string Commitment(string game, string seed)
        {
            var bytes = Encoding.UTF8.GetBytes("maumau/1 commitment\0" + game + "\0").ToList();
            for (var at = 0; at + 1 < seed.Length; at += 2) bytes.Add(Convert.ToByte(seed.Substring(at, 2), 16));
            using (var sha256 = SHA256.Create())
                return string.Concat(sha256.ComputeHash(bytes.ToArray()).Select(one => one.ToString("x2")));
        }

        /// <summary>Plays until the arena says bye or goes away. makeBot is called once for each game.</summary>
        /// <remarks>Standard output belongs to the arena: while this runs, whatever is printed goes to stderr.</remarks>
        public static void Run(Func<Bot> makeBot, Options options)
        {
            var agent = new Agent(makeBot, options);
            if (!Console.IsInputRedirected) Complain("this is a bot; it now waits for an arena to speak to it. See agents/README.md.");
            var arena = Console.OpenStandardOutput();
            var input = Console.OpenStandardInput();
            Console.SetOut(Console.Error);
            var buffer = new byte[ReadBytes];
            var rest = 0;
            var clock = new Stopwatch();
            var answers = new StringBuilder();
            try
            {
                while (!agent.Done)
                {
                    if (rest == buffer.Length) Array.Resize(ref buffer, 2 * rest);
                    var count = input.Read(buffer, rest, buffer.Length - rest);
                    if (count <= 0) return; // the arena has gone
                    clock.Restart();
                    var begin = 0;
                    var end = rest + count;
                    for (var at = rest; at < end && !agent.Done; at++)
                    {
                        if (buffer[at] != '\n') continue;
                        answers.Append(agent.Receive(Encoding.UTF8.GetString(buffer, begin, at - begin)));
                        begin = at + 1;
                        if (answers.Length > 0 && clock.ElapsedMilliseconds >= PatienceMs) Write(arena, answers);
                    }
                    if (answers.Length > 0) Write(arena, answers);
                    Buffer.BlockCopy(buffer, begin, buffer, 0, end - begin);
                    rest = end - begin;
                }
            }
            catch (Refusal refusal)
            {
                Complain(refusal.Message);
                Environment.Exit(2);
            }
            catch (IOException)
            {
                return; // the arena has gone
            }
        }

        static void Write(Stream arena, StringBuilder answers)
        {
            var bytes = Encoding.UTF8.GetBytes(answers.ToString());
            arena.Write(bytes, 0, bytes.Length);
            arena.Flush();
            answers.Clear();
        }

        /// <summary>Sends a bot recorded lines of the arena, without an arena: those that `maumau feed GAME --seat N --lines`
        /// prints. What the bot throws goes through, so that a test or a debugger stops at its line.</summary>
        public static List<Rehearsed> Rehearse(Func<Bot> makeBot, IEnumerable<string> lines)
        {
            var agent = new Agent(makeBot, new Options()) { IsRehearsal = true };
            var answers = new List<Rehearsed>();
            foreach (var line in lines.Where(one => one.Trim().Length > 0))
            {
                agent.Out.Clear();
                agent.Handle(line);
                foreach (var text in agent.Out.ToString().Split('\n').Where(one => one.Length > 0))
                {
                    var act = (Dictionary<string, object>)Json.Read(text);
                    if (act["type"] as string != "act") continue;
                    var ask = new Ask((Dictionary<string, object>)Json.Read(line));
                    answers.Add(new Rehearsed { Ask = ask, Action = new Action(act) });
                }
            }
            return answers;
        }

        /// <summary>What was thrown, and where: in the author's file, if that is known.</summary>
        internal static string Sentence(Exception error)
        {
            var text = error.GetType().Name + ": " + error.Message;
            foreach (var frame in new StackTrace(error, true).GetFrames() ?? new StackFrame[0])
            {
                var method = frame.GetMethod();
                var space = method == null || method.DeclaringType == null ? "Maumau" : method.DeclaringType.Namespace ?? "";
                if (space == "Maumau" || space == "System" || space.StartsWith("System.")) continue;
                var file = frame.GetFileName();
                text += file == null ? " (in " + method.Name + ")"
                    : " (" + Path.GetFileName(file) + ", line " + frame.GetFileLineNumber() + ", in " + method.Name + ")";
                break;
            }
            return text.Substring(0, Math.Min(MaxCrashChars, text.Length));
        }

        internal static void Complain(string sentence, Exception error = null)
        {
            Console.Error.WriteLine("maumau: " + sentence + (error == null ? "" : "\n" + error));
        }
    }

    /// <summary>JSON as dictionaries, lists, texts, numbers, truth and null. What is of another type, as in a later version, is
    /// absent.</summary>
    public static class Json
    {
        internal static object Get(Dictionary<string, object> json, string name)
        {
            object value;
            return json.TryGetValue(name, out value) ? value : null;
        }

        internal static int? Number(object value)
        {
            if (value is long) return unchecked((int)(long)value);
            return value is double ? (int?)(double)value : null;
        }

        internal static T One<T>(object value, Func<Dictionary<string, object>, T> read) where T : class
        {
            var json = value as Dictionary<string, object>;
            return json == null ? null : read(json);
        }

        internal static List<T> Many<T>(object value, Func<Dictionary<string, object>, T> read)
        {
            var list = value as List<object>;
            return list == null ? null : list.OfType<Dictionary<string, object>>().Select(read).ToList();
        }

        internal static List<string> Texts(object value)
        {
            var list = value as List<object>;
            return list == null ? null : list.OfType<string>().ToList();
        }

        internal static List<int> Numbers(object value)
        {
            var list = value as List<object>;
            return list == null ? null : list.Select(Number).Where(one => one.HasValue).Select(one => one.Value).ToList();
        }

        /// <summary>The value that a text holds.</summary>
        public static object Read(string text)
        {
            var reader = new Reader { Text = text };
            var value = reader.Value();
            if (reader.Next() != '\0') throw reader.Wrong("the end");
            return value;
        }

        sealed class Reader
        {
            internal string Text;
            int at;

            internal ArgumentException Wrong(string expected)
            {
                return new ArgumentException("expected " + expected + " at character " + (at + 1));
            }

            internal char Next()
            {
                while (at < Text.Length && Text[at] <= ' ') at++;
                return at < Text.Length ? Text[at] : '\0';
            }

            bool Eats(char wanted)
            {
                if (Next() != wanted) return false;
                at++;
                return true;
            }

            internal object Value()
            {
                switch (Next())
                {
                    case '{':
                        at++;
                        var json = new Dictionary<string, object>();
                        if (Eats('}')) return json;
                        do
                        {
                            if (Next() != '"') throw Wrong("a name");
                            var name = String();
                            if (!Eats(':')) throw Wrong(":");
                            json[name] = Value();
                        } while (Eats(','));
                        if (!Eats('}')) throw Wrong("}");
                        return json;
                    case '[':
                        at++;
                        var list = new List<object>();
                        if (Eats(']')) return list;
                        do list.Add(Value()); while (Eats(','));
                        if (!Eats(']')) throw Wrong("]");
                        return list;
                    case '"': return String();
                    case 't': return Word("true", true);
                    case 'f': return Word("false", false);
                    case 'n': return Word("null", null);
                    default: return Number();
                }
            }

            object Word(string word, object value)
            {
                if (string.CompareOrdinal(Text, at, word, 0, word.Length) != 0) throw Wrong("a value");
                at += word.Length;
                return value;
            }

            object Number()
            {
                var begin = at;
                while (at < Text.Length && "+-.eE0123456789".IndexOf(Text[at]) >= 0) at++;
                var digits = Text.Substring(begin, at - begin);
                long whole;
                if (long.TryParse(digits, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out whole)) return whole;
                double broken;
                if (double.TryParse(digits, NumberStyles.Float, CultureInfo.InvariantCulture, out broken)) return broken;
                throw Wrong("a value");
            }

            string String()
            {
                var text = new StringBuilder();
                for (at++; at < Text.Length; at++)
                {
                    var letter = Text[at];
                    if (letter == '"')
                    {
                        at++;
                        return text.ToString();
                    }
                    if (letter == '\\' && ++at < Text.Length)
                    {
                        letter = Text[at];
                        var escape = "bfnrt".IndexOf(letter);
                        if (letter == 'u' && at + 4 < Text.Length)
                        {
                            letter = (char)int.Parse(Text.Substring(at + 1, 4), NumberStyles.HexNumber, CultureInfo.InvariantCulture);
                            at += 4;
                        }
                        else if (escape >= 0) letter = "\b\f\n\r\t"[escape];
                    }
                    text.Append(letter);
                }
                throw Wrong("the end of a text");
            }
        }

        /// <summary>The text of a value.</summary>
        public static string Write(object value)
        {
            var text = new StringBuilder();
            Write(value, text);
            return text.ToString();
        }

        static void Write(object value, StringBuilder text)
        {
            if (value == null) text.Append("null");
            else if (value is string) Quote((string)value, text);
            else if (value is bool) text.Append((bool)value ? "true" : "false");
            else if (value is IDictionary)
            {
                var before = '{';
                foreach (DictionaryEntry member in (IDictionary)value)
                {
                    Quote(Convert.ToString(member.Key), text.Append(before));
                    Write(member.Value, text.Append(':'));
                    before = ',';
                }
                text.Append(before == '{' ? "{}" : "}");
            }
            else if (value is IEnumerable)
            {
                var before = '[';
                foreach (var item in (IEnumerable)value)
                {
                    Write(item, text.Append(before));
                    before = ',';
                }
                text.Append(before == '[' ? "[]" : "]");
            }
            else if (value is float || value is double || value is decimal)
            {
                var number = Convert.ToDouble(value);
                if (double.IsNaN(number) || double.IsInfinity(number)) throw new ArgumentException(number + " is no number of JSON");
                text.Append(number.ToString("R", CultureInfo.InvariantCulture));
            }
            else if (value is IConvertible) text.Append(Convert.ToInt64(value).ToString(CultureInfo.InvariantCulture));
            else throw new ArgumentException(value.GetType().Name);
        }

        static void Quote(string value, StringBuilder text)
        {
            text.Append('"');
            foreach (var letter in value)
            {
                if (letter == '"' || letter == '\\') text.Append('\\').Append(letter);
                else if (letter < ' ') text.Append("\\u" + ((int)letter).ToString("x4"));
                else text.Append(letter);
            }
            text.Append('"');
        }
    }
}
