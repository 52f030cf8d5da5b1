(* Plays the first legal action. OCaml with Yojson (Debian: libyojson-ocaml-dev, ocaml-findlib).

       ocamlfind ocamlopt -package yojson -linkpkg -o first first.ml *)

open Yojson.Basic.Util

(* Think here. Each entry of "legal" is a whole answer, with the words that must be said; "view" is the position. *)
let choose ask = ask |> member "legal" |> index 0

let answer message =
  print_endline (Yojson.Basic.to_string (`Assoc message)) (* flushes: the arena waits for each line *)

let ready hello =
  let protocol = hello |> member "protocol" |> to_string in
  if String.starts_with ~prefix:"maumau/1." (protocol ^ ".") then
    answer
      [ ("type", `String "ready"); ("protocol", `String "maumau/1"); ("name", `String "first.ml"); ("games", `Int 64) ]
  else begin
    prerr_endline ("first.ml speaks maumau/1 and the arena " ^ protocol);
    exit 2
  end

let act ask =
  answer (("type", `String "act") :: ("game", member "game" ask) :: ("id", member "id" ask) :: to_assoc (choose ask))

let rec play () =
  match input_line stdin with
  | exception End_of_file -> ()
  | line -> (
      let message = Yojson.Basic.from_string line in
      match message |> member "type" |> to_string with
      | "hello" -> ready message; play ()
      | "ask" -> act message; play ()
      | "fault" -> prerr_endline line; play ()
      | "bye" -> ()
      | _ -> play () (* it says nothing to this bot, or is of a later version *))

let () = play ()
