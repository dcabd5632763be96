/* Which sources the program was built from; defined in a file that the build writes. */
#ifndef CLI_BUILD_INFO_H
#define CLI_BUILD_INFO_H

extern const char cli_build_commit[]; /* "unknown" outside a git checkout */
extern const int cli_build_dirty;     /* 1: with changes that are not committed */

#endif
