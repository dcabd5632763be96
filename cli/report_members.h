/* What a report consists of: tables that the checker walks. docs/report.schema.json says the same.
 */
#ifndef CLI_REPORT_MEMBERS_H
#define CLI_REPORT_MEMBERS_H

typedef enum cli_member_kind {
    CLI_MEMBER_STRING,  /* high: longest, in bytes */
    CLI_MEMBER_NUMBER,  /* or "nan", "inf", "-inf" */
    CLI_MEMBER_SECONDS, /* finite, 0 to high */
    CLI_MEMBER_INTEGER, /* 0 to high */
    CLI_MEMBER_BOOL,
    CLI_MEMBER_OBJECT,   /* members: of it, if given */
    CLI_MEMBER_OBJECTS,  /* array of objects; high: most entries */
    CLI_MEMBER_STRINGS,  /* array of strings of at most 8192 bytes; high: most entries */
    CLI_MEMBER_INTEGERS, /* array of integers >= 0; high: most entries */
    CLI_MEMBER_VERDICT,
    CLI_MEMBER_COUNTS /* object: verdict to integer */
} cli_member_kind;

typedef struct cli_member {
    const char *name;
    cli_member_kind kind;
    double high;
    const struct cli_member *members; /* ends with a NULL name */
} cli_member;

/* All end with a NULL name; every member listed must be there. */
extern const cli_member cli_report_members[]; /* top level, without "schema" */
extern const cli_member cli_result_members[]; /* of a case: what its run found */
extern const cli_member cli_case_members[];   /* of a case: what the supervisor adds */

#endif
