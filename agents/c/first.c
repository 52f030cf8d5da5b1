/* Plays the first legal action. A bot in plain C99, without SDK and without JSON library.
 *
 *     cc -O2 -o first first.c
 *
 * It builds no tree: a JSON text is walked from member to member, and what is needed is echoed as it stands.
 * Every ask holds whole answers, words to be said included, so a bot needs no more than this to play without a
 * fault.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The arena sends only valid JSON, so a value ends where its brackets and quotes do. Were it not valid, the
 * zero at the end of the line would stop every loop. */

static const char *skip_space(const char *at) { return at + strspn(at, " \t\r"); }

static const char *skip_string(const char *at) {
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1]) at++;
    return *at ? at + 1 : at;
}

/* The end of the value that begins at `at`. */
static const char *skip_value(const char *at) {
    int depth = 0;
    do {
        if (*at == '"') {
            at = skip_string(at);
        } else if (*at == '{' || *at == '[') {
            depth++, at++;
        } else if (*at == '}' || *at == ']') {
            depth--, at++;
        } else if (depth == 0) {
            return at + strcspn(at, ",}] \t\r");
        } else {
            at += *at != '\0';
        }
    } while (depth > 0 && *at);
    return at;
}

/* The value of the member `name` of the object at `object`, or NULL. */
static const char *member(const char *object, const char *name) {
    const size_t length = strlen(name);
    const char *at = object ? skip_space(object) : "";
    if (*at != '{') return NULL;
    at = skip_space(at + 1);
    while (*at == '"') {
        const char *key = at + 1, *end = skip_string(at);
        at = skip_space(end);
        if (*at != ':') return NULL;
        at = skip_space(at + 1);
        if ((size_t)(end - key) == length + 1 && memcmp(key, name, length) == 0) return at;
        at = skip_space(skip_value(at));
        if (*at != ',') return NULL;
        at = skip_space(at + 1);
    }
    return NULL;
}

/* Whether the value at `value` is the string `text`, which has nothing to escape. */
static int is_text(const char *value, const char *text) {
    const size_t length = strlen(text);
    return value && *value == '"' && strncmp(value + 1, text, length) == 0 && value[length + 1] == '"';
}

static void answer(const char *ask) {
    const char *game = member(ask, "game"), *id = member(ask, "id"), *legal = member(ask, "legal");
    const char *first = legal && *legal == '[' ? skip_space(legal + 1) : "";
    if (!game || !id || *first != '{') {
        fputs("first: an ask without game, id or legal actions\n", stderr);
        return;
    }
    printf("{\"type\":\"act\",\"game\":%.*s,\"id\":%.*s,%.*s\n", (int)(skip_value(game) - game), game,
           (int)(skip_value(id) - id), id, (int)(skip_value(first) - first - 1), first + 1);
}

/* Whether the protocol at `value` is maumau/1, with whatever minor version. */
static int is_major_1(const char *value) {
    return is_text(value, "maumau/1") || (value && strncmp(value, "\"maumau/1.", 10) == 0);
}

static void ready(const char *hello) {
    if (!is_major_1(member(hello, "protocol"))) {
        fprintf(stderr, "first: this agent speaks maumau/1 and the arena does not: %s\n", hello);
        exit(2);
    }
    /* Nothing is remembered from one ask to the next, so any number of games can be played at once. */
    puts("{\"type\":\"ready\",\"protocol\":\"maumau/1\",\"name\":\"first.c\",\"version\":\"1\","
         "\"wants\":[\"legal\"],\"ticks\":false,\"games\":64}");
}

/* The next line of standard input, without its newline, in a buffer that grows as needed; NULL at the end. */
static char *read_line(void) {
    static char *line = NULL;
    static size_t size = 0;
    size_t length = 0;
    for (;;) {
        if (size - length < 2) {
            size = size ? 2 * size : 4096;
            line = realloc(line, size);
            if (!line) {
                fputs("first: out of memory\n", stderr);
                exit(1);
            }
        }
        if (!fgets(line + length, (int)(size - length), stdin)) return NULL;
        length += strlen(line + length);
        if (length && line[length - 1] == '\n') {
            line[length - 1] = '\0';
            return line;
        }
    }
}

int main(void) {
    for (char *line; (line = read_line()) != NULL;) {
        const char *type = member(line, "type");
        if (is_text(type, "ask")) {
            answer(line);
        } else if (is_text(type, "hello")) {
            ready(line);
        } else if (is_text(type, "fault")) {
            fprintf(stderr, "first: %s\n", line);
        } else if (is_text(type, "bye")) {
            break;
        }
        fflush(stdout); /* without this the arena waits for an answer that waits in a buffer */
    }
    return 0;
}
