/** The types of `maumau.mjs`, for TypeScript and for editors. */

// <messages> made from the protocol's types by a test of agents/sdk
export type ClockMode =
  | "lockstep"
  | "live";
export type Direction =
  | "cw"
  | "ccw";
export type DrawReason =
  | "turn"
  | "owed"
  | "shortage"
  | "effect";
export type Reach =
  | "draw"
  | "play";
export type Reason =
  | "does_not_fit"
  | "may_not_be_last"
  | "not_your_turn"
  | "interrupted"
  | "not_in_hand"
  | "choice_missing"
  | "choice_wrong"
  | "not_now"
  | "not_upheld"
  | "suit_barred"
  | "sealed"
  | "nothing_to_take"
  | "not_yours"
  | "rests"
  | "not_looked"
  | "look_in_pause"
  | "pause_barred";
export type RoundEnd =
  | "won"
  | "turn_cap"
  | "blocked";
export type RuleFault =
  | "wrong_card"
  | "out_of_turn"
  | "slow"
  | "no_mau"
  | "no_spade"
  | "no_last_card"
  | "no_mau_mau"
  | "no_oom_papa"
  | "no_spam"
  | "no_wonderful"
  | "no_done"
  | "no_snap"
  | "must"
  | "no_suit"
  | "sealed"
  | "false_deal"
  | "wrong_direction"
  | "misdeal"
  | "penalties_not_dealt"
  | "pick_up"
  | "early_look"
  | "flinch"
  | "question"
  | "swear"
  | "po_to_swear"
  | "look_in_po"
  | "too_loud"
  | "illegal_po"
  | "explaining"
  | "talking"
  | "false_call";
export type Stand =
  | "slow"
  | "refusals"
  | "dismissed"
  | "absent";
export type Verb =
  | "play"
  | "draw"
  | "pass"
  | "challenge"
  | "say"
  | "call"
  | "choose"
  | "take"
  | "deal"
  | "deal_penalties"
  | "turn_up"
  | "look"
  | "reach"
  | "glare"
  | "point_of_order"
  | "end_point_of_order"
  | "count"
  | "pick_up"
  | "wait";
export type Want =
  | "view"
  | "legal"
  | "events"
  | "rules";
export type What =
  | "turn"
  | "react"
  | "choose"
  | "deal";

/** The limits that the arena announces in `hello`. */
export interface Limits {
  /** Bytes in a line, newline included, in either direction. */
  line_bytes: number;
  /** Lines one agent may send while one ask is open. */
  lines_per_ask: number;
  /** Utterances in an action. */
  says: number;
  /** Characters in an utterance. */
  say_chars: number;
  /** Bytes of JSON in a note. */
  note_bytes: number;
  /** Games in one process. */
  games: number;
}

/** First line of every process. */
export interface Hello {
  type: "hello";
  /** The protocol that the arena speaks: `maumau/1`. */
  protocol: string;
  /** The version of the arena. */
  arena: string;
  /** Limits on what is sent: of the lines in either direction, and of what an agent may send. */
  limits: Limits;
  /** How answers are put in order. */
  clock: ClockMode;
}

/** The time a seat has. */
export interface TimeControl {
  /** Milliseconds for one answer. */
  move_ms: number;
  /** Milliseconds a seat may overdraw in a whole game, beyond `move_ms` of each answer. */
  bank_ms: number;
  /** Milliseconds that each answer in time adds to the bank. */
  increment_ms: number;
  /** Milliseconds from the start of a process to its `ready`. */
  start_ms: number;
  /** Live clock: milliseconds for words that are due (G-13). */
  grace_ms: number;
  /** Live clock: milliseconds that others have to answer before the seat to move is heard (G-13). */
  reaction_ms: number;
  /** Live clock: milliseconds after a last card (G-13). */
  closing_ms: number;
  /** Live clock: milliseconds of a count of ten (G-13). */
  count_ms: number;
}

/** A game begins. */
export interface Start {
  type: "start";
  /** The game. */
  game: string;
  /** The agent's seat. */
  seat: number;
  /** The names of all seats, in order; `seat-0`, `seat-1` and so on where the organiser hides them. */
  names: string[];
  /** The name of the rule set. */
  rule_set: string;
  /** Rounds of the match. */
  rounds: number;
  /** The time a seat has. */
  time: TimeControl;
  /** Conduct faults after which the agent is dismissed. */
  max_strikes: number;
  /** The commitment to the game's seed, 64 hexadecimal digits (SPEC 8.10). */
  commitment: string;
  /** A seed for the agent's own use, 16 hexadecimal digits, the same whenever this game is played again. */
  seed: string;
  /** True if the organiser says that agents may know the run's seed, and so every card (SPEC 8.1). */
  public_seed?: boolean;
  /** The resolved rule set; only for an agent that wants `rules`, and if a line holds it. */
  rules?: Record<string, any>;
}

/** A suit, a rank or a seat that a card lets its player name. */
export interface Choice {
  /** A value. */
  rank?: string;
  /** A seat. */
  seat?: number;
  /** A suit. */
  suit?: string;
}

/** An event as one seat may see it. */
export interface Event {
  /** What it is. */
  event: string;
  /** The accused. */
  against?: number;
  /** True if the words were said by themselves, and not with a card that is played, drawn or taken, a pass or a choice: words that are due with a card are said with it or after it (G-24, P-59). */
  apart?: boolean;
  /** The card for which it stands, if it stands for another (G-79). */
  as?: string;
  /** At whom. */
  at?: number;
  /** Whether it is the change back. */
  back?: boolean;
  /** The accuser. */
  by?: number;
  /** The card. */
  card?: string;
  /** The cards; absent for others. */
  cards?: string[];
  /** What was named with it. */
  choose?: Choice;
  /** How many cards. */
  count?: number;
  /** Who deals. */
  dealer?: number;
  /** The direction of play. */
  direction?: Direction;
  /** How it ended. */
  end?: RoundEnd;
  /** For what. */
  fault?: string;
  /** Towards what. */
  for?: Reach;
  /** From whose hand. */
  from?: number;
  /** The cards left. */
  hand?: string[];
  /** The names of the rules, in alphabetical order. */
  offer?: string[];
  /** Whether they leave a run open for the next player (G-73). */
  open?: boolean;
  /** Whether the referee carried it out because it was overdue, which is a mistake of the seat that takes (N-106). */
  overdue?: boolean;
  /** Its place in the round, from 1. */
  place?: number;
  /** Points of this round. */
  points?: number;
  /** Why. */
  reason?: Reason;
  /** Counted from 1. */
  round?: number;
  /** The name of the rule. */
  rule?: string;
  /** Whether its owner may not look at it yet. */
  sealed?: boolean;
  /** Whose hand. */
  seat?: number;
  /** Both seats. */
  seats?: number[];
  /** The card was played openly before it was refused: everybody saw it. */
  shown?: boolean;
  /** The suit. */
  suit?: string;
  /** The words. */
  text?: string;
  /** To whom. */
  to?: number;
  /** Points of the match so far. */
  total?: number;
  /** Whether it was upheld. */
  upheld?: boolean;
  /** Why. */
  why?: string;
  /** The winners; nobody where the turn cap was reached. */
  winners?: number[];
}

/** A verb and the words spoken with it. */
export interface Action {
  /** What it is. */
  do: Verb;
  /** The accused. */
  against?: number;
  /** The card for which it stands. */
  as?: string;
  /** The loud seat. */
  at?: number;
  /** The card, which must be in the seat's hand. */
  card?: string;
  /** The cards, which must be in the seat's hand, in the order in which they are played: the last one lies on top. */
  cards?: string[];
  /** What the card lets its player name. */
  choose?: Choice;
  /** False leaves a run open for the next player, where the rules let it; a list of one card is then possible (G-73). */
  close?: boolean;
  /** The name of the fault; an unknown one is a call that is not upheld. */
  fault?: string;
  /** Towards what. */
  for?: Reach;
  /** The hand to take from. */
  from?: number;
  /** A value. */
  rank?: string;
  /** The name of the rule in the menu, one of the offer. */
  rule?: string;
  /** What is said with it, heard before its effects (G-11). */
  say?: string[];
  /** A suit. */
  suit?: string;
  /** The words. */
  text?: string;
  /** The receivers. */
  to?: number[];
}

/** A choice of a rule to add. */
export interface RuleChoice {
  /** Who chooses. */
  by: number;
  /** The names of the rules that can be chosen, in alphabetical order. */
  offer: string[];
}

/** A card that either neighbour of its player may answer. */
export interface Race {
  /** Who played it. */
  by: number;
}

/** A value or suit that the whole table has to serve. */
export interface Request {
  /** By whom. */
  by: number;
  /** A value. */
  rank?: string;
  /** A seat. */
  seat?: number;
  /** A suit. */
  suit?: string;
}

/** A run of a suit that the next player may go on with. */
export interface OpenRun {
  /** The suit of its cards. */
  suit: string;
  /** Who opened it, or played its last card. */
  by: number;
}

/** An instruction to take a card from another hand. */
export interface TakeOrder {
  /** Who has to take it. */
  by: number;
  /** From whose hand. */
  from: number;
}

/** What stands between the seat to move and an ordinary play. Absent, 0 and `null` mean the same. */
export interface Pending {
  /** The seat that may play a further card. */
  again?: number;
  /** Anything may be played. */
  anything?: boolean;
  /** The seat that may challenge the card which makes it owe cards. */
  challenge?: number;
  /** The seat that must name a suit. */
  choose?: number;
  /** A rule of the menu has to be added, before the next round (G-74). */
  choose_rule?: RuleChoice;
  /** Whether a hand is empty and the round closes unless that changes. */
  closing?: boolean;
  /** Cards owed. */
  draw?: number;
  /** The kind of the debt, as the rule set names it. */
  draw_kind?: string;
  /** Cards that the seat to move has drawn in this turn. */
  drawn?: number;
  /** The race of the neighbours of a joker's player. */
  joker?: Race;
  /** The seat that has played a free card in its turn and still owes the turn. */
  owed_turn?: number;
  /** The value or suit that the whole table has to serve. */
  request?: Request;
  /** The run that is open, which the seat to move may go on with. */
  run?: OpenRun;
  /** Cards that lie one on another and make the debt, where it is drawn one by one. */
  sevens?: number;
  /** Players to be suspended, beginning with the seat to move. */
  skip?: number;
  /** The seat that is skipped unless it answers. */
  skip_victim?: number;
  /** The player of the next card owes the word for two identical cards. */
  snap?: boolean;
  /** The suit that must be served: wished, or the top card's own where a wish was possible and not made. */
  suit?: string;
  /** A suit must be stated, by anybody, before a card has to be of it. */
  suit_open?: boolean;
  /** The oldest instruction to take a card. */
  take?: TakeOrder;
}

/** Everything that a seat may know of the present position (G-08). Lists by seat are in seat order. */
export interface View {
  /** The seat's own cards, by suit (C, D, H, S) and in a suit from two to ace, jokers last. */
  hand: string[];
  /** The direction of play. */
  direction: Direction;
  /** The number of cards in each hand. */
  hands: number[];
  /** The number of cards in the draw pile. */
  draw_pile: number;
  /** What the seat to move faces. */
  pending: Pending;
  /** The round, counted from 1. */
  round: number;
  /** The rounds of the match. */
  rounds: number;
  /** Who dealt. */
  dealer: number;
  /** Points of each seat in the match so far. */
  points: number[];
  /** Rounds won by each seat so far. */
  wins: number[];
  /** Seats that hold one card and have said so. */
  mau_said?: number[];
  /** Seats that have not looked at their cards yet. */
  not_looked?: number[];
  /** Seats that are out of the round. */
  out?: number[];
  /** The seat whose point of order lasts. */
  point_of_order?: number;
  /** The rules of the menu that hold, by name, in the order in which they were added. */
  rules?: string[];
  /** The number of sealed cards in each hand; absent where there are none. */
  sealed?: number[];
  /** The top card of the discard pile; absent where the pile is empty. */
  top?: string;
  /** The seat to move; absent between rounds. */
  turn?: number;
  /** The turns that each seat has still to miss; absent where no seat can lose several. */
  turns_lost?: number[];
  /** The card that counts, if it is not the top card: the one below cards that are as if they were not there, or the one for which the top card stands (G-79). */
  visible?: string;
}

/** An answer is wanted. */
export interface Ask {
  type: "ask";
  /** The game. */
  game: string;
  /** The id to repeat in the answer. */
  id: string;
  /** The agent's seat. */
  seat: number;
  /** What kind of answer. */
  what: What;
  /** Milliseconds until the deadline, counted from when the line was written. */
  time_ms: number;
  /** The number of the last event so far. */
  as_of: number;
  /** Events since the last line of this game; for an agent that wants `events`. */
  events?: Event[];
  /** The actions that would be accepted, each with the words that the rules want said with it; for an agent that wants `legal`. Never empty where it stands. */
  legal?: Action[];
  /** The position; for an agent that wants `view`. */
  view?: View;
}

/** Something happened and nothing is asked. */
export interface Tell {
  type: "tell";
  /** The game. */
  game: string;
  /** What happened since the last line of this game. */
  events: Event[];
}

/** A line or an action was wrong. */
export interface Fault {
  type: "fault";
  /** The name in the fault table. */
  fault: string;
  /** What was expected, what came, where. */
  message: string;
  /** The rule clause or SPEC clause. */
  clause: string;
  /** Penalty cards that it cost. */
  cards: number;
  /** Conduct faults of this seat in this game so far. */
  strikes: number;
  /** Whether the ask is still open, so that another answer may be sent before its deadline. */
  open: boolean;
  /** The game it counts in; absent before the first game. */
  game?: string;
  /** The ask that it belongs to, where one is open. */
  id?: string;
}

/** The result of a match. Lists are in seat order. */
export interface GameResult {
  /** The place of each seat, 1 for the first; equal seats share the better place. */
  places: number[];
  /** Points of each seat. */
  points: number[];
  /** Rounds won by each seat. */
  wins: number[];
  /** Rounds played. */
  rounds: number;
  /** Seats that were dismissed. */
  dismissed: number[];
  /** Rounds that no seat has won, if any: their places follow from the hands as they stood (G-23). */
  unwon?: number;
}

/** A game is over. */
export interface Over {
  type: "over";
  /** The game. */
  game: string;
  /** The result. */
  result: GameResult;
  /** What happened since the last line of this game. */
  events?: Event[];
  /** The game's seed, 64 hexadecimal digits; absent unless all other games of the deal were stored when this one began (SPEC 8.10). */
  seed?: string;
}

/** The process is no longer needed and should end. */
export interface Bye {
  type: "bye";
  /** Why, in a sentence. */
  reason: string;
}
// </messages>

/** The protocol that the kit speaks. */
export const PROTOCOL: string;

/** How a bot introduces itself; see {@link run}. */
export interface Options {
  /** At most 64 characters, like the version. */
  name?: string;
  version?: string;
  /** What an ask should hold; and "rules" for the rule set in `start`. Absent: view and legal. */
  wants?: Want[];
  /** Be asked at every opportunity to act, not only when there is a card to play. */
  ticks?: boolean;
  /** How many games this process plays at once. */
  games?: number;
  /** The games that the bot was made for; a league with others is not begun. Absent: all. */
  plays?: { rules?: string[]; seats?: number[] };
}

/** The player of one game. Derive from it and write `choose`; the other methods may stay as they are. */
export class Bot {
  /** The name of the game. */
  game: string;
  /** Your seat; seats are counted clockwise from 0. */
  seat: number;
  /** The names of all seats, in order. */
  names: string[];
  /** The resolved rule set, if `wants` includes "rules". */
  rules?: Record<string, any>;
  /** The last ask of this game. */
  asked?: Ask;
  /** Like `Math.random`, but seeded by the arena. */
  random: () => number;
  start(start: Start): void;
  choose(ask: Ask): Action;
  tell(tell: Tell): void;
  fault(fault: Fault): Action | undefined;
  over(over: Over): void;
  /** Any element of a list, each as likely as the others. */
  pick<T>(list: T[]): T;
  /** Puts any JSON value of at most 4 KiB into the game's record. */
  note(note: unknown): void;
}

/** A process's side of the protocol without its pipes. */
export class Agent {
  constructor(makeBot: () => Bot, options?: Options);
  /** Whether the arena has said `bye`. */
  done: boolean;
  receive(data: Uint8Array): Generator<string>;
}

/** Plays until the arena says `bye` or goes away. */
export function run(makeBot: () => Bot, options?: Options): void;

/** Sends a bot recorded lines of the arena; what the bot throws is thrown here. */
export function rehearse(makeBot: () => Bot, lines: string[], options?: Options): { ask: Ask; action: Action }[];

/** Points against a seat that is left with `card`: by the table of `rules`, else by that of `skat`. */
export function cardPoints(card: string, rules?: Record<string, any>): number;

/** All cards of a table of so many seats, each as often as it is there. */
export function deck(rules: Record<string, any>, seats: number): string[];

/** The seat after `seat` in the direction of play, if nobody is skipped. */
export function nextSeat(view: View, seat: number): number;

/** The cards that may be played now, each once, in the order of `legal`. */
export function fits(ask: Ask): string[];

/** Keeps count of the cards that a seat has not seen; for a bot that wants "events" and "rules". */
export class CardCounter {
  constructor(rules: Record<string, any>, seats: number);
  see(events?: Event[]): void;
  unseen(hand: string[]): string[];
}

/** What `start` must have published for a game whose seed is `seed` (64 hexadecimal digits). */
export function commitment(game: string, seed: string): string;
