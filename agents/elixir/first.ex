# Plays the first legal action. Elixir with jiffy (Debian: erlang-jiffy); from 1.18 on Elixir has JSON of its own.
#
#     elixirc first.ex
#     elixir --boot no_dot_erlang -pa . -e "First.play()"

defmodule First do
  # Think here. Each entry of `legal` is a whole answer, with the words that must be said; `view` is the position.
  def choose(%{"legal" => [first | _]}), do: first

  def play do
    # Bytes as they come: jiffy reads and writes UTF-8.
    :io.setopts(:standard_io, binary: true, encoding: :latin1)

    :standard_io
    |> IO.binstream(:line)
    |> Stream.map(&{:jiffy.decode(&1, [:return_maps]), &1})
    |> Stream.take_while(fn {message, _} -> message["type"] != "bye" end)
    |> Enum.each(fn {message, line} -> handle(message, line) end)
  end

  defp handle(%{"type" => "hello", "protocol" => protocol}, _line) do
    if String.starts_with?(protocol <> ".", "maumau/1.") do
      answer(%{type: "ready", protocol: "maumau/1", name: "first.ex", games: 64})
    else
      IO.puts(:stderr, "first.ex speaks maumau/1 and the arena #{protocol}")
      System.halt(2)
    end
  end

  defp handle(%{"type" => "ask", "game" => game, "id" => id} = ask, _line) do
    answer(Map.merge(choose(ask), %{type: "act", game: game, id: id}))
  end

  defp handle(%{"type" => "fault"}, line), do: IO.write(:stderr, line)

  # A message that says nothing to this bot, or one of a later version.
  defp handle(_message, _line), do: :ok

  defp answer(message), do: IO.binwrite([:jiffy.encode(message), ?\n])
end
