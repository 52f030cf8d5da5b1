#!/usr/bin/env escript
%% Plays the first legal action. Erlang/OTP with jiffy (Debian: erlang-jiffy).
%%
%%     escript first.escript

-mode(compile).

%% Think here. Each entry of `legal` is a whole answer, with the words that must be said; `view` is the position.
choose(#{<<"legal">> := [First | _]}) ->
    First.

main(_) ->
    ok = io:setopts([binary, {encoding, latin1}]),  % bytes as they come: jiffy reads and writes UTF-8
    loop().

loop() ->
    case io:get_line("") of
        eof -> ok;
        Line ->
            case handle(jiffy:decode(Line, [return_maps]), Line) of
                bye -> ok;
                _ -> loop()
            end
    end.

handle(#{<<"type">> := <<"hello">>, <<"protocol">> := Protocol}, _) ->
    case Protocol of
        <<"maumau/1">> -> ready();
        <<"maumau/1.", _/binary>> -> ready();
        _ ->
            io:format(standard_error, "first.escript speaks maumau/1 and the arena ~s~n", [Protocol]),
            halt(2)
    end;
handle(#{<<"type">> := <<"ask">>, <<"game">> := Game, <<"id">> := Id} = Ask, _) ->
    answer(maps:merge(#{type => act, game => Game, id => Id}, choose(Ask)));
handle(#{<<"type">> := <<"fault">>}, Line) ->
    io:put_chars(standard_error, Line);
handle(#{<<"type">> := <<"bye">>}, _) ->
    bye;
handle(_, _) ->
    ok.  % a message that says nothing to this bot, or one of a later version

ready() ->
    answer(#{type => ready, protocol => <<"maumau/1">>, name => <<"first.escript">>, games => 64}).

answer(Message) ->
    io:put_chars([jiffy:encode(Message), $\n]).
