/*
 * The equations of keel.einsum: "ij,jk->ik". A letter is a label, "..." stands for the axes that
 * have none, blanks are ignored. Labels become loops: first those of the output.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "dense/einsum.h"

#define NONE (-1)
/* Ids of loops: letters are themselves, axes of an ellipsis count from its end. */
#define ELLIPSIS_ID(from_end) (128 + (from_end))
#define IDS (128 + KEEL_MAX_RANK)

/* One list of labels. */
typedef struct term {
    int32_t count;
    int32_t ellipsis; /* labels before it, or NONE */
    int32_t ellipsis_at;
    int32_t begin; /* character that it begins at */
    char label[KEEL_MAX_RANK];
    int32_t at[KEEL_MAX_RANK]; /* the character that each label is */
} term;

typedef struct reader {
    const keel_call *call;
    const char *text;
    int32_t length;
    int32_t place; /* the character that is read next */
    uint32_t terms;
    int32_t is_explicit; /* there is a "->" */
    int32_t width;       /* axes of the widest ellipsis */
    term input[EINSUM_INPUTS];
    term output;
    int32_t loop_of[IDS]; /* by id, or NONE */
    int32_t uses[IDS];    /* in inputs */
    keeli_einsum *out;
    keel_error *err;
} reader;

/* INVALID_ARGUMENT that quotes the equation and points at a character of it, counted from 0. */
__attribute__((format(printf, 3, 4))) static keel_status refuse(const reader *r, int32_t at,
                                                                const char *format, ...)
{
    char why[192];
    char what[32] = "its end";
    va_list args;
    va_start(args, format);
    (void)vsnprintf(why, sizeof why, format, args);
    va_end(args);
    if (at < r->length) {
        (void)snprintf(what, sizeof what, isprint((unsigned char)r->text[at]) ? "'%c'" : "code %d",
                       r->text[at]);
    }
    return keel_fail(r->err, KEEL_ERR_INVALID_ARGUMENT,
                     "keel.einsum: equation \"%.*s\", character %d, %s: %s", (int)r->length,
                     r->text, at, what, why);
}

/* ---- reading --------------------------------------------------------------------------------- */

static int is_here(const reader *r, const char *word)
{
    const int32_t length = (int32_t)strlen(word);
    return r->length - r->place >= length && memcmp(r->text + r->place, word, (size_t)length) == 0;
}

static keel_status read_label(reader *r, term *t)
{
    if (t->count == KEEL_MAX_RANK) {
        return refuse(r, r->place, "label number %d of an operand, which has at most %d axes",
                      KEEL_MAX_RANK + 1, KEEL_MAX_RANK);
    }
    t->label[t->count] = r->text[r->place];
    t->at[t->count++] = r->place++;
    return KEEL_OK;
}

static keel_status read_ellipsis(reader *r, term *t)
{
    if (!is_here(r, "...")) {
        return refuse(r, r->place, "an ellipsis has three dots");
    }
    if (t->ellipsis != NONE) {
        return refuse(r, r->place, "a second ellipsis in one operand");
    }
    t->ellipsis = t->count;
    t->ellipsis_at = r->place;
    r->place += 3;
    return KEEL_OK;
}

/* Reads labels up to what ends them: a comma, an arrow or the end. */
static keel_status read_term(reader *r, term *t)
{
    memset(t, 0, sizeof *t);
    t->ellipsis = NONE;
    t->begin = r->place;
    while (r->place < r->length && r->text[r->place] != ',' && r->text[r->place] != '-') {
        const char c = r->text[r->place];
        if (c == ' ') {
            r->place++;
        } else if (c == '.') {
            KEEL_TRY(read_ellipsis(r, t));
        } else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
            KEEL_TRY(read_label(r, t));
        } else {
            return refuse(r, r->place, "must be a letter, \"...\", ',', \"->\" or a blank");
        }
    }
    return KEEL_OK;
}

static keel_status read_output(reader *r)
{
    r->is_explicit = is_here(r, "->");
    if (!r->is_explicit) {
        return r->place < r->length ? refuse(r, r->place, "must be followed by '>'") : KEEL_OK;
    }
    r->place += 2;
    KEEL_TRY(read_term(r, &r->output));
    return r->place < r->length ? refuse(r, r->place, "the output is the last list of labels")
                                : KEEL_OK;
}

static keel_status read_equation(reader *r)
{
    if (r->call->inputs > EINSUM_INPUTS) {
        return keel_fail(r->err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.einsum: %u inputs, at most %d are allowed", r->call->inputs,
                         EINSUM_INPUTS);
    }
    for (;;) {
        if (r->terms == r->call->inputs) {
            return refuse(r, r->place - 1, "begins list %u of labels, but there are %u inputs",
                          r->terms + 1, r->call->inputs);
        }
        KEEL_TRY(read_term(r, &r->input[r->terms++]));
        if (r->place == r->length || r->text[r->place] != ',') {
            break;
        }
        r->place++;
    }
    if (r->terms < r->call->inputs) {
        return refuse(r, r->place, "ends the lists of labels after %u, but there are %u inputs",
                      r->terms, r->call->inputs);
    }
    return read_output(r);
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* Id of an axis of an operand with that many axes in its ellipsis. */
static int32_t id_of(const term *t, int32_t width, int32_t axis)
{
    if (t->ellipsis == NONE || axis < t->ellipsis) {
        return t->label[axis];
    }
    return axis < t->ellipsis + width ? ELLIPSIS_ID(t->ellipsis + width - 1 - axis)
                                      : t->label[axis - width];
}

/* The character that an axis comes from. */
static int32_t place_of(const term *t, int32_t width, int32_t axis)
{
    if (t->ellipsis == NONE || axis < t->ellipsis) {
        return t->at[axis];
    }
    return axis < t->ellipsis + width ? t->ellipsis_at : t->at[axis - width];
}

/* Counts the uses of each id, and finds the widest ellipsis. */
static keel_status match_ranks(reader *r)
{
    for (uint32_t k = 0; k < r->terms; k++) {
        const term *t = &r->input[k];
        const int32_t rank = r->call->operand[k].rank;
        const int32_t width = rank - t->count;
        if (width < 0 || (width > 0 && t->ellipsis == NONE)) {
            return refuse(r, t->begin, "%d labels%s for input %u, which has rank %d", t->count,
                          t->ellipsis != NONE ? " and an ellipsis" : "", k, rank);
        }
        r->width = width > r->width ? width : r->width;
        for (int32_t a = 0; a < t->count; a++) {
            r->uses[(int)t->label[a]]++;
        }
    }
    return KEEL_OK;
}

static keel_status add_loop(reader *r, int32_t id, int32_t at)
{
    if (r->out->loops == EINSUM_LOOPS) {
        return refuse(r, at,
                      "label number %d; there may be %d different ones, axes of an ellipsis "
                      "counted",
                      EINSUM_LOOPS + 1, EINSUM_LOOPS);
    }
    r->loop_of[id] = r->out->loops;
    r->out->extent[r->out->loops++] = 1;
    return KEEL_OK;
}

static keel_status check_output_label(const reader *r, int32_t a)
{
    const char label = r->output.label[a];
    if (r->uses[(int)label] == 0) {
        return refuse(r, r->output.at[a], "a label of the output that no input has");
    }
    if (r->loop_of[(int)label] != NONE) {
        return refuse(r, r->output.at[a], "a label that the output has already");
    }
    return KEEL_OK;
}

static keel_status add_explicit(reader *r)
{
    const term *t = &r->output;
    if (r->width > 0 && t->ellipsis == NONE) {
        return refuse(r, t->begin,
                      "the output has no ellipsis, but the inputs' one stands for %d "
                      "axes",
                      r->width);
    }
    const int32_t width = t->ellipsis == NONE ? 0 : r->width;
    for (int32_t a = 0; a < t->count + width; a++) {
        const int32_t id = id_of(t, width, a);
        if (id < 128) {
            KEEL_TRY(check_output_label(r, a < t->ellipsis || width == 0 ? a : a - width));
        }
        KEEL_TRY(add_loop(r, id, place_of(t, width, a)));
    }
    return KEEL_OK;
}

/* The ellipsis, then the labels that occur once, in the order of their codes. */
static keel_status add_implicit(reader *r)
{
    for (int32_t e = r->width - 1; e >= 0; e--) {
        KEEL_TRY(add_loop(r, ELLIPSIS_ID(e), 0));
    }
    for (int32_t c = 'A'; c <= 'z'; c++) {
        if (r->uses[c] == 1) {
            KEEL_TRY(add_loop(r, c, 0));
        }
    }
    return KEEL_OK;
}

/* Lets an input take part in a loop: equal sizes, or 1 on either side. */
static keel_status add_axis(reader *r, uint32_t k, int32_t a)
{
    const term *t = &r->input[k];
    const keel_desc *desc = &r->call->operand[k];
    const int32_t width = desc->rank - t->count;
    const int32_t id = id_of(t, width, a);
    const int32_t at = place_of(t, width, a);
    if (r->loop_of[id] == NONE) {
        KEEL_TRY(add_loop(r, id, at));
    }
    const int32_t loop = r->loop_of[id];
    int64_t *extent = &r->out->extent[loop];
    const int64_t size = desc->shape[a];
    for (int32_t before = 0; before < a; before++) {
        if (id_of(t, width, before) == id && desc->shape[before] != size) {
            return refuse(r, at,
                          "axis %d of input %u has size %lld, but axis %d of the same label "
                          "%lld",
                          a, k, (long long)size, before, (long long)desc->shape[before]);
        }
    }
    if (size != *extent && size != 1 && *extent != 1) {
        return refuse(r, at,
                      "axis %d of input %u has size %lld, an input before it %lld; must be "
                      "equal or 1",
                      a, k, (long long)size, (long long)*extent);
    }
    *extent = *extent == 1 ? size : *extent;
    r->out->stride[k][loop] += size == 1 ? 0 : desc->stride[a];
    return KEEL_OK;
}

keel_status keeli_einsum_read(const keel_call *call, keeli_einsum *out, keel_error *err)
{
    reader r = {.call = call,
                .text = call->attribute[0].count > 0 ? call->attribute[0].value.bytes : "",
                .length = call->attribute[0].count,
                .out = out,
                .err = err};
    memset(out, 0, sizeof *out);
    for (int32_t id = 0; id < IDS; id++) {
        r.loop_of[id] = NONE;
    }
    KEEL_TRY(read_equation(&r));
    KEEL_TRY(match_ranks(&r));
    KEEL_TRY(r.is_explicit ? add_explicit(&r) : add_implicit(&r));
    out->kept = out->loops;
    if (out->kept > KEEL_MAX_RANK) {
        return refuse(&r, r.is_explicit ? r.output.begin : r.length,
                      "the output has rank %d, at most %d is allowed", out->kept, KEEL_MAX_RANK);
    }
    for (uint32_t k = 0; k < r.terms; k++) {
        for (int32_t a = 0; a < call->operand[k].rank; a++) {
            KEEL_TRY(add_axis(&r, k, a));
        }
    }
    return KEEL_OK;
}

keeli_einsum keeli_einsum_of(const keel_call *call)
{
    keeli_einsum einsum;
    (void)keeli_einsum_read(call, &einsum, NULL);
    return einsum;
}

int64_t keeli_einsum_terms(const keeli_einsum *einsum)
{
    int64_t terms = 1;
    for (int32_t a = einsum->kept; a < einsum->loops; a++) {
        terms *= einsum->extent[a];
    }
    return terms;
}
