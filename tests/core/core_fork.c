/* A forked child gets an error from its parent's objects, and may make a context of its own. */
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core_fixture.h"

/* What the child finds; its exit code is the number of the first thing that is not as promised. */
static int look_around(core_fixture *f)
{
    keel_error err = KEEL_ERROR_INIT;
    keel_buffer *buffer;
    keel_context *context;
    if (keel_buffer_create(f->device, 8, &buffer, &err) != KEEL_ERR_INVALID_ARGUMENT ||
        strstr(err.message, "forked") == NULL) {
        return 1;
    }
    err = (keel_error)KEEL_ERROR_INIT;
    if (keel_queue_synchronize(f->queue, &err) != KEEL_ERR_INVALID_ARGUMENT) {
        return 2;
    }
    keel_queue_destroy(f->queue); /* leaves the parent's queue alone */
    keel_device_close(f->device);
    keel_context_release(f->context);
    err = (keel_error)KEEL_ERROR_INIT;
    if (keel_context_create(NULL, &context, &err) != KEEL_OK) {
        return 3;
    }
    keel_context_release(context);
    return 0;
}

/* KB-R016, as reported of another system: https://github.com/pytorch/pytorch/issues/23401 */
static void a_child_is_told_and_the_parent_goes_on(void **state)
{
    core_fixture *f = *state;
    const int64_t shape[] = {4};
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        _exit(look_around(f));
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    keel_tensor a = core_counting(f, 1, shape);
    assert_ok(&f->err, core_add(f, &a, &a, &a));
    keel_tensor_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {CORE_TEST(a_child_is_told_and_the_parent_goes_on)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
