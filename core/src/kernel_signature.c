/* Reading a kernel's declaration, and comparing a launch with it. */
#include "kernel_signature.h"

#include <ctype.h>
#include <string.h>

/* A piece of the text. */
typedef struct piece {
    const char *data;
    size_t length;
} piece;

static int is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Beyond the comment, string or character that begins here, or the same place if none does. */
static const char *skip_quoted(const char *at)
{
    if (at[0] == '/' && at[1] == '/') {
        return at + strcspn(at, "\n");
    }
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end != NULL ? end + 2 : at + strlen(at);
    }
    if (*at != '"' && *at != '\'') {
        return at;
    }
    const char quote = *at++;
    while (*at != '\0' && *at != quote) {
        at += *at == '\\' && at[1] != '\0' ? 2 : 1;
    }
    return at + (*at == quote);
}

static piece trim(piece p)
{
    while (p.length > 0 && isspace((unsigned char)*p.data)) {
        p.data++;
        p.length--;
    }
    while (p.length > 0 && isspace((unsigned char)p.data[p.length - 1])) {
        p.length--;
    }
    return p;
}

/* Splits "(a, b, c)" at its own commas. Gives the pieces, or 0 if there are too many or no end. */
static uint32_t split(const char *open, piece *out, uint32_t most)
{
    uint32_t count = 0;
    int depth = 0;
    const char *start = open + 1;
    for (const char *at = open; *at != '\0';) {
        const char *next = skip_quoted(at);
        if (next != at) {
            at = next;
            continue;
        }
        depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        if ((*at == ',' && depth == 1) || depth == 0) {
            if (count == most) {
                return 0;
            }
            out[count++] = trim((piece){start, (size_t)(at - start)});
            start = at + 1;
        }
        if (depth == 0) {
            return count;
        }
        at++;
    }
    return 0;
}

/* ---- types ----------------------------------------------------------------------------------- */

/* Whether the piece has that word, and what follows it: "KMETA" of "const KMETA2". */
static const char *find_word(piece p, const char *word)
{
    const size_t length = strlen(word);
    for (size_t i = 0; i + length <= p.length; i++) {
        if ((i == 0 || !is_word(p.data[i - 1])) && memcmp(p.data + i, word, length) == 0) {
            return p.data + i + length;
        }
    }
    return NULL;
}

/* Bytes of the type that the piece ends with: i64, f32, T0; 0 for others. */
static uint32_t value_size(piece p, const keel_kernel_source *source)
{
    static const struct {
        const char *name;
        uint32_t bytes;
    } known[] = {{"i8", 1},  {"u8", 1},  {"i16", 2}, {"u16", 2}, {"i32", 4},
                 {"u32", 4}, {"f32", 4}, {"i64", 8}, {"u64", 8}, {"f64", 8}};
    size_t start = p.length;
    while (start > 0 && is_word(p.data[start - 1])) {
        start--;
    }
    const piece word = {p.data + start, p.length - start};
    for (size_t i = 0; i < KEEL_COUNT(known); i++) {
        if (word.length == strlen(known[i].name) &&
            memcmp(word.data, known[i].name, word.length) == 0) {
            return known[i].bytes;
        }
    }
    const uint32_t k =
        word.length == 2 && word.data[0] == 'T' ? (uint32_t)(word.data[1] - '0') : UINT32_MAX;
    return k < source->dtype_count ? (uint32_t)keel_dtype_size(source->dtypes[k]) : 0;
}

static keeli_declared_arg declare(piece type, piece name, const keel_kernel_source *source)
{
    keeli_declared_arg arg = {.kind = 0};
    const char *global = find_word(type, "GLOBAL");
    const char *meta = find_word(type, "KMETA");
    if (global != NULL && !is_word(*global)) {
        arg.kind = KEEL_KERNEL_TENSOR;
    } else if (meta != NULL && isdigit((unsigned char)*meta)) {
        arg.kind = KEEL_KERNEL_META;
        arg.count = (uint32_t)(*meta - '0');
    } else if (memchr(type.data, '*', type.length) == NULL) {
        arg.kind = KEEL_KERNEL_VALUE;
        arg.count = value_size(type, source);
    }
    const size_t length = name.length < sizeof arg.name ? name.length : sizeof arg.name - 1;
    memcpy(arg.name, name.data, length);
    return arg;
}

/* ---- declarations ---------------------------------------------------------------------------- */

/* The declaration whose '(' stands at open, if it is the entry's; 0 if it is not. */
static int read_declaration(const char *open, int32_t count, const keel_kernel_source *source,
                            keeli_signature *out)
{
    piece part[1 + 2 * KEELI_DECLARED_ARGS];
    for (size_t i = 0; i < KEEL_COUNT(part); i++) {
        part[i] = (piece){"", 0};
    }
    const uint32_t parts = split(open, part, (uint32_t)KEEL_COUNT(part));
    if (parts == 0 || part[0].length != strlen(source->entry) ||
        memcmp(part[0].data, source->entry, part[0].length) != 0) {
        return 0;
    }
    memset(out, 0, sizeof *out);
    out->count = parts == (uint32_t)(1 + 2 * count) ? count : -1;
    for (int32_t i = 0; i < out->count; i++) {
        out->arg[i] = declare(part[1 + 2 * i], part[2 + 2 * i], source);
    }
    return 1;
}

/* n if KERNELn and '(' stand here, and where the latter is; else 0. */
static int32_t kernel_word(const char *at, const char **out_open)
{
    const size_t prefix = strlen("KERNEL");
    if (strncmp(at, "KERNEL", prefix) != 0 || at[prefix] < '1' ||
        at[prefix] > '0' + KEELI_DECLARED_ARGS || is_word(at[prefix + 1])) {
        return 0;
    }
    const char *open = at + prefix + 1;
    while (isspace((unsigned char)*open)) {
        open++;
    }
    *out_open = open;
    return *open == '(' ? at[prefix] - '0' : 0;
}

void keeli_signature_read(const keel_kernel_source *source, keeli_signature *out)
{
    int found = 0;
    memset(out, 0, sizeof *out);
    out->count = -1;
    for (const char *at = source->source; *at != '\0';) {
        const char *next = skip_quoted(at);
        const char *open = NULL;
        keeli_signature one;
        if (next != at) {
            at = next;
            continue;
        }
        if (!is_word(*at)) {
            at++;
            continue;
        }
        const int32_t count = kernel_word(at, &open);
        if (count > 0 && read_declaration(open, count, source, &one)) {
            if (found && memcmp(out, &one, sizeof one) != 0) {
                one.count = -1; /* which of them is compiled, only the compiler knows */
            }
            *out = one;
            found = 1;
        }
        while (is_word(*at)) {
            at++;
        }
    }
}

/* ---- launches -------------------------------------------------------------------------------- */

static const char *kind_name(int32_t kind)
{
    static const char *const names[] = {"something else", "a tensor", "a META", "a value"};
    return names[kind >= KEEL_KERNEL_TENSOR && kind <= KEEL_KERNEL_VALUE ? kind : 0];
}

static keel_status check_argument(const keeli_declared_arg *want, const keel_kernel_arg *got,
                                  const char *entry, uint32_t index, keel_error *err)
{
    if (want->kind != 0 && got->kind != want->kind) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: argument %u is %s (kind %d), %s is declared as %s", entry, index,
                         kind_name(got->kind), got->kind, want->name, kind_name(want->kind));
    }
    if (want->kind == KEEL_KERNEL_META && got->count != want->count) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: argument %u is a META of %u tensors, %s is declared as KMETA%u",
                         entry, index, got->count, want->name, want->count);
    }
    if (want->kind == KEEL_KERNEL_VALUE && want->count != 0 && got->size != want->count) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: argument %u is a value of %u bytes, %s has %u", entry, index,
                         got->size, want->name, want->count);
    }
    return KEEL_OK;
}

keel_status keeli_signature_check(const keeli_signature *signature, const char *entry,
                                  const keel_kernel_arg *args, uint32_t count, keel_error *err)
{
    if (signature->count < 0) {
        return KEEL_OK; /* the backend's compiler knows */
    }
    if (count != (uint32_t)signature->count) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: arguments given: %u, declared: %d",
                         entry, count, signature->count);
    }
    for (uint32_t i = 0; i < count; i++) {
        KEEL_TRY(check_argument(&signature->arg[i], &args[i], entry, i, err));
    }
    return KEEL_OK;
}
