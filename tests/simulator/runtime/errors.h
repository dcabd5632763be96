/* Names and texts of results, with the vendors' own numbers. */
#ifndef RT_ERRORS_H
#define RT_ERRORS_H

typedef enum rt_naming { RT_NAMING_CUDART, RT_NAMING_CUDA, RT_NAMING_HIP, RT_NAMINGS } rt_naming;

/*
 * The name of a code as an API has it, NULL for a number that it does not have. After a finding,
 * RT_UNKNOWN's name is followed by the finding, so that whoever prints it says what was found.
 * Static; the text with a finding lasts until the thread asks again.
 */
const char *rt_error_name(rt_naming naming, int code);

/* What it means, NULL as above. The vendors word it differently. */
const char *rt_error_text(rt_naming naming, int code);

#endif
