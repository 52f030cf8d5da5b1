/* Plays the first legal action. Plain C without a JSON library: it walks from member to member, and echoes them.
 *
 *     cc -O2 -o first first.c
 */

#define _POSIX_C_SOURCE 200809L
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_blanks(const char *at) { return at + strspn(at, " \t\r\n"); }

/* The end of the value that begins at `at`: where its quotes and brackets are closed and something else follows. */
static const char *skip_value(const char *at) {
    bool quoted = false;
    for (int depth = 0; *at && (quoted || depth > 0 || !strchr(",:}] \t\r\n", *at)); at++) {
        if (*at == '\\' && at[1]) at++;
        else if (*at == '"') quoted = !quoted;
        else if (!quoted) depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
    }
    return at;
}

/* Whether the value at `at` is a string that begins with `start`. */
static bool begins(const char *at, const char *start) { return *at == '"' && !strncmp(at + 1, start, strlen(start)); }

/* The value of the member `name` of an object; an empty text if there is none. */
static const char *member(const char *object, const char *name) {
    for (const char *at = object; *at == '{' || *at == ',';) {
        const char *key = skip_blanks(at + 1), *colon = skip_blanks(skip_value(key));
        const char *value = *colon == ':' ? skip_blanks(colon + 1) : "";
        if (begins(key, name) && key[strlen(name) + 1] == '"') return value;
        at = skip_blanks(skip_value(value));
    }
    return "";
}

/* Think here. Each entry of "legal" is a whole answer, with the words that must be said; "view" is the position. */
static const char *choose(const char *ask) {
    const char *legal = member(ask, "legal");
    return skip_blanks(legal + (*legal == '['));
}

int main(void) {
    char *line = NULL;
    for (size_t size = 0; getline(&line, &size, stdin) > 0; fflush(stdout)) { /* the arena waits for each line */
        const char *type = member(line, "type");
        if (begins(type, "ask\"") && *choose(line) == '{') {
            const char *game = member(line, "game"), *id = member(line, "id"), *action = choose(line);
            printf("{\"type\":\"act\",\"game\":%.*s,\"id\":%.*s,%.*s\n", (int)(skip_value(game) - game), game,
                   (int)(skip_value(id) - id), id, (int)(skip_value(action) - action - 1), action + 1);
        } else if (begins(type, "hello\"")) {
            const char *protocol = member(line, "protocol");
            if (!begins(protocol, "maumau/1\"") && !begins(protocol, "maumau/1.")) return fputs(line, stderr), 2;
            puts("{\"type\":\"ready\",\"protocol\":\"maumau/1\",\"name\":\"first.c\",\"games\":64}");
        } else if (begins(type, "fault\"")) fputs(line, stderr);
        else if (begins(type, "bye\"")) return 0;
    }
}
