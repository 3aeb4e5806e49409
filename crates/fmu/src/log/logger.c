/* The logger callback of FMI 2.0 is variadic, which stable Rust cannot define. This function formats what the FMU logs
 * into a buffer of fixed size and hands it to the Rust function that the environment begins with. Nothing it is given
 * is trusted: any pointer may be NULL, texts may be endless or no text at all, and a message that was never meant to be
 * a format may contain percent signs. */

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_LIMIT = 8192, CATEGORY_LIMIT = 256, CONVERSION_LIMIT = 32, DIGIT_LIMIT = 3 };

#define ENVIRONMENT_MARK UINT64_C(0x6c6f746b61206c6f)

struct environment {
    uint64_t mark;
    void (*line)(const struct environment *environment, int status, const char *category, size_t category_length,
                 const char *message, size_t message_length);
};

static size_t bounded_length(const char *text, size_t limit) {
    const char *end;
    if (text == NULL) {
        return 0;
    }
    end = memchr(text, '\0', limit);
    return end == NULL ? limit : (size_t)(end - text);
}

/* Skips up to DIGIT_LIMIT digits, or a star. */
static const char *skip_number(const char *at) {
    int digits;
    if (*at == '*') {
        return at + 1;
    }
    for (digits = 0; digits < DIGIT_LIMIT && *at >= '0' && *at <= '9'; digits++) {
        at++;
    }
    return at;
}

/* The character behind a conversion, or NULL when it is none that may be carried out: %n writes to memory, wide
 * characters depend on the locale, and anything unknown is a percent sign that strayed into a text. So is one with a
 * blank behind it, a flag that nobody uses: "100 % done: %s" would otherwise take the pointer for a number. */
static const char *skip_conversion(const char *at) {
    at += strspn(at, "-+#0");
    at = skip_number(at);
    if (*at == '.') {
        at = skip_number(at + 1);
    }
    if (*at == 'l' || *at == 'h' || *at == 'z' || *at == 'j' || *at == 't' || *at == 'L') {
        int is_long = *at == 'l';
        at += (at[1] == at[0] && (*at == 'l' || *at == 'h')) ? 2 : 1;
        if (is_long && (*at == 's' || *at == 'c')) {
            return NULL;
        }
    }
    return (*at != '\0' && strchr("diouxXeEfFgGaAcsp", *at) != NULL) ? at + 1 : NULL;
}

/* Whether the message is a format that may be carried out. */
static int is_format(const char *message) {
    int conversions = 0;
    const char *at = message;
    while ((at = strchr(at, '%')) != NULL) {
        if (at[1] == '%') {
            at += 2;
            continue;
        }
        at = skip_conversion(at + 1);
        if (at == NULL || ++conversions > CONVERSION_LIMIT) {
            return 0;
        }
    }
    return 1;
}

void lotka_fmu_logger(void *component_environment, const char *instance, int status, const char *category,
                      const char *message, ...) {
    const struct environment *environment = component_environment;
    char buffer[MESSAGE_LIMIT];
    size_t length = bounded_length(message, sizeof buffer);
    const char *text = message;
    (void)instance;

    /* Some FMUs pass their own component instead of the environment. */
    if (environment == NULL || (uintptr_t)environment % sizeof(uint64_t) != 0 || environment->mark != ENVIRONMENT_MARK) {
        return;
    }
    if (length > 0 && length < sizeof buffer && memchr(message, '%', length) != NULL && is_format(message)) {
        va_list arguments;
        int written;
        va_start(arguments, message);
        written = vsnprintf(buffer, sizeof buffer, message, arguments);
        va_end(arguments);
        if (written >= 0) {
            text = buffer;
            length = (size_t)written < sizeof buffer ? (size_t)written : sizeof buffer - 1;
        }
    }
    environment->line(environment, status, category, bounded_length(category, CATEGORY_LIMIT), text, length);
}
