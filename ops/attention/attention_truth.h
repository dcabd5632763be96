/*
 * The oracle of attention: truth of the elements that one query gives, from scores to bounds. How
 * keys and values are found is the caller's: contiguous in keel.attention, in blocks in
 * keel.paged_attention.
 */
#ifndef KEELI_ATTENTION_TRUTH_H
#define KEELI_ATTENTION_TRUTH_H

#include "keel/op.h"
#include "support/truth.h"

/* Room for one query; opened for as many keys as there can be. */
typedef struct keeli_query {
    keel_dtype type;
    int64_t keys; /* seen by no query: those from here on */
    int64_t size; /* of a head of q and k */
    double scale, softcap;
    int biased;
    /* Of the query at hand. */
    keeli_dd *score;     /* of each key; minus infinity for one that is not seen */
    long double *weight; /* e^(score - greatest score), or that the key is not seen */
    long double sum;     /* of the weights */
    double deviation;    /* largest error of an exponent, in units of the accumulator */
    double largest;      /* largest sum of magnitudes before any scaling */
    int seen;            /* some key is seen */
    /* Of the key at hand: the sum of products, in few digits too, and of their magnitudes. */
    keeli_dd dot;
    long double plain, magnitude;
} keeli_query;

keel_status keeli_query_open(keeli_query *query, keel_dtype type, int64_t keys);
void keeli_query_close(keeli_query *query);

/*
 * A query's scores, one key after another: begin, then for each key dot() with the products of q
 * and k and see() or pass over it, then end.
 */
void keeli_query_begin(keeli_query *query);
void keeli_query_dot(keeli_query *query, double q, double k);
void keeli_query_see(keeli_query *query, int64_t key, double bias);
void keeli_query_end(keeli_query *query);

/* The truth of one element; value(context, key) is v's at its column. */
void keeli_query_truth(const keeli_query *query, double (*value)(const void *context, int64_t key),
                       const void *context, keel_truth *out);

#endif
