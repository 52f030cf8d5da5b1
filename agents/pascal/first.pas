// Plays the first legal action. Free Pascal with fpjson (Debian: fp-compiler, fp-units-fcl).
//
//     fpc -O2 first.pas
program first;

{$mode objfpc}{$H+}

uses
  SysUtils, fpjson, jsonparser;

// Think here. Each entry of legal is a whole answer, with the words that must be said; view is the position.
function Choose(Ask: TJSONObject): TJSONObject;
begin
  Result := Ask.Arrays['legal'].Objects[0];
end;

procedure Answer(const Line: string);
begin
  WriteLn(Line);
  Flush(Output); // the arena waits for each line
end;

procedure Ready(const Protocol: string);
begin
  if not (Protocol + '.').StartsWith('maumau/1.') then
  begin
    WriteLn(StdErr, 'first.pas speaks maumau/1 and the arena ', Protocol);
    Halt(2);
  end;
  Answer('{"type":"ready","protocol":"maumau/1","name":"first.pas","games":64}');
end;

procedure Act(Ask: TJSONObject);
var
  Action: TJSONObject;
begin
  Action := Choose(Ask);
  Action.Add('type', 'act');
  Action.Add('game', Ask.Strings['game']);
  Action.Add('id', Ask.Strings['id']);
  Answer(Action.AsJSON);
end;

var
  Line: string;
  Message: TJSONObject;
begin
  while not Eof do
  begin
    ReadLn(Line);
    Message := GetJSON(Line) as TJSONObject;
    case Message.Strings['type'] of
      'hello': Ready(Message.Strings['protocol']);
      'ask': Act(Message);
      'fault': WriteLn(StdErr, Line);
      'bye': Halt;
    end; // others say nothing to this bot, or are of a later version
    Message.Free;
  end;
end.
