% Plays the first legal action. SWI-Prolog (Debian: swi-prolog-core-packages).
%
%     swipl first.pl

:- use_module(library(http/json)).
:- use_module(library(readutil)).
:- initialization(main, main).

% Think here. Each entry of legal is a whole answer, with the words that must be said; view is the position.
choose(Ask, Action) :-
    [Action|_] = Ask.legal.

main :-
    set_stream(user_input, encoding(utf8)),
    set_stream(user_output, encoding(utf8)),
    play.

play :-
    read_line_to_string(user_input, Line),
    (   Line == end_of_file
    ->  true
    ;   atom_json_dict(Line, Message, []),
        handle(Message.type, Message),
        play
    ).

handle("hello", Hello) :- !,
    (   string_concat(Hello.protocol, ".", Protocol),
        sub_string(Protocol, 0, _, _, "maumau/1.")
    ->  answer(_{type: ready, protocol: "maumau/1", name: "first.pl", games: 64})
    ;   format(user_error, "first.pl speaks maumau/1 and the arena ~w~n", [Hello.protocol]),
        halt(2)
    ).
handle("ask", Ask) :- !,
    choose(Ask, Action),
    answer(Action.put(_{type: act, game: Ask.game, id: Ask.id})).
handle("fault", Fault) :- !,
    format(user_error, "~w: ~w~n", [Fault.fault, Fault.message]).
handle("bye", _) :- !,
    halt.
handle(_, _). % it says nothing to this bot, or is of a later version

answer(Message) :-
    json_write_dict(current_output, Message, [width(0)]),
    nl,
    flush_output. % the arena waits for each line
