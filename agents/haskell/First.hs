{-# LANGUAGE OverloadedStrings #-}

-- | Plays the first legal action. GHC with aeson (Debian: libghc-aeson-dev).
--
-- > ghc -O First.hs
module Main (main) where

import Control.Monad (unless)
import Data.Aeson
import Data.Aeson.Types (Parser, parseEither)
import qualified Data.ByteString.Char8 as Bytes
import qualified Data.ByteString.Lazy as Lazy
import Data.Text (Text, isPrefixOf)
import System.Exit (ExitCode (ExitFailure), exitWith)
import System.IO (hFlush, hPutStrLn, isEOF, stderr, stdout)

-- | Think here. Each entry of legal is a whole answer, with the words that must be said; view is the position.
choose :: Object -> Parser Object
choose ask = head <$> ask .: "legal"

data Next = Answer Object | Complain | Refuse | Stop | Pass

next :: Object -> Parser Next
next message = do
  kind <- message .: "type"
  case kind :: Text of
    "hello" -> greet <$> message .: "protocol"
    "ask" -> do
      action <- choose message
      game <- message .: "game"
      ask <- message .: "id"
      pure (Answer ("type" .= String "act" <> "game" .= String game <> "id" .= String ask <> action))
    "fault" -> pure Complain
    "bye" -> pure Stop
    _ -> pure Pass -- it says nothing to this bot, or is of a later version

greet :: Text -> Next
greet protocol
  | "maumau/1." `isPrefixOf` (protocol <> ".") =
      Answer $ mconcat
        ["type" .= String "ready", "protocol" .= String "maumau/1", "name" .= String "First.hs", "games" .= Number 64]
  | otherwise = Refuse

main :: IO ()
main = do
  end <- isEOF
  unless end $ do
    line <- Bytes.getLine
    case eitherDecodeStrict line >>= parseEither next of
      Right (Answer answer) -> Lazy.putStr (encode answer <> "\n") >> hFlush stdout >> main
      Right Complain -> Bytes.hPutStrLn stderr line >> main
      Right Refuse -> hPutStrLn stderr "First.hs speaks maumau/1 and the arena does not" >> exitWith (ExitFailure 2)
      Right Stop -> pure ()
      Right Pass -> main
      Left problem -> fail problem
