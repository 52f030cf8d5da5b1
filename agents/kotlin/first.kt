// Plays the first legal action. Kotlin with Gson (Debian: libgoogle-gson-java).
//
//     kotlinc -cp /usr/share/java/gson.jar -include-runtime -d first.jar first.kt
//     jar --extract --file first.jar; jar --extract --file /usr/share/java/gson.jar
//     java -Xmx128m -cp . FirstKt

import com.google.gson.JsonObject
import com.google.gson.JsonParser
import kotlin.system.exitProcess

/** Think here. Each entry of "legal" is a whole answer, with the words that must be said; "view" is the position. */
fun choose(ask: JsonObject): JsonObject = ask.getAsJsonArray("legal").first().asJsonObject

fun ready(hello: JsonObject): JsonObject {
    val protocol = hello["protocol"].asString
    if (!"$protocol.".startsWith("maumau/1.")) {
        System.err.println("first.kt speaks maumau/1 and the arena $protocol")
        exitProcess(2)
    }
    return JsonObject().apply {
        addProperty("type", "ready")
        addProperty("protocol", "maumau/1")
        addProperty("name", "first.kt")
        addProperty("games", 64)
    }
}

fun act(ask: JsonObject): JsonObject = choose(ask).apply {
    addProperty("type", "act")
    add("game", ask["game"])
    add("id", ask["id"])
}

fun answer(message: JsonObject) {
    print("$message\n")
    System.out.flush() // the arena waits for each line
}

fun main() {
    for (line in generateSequence(::readLine)) {
        val message = JsonParser.parseString(line).asJsonObject
        when (message["type"].asString) {
            "hello" -> answer(ready(message))
            "ask" -> answer(act(message))
            "fault" -> System.err.println(line)
            "bye" -> return
            else -> {} // a message that says nothing to this bot, or one of a later version
        }
    }
}
