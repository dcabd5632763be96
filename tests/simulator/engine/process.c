/* Programs and files. */
#include "process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int sim_spawn(const char *const *words, const char *output)
{
    posix_spawn_file_actions_t actions;
    pid_t child = 0;
    if (posix_spawn_file_actions_init(&actions) != 0) {
        return 127;
    }
    int failed = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output,
                                                  O_WRONLY | O_CREAT | O_APPEND, 0600);
    failed |= posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    if (failed == 0) {
        /* The words are not written to; the type is older than const. */
        failed = posix_spawnp(&child, words[0], &actions, NULL, (char *const *)(uintptr_t)words,
                              environ);
    }
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) {
        return 127;
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            return 128; /* the application takes its children's status away */
        }
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

bool sim_path_join(char out[SIM_PATH_MAX], const char *directory, const char *name)
{
    const int length = snprintf(out, SIM_PATH_MAX, "%s/%s", directory, name);
    return length > 0 && length < SIM_PATH_MAX;
}

bool sim_directory_make(char out_path[SIM_PATH_MAX])
{
    const char *parent = getenv("TMPDIR");
    parent = parent != NULL && *parent != '\0' ? parent : "/tmp";
    return sim_path_join(out_path, parent, "keel-simulator-XXXXXX") && mkdtemp(out_path) != NULL;
}

void sim_directory_remove(const char *path)
{
    DIR *directory = opendir(path);
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        char file[SIM_PATH_MAX];
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            sim_path_join(file, path, entry->d_name)) {
            (void)unlink(file);
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
    (void)rmdir(path);
}

bool sim_file_write(const char *path, const void *data, size_t bytes)
{
    FILE *file = fopen(path, "wbe");
    if (file == NULL) {
        return false;
    }
    const bool written = fwrite(data, 1, bytes, file) == bytes;
    return fclose(file) == 0 && written;
}

char *sim_file_read(const char *path, size_t *out_bytes)
{
    FILE *file = fopen(path, "rbe");
    if (file == NULL) {
        return NULL;
    }
    char *content = NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        const long end = ftell(file);
        rewind(file);
        content = end >= 0 ? malloc((size_t)end + 1) : NULL;
        if (content != NULL && fread(content, 1, (size_t)end, file) != (size_t)end) {
            free(content);
            content = NULL;
        }
        if (content != NULL) {
            content[end] = '\0';
            *out_bytes = (size_t)end;
        }
    }
    fclose(file);
    return content;
}
