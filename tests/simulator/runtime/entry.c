#include "entry.h"

#include <pthread.h>
#include <stddef.h>
#include <time.h>

#include "codes.h"
#include "fault.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t something_done = PTHREAD_COND_INITIALIZER;

static _Thread_local rt_thread self;

rt_thread *rt_thread_self(void)
{
    return &self;
}

void rt_lock(void)
{
    (void)pthread_mutex_lock(&lock);
}

void rt_unlock(void)
{
    (void)pthread_mutex_unlock(&lock);
}

void rt_lock_wait(void)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 10 * 1000 * 1000;
    if (until.tv_nsec >= 1000 * 1000 * 1000) {
        until.tv_nsec -= 1000 * 1000 * 1000;
        until.tv_sec++;
    }
    (void)pthread_cond_timedwait(&something_done, &lock, &until);
}

void rt_lock_wake(void)
{
    (void)pthread_cond_broadcast(&something_done);
}

int rt_enter(const char *function)
{
    rt_lock();
    if (self.in_callback) {
        sim_finding("callback", "function=%s text=\"a host function of a stream may call nothing\"",
                    function + sizeof "rt_" - 1);
        return RT_NOT_PERMITTED;
    }
    return rt_fault_call(function + sizeof "rt_" - 1);
}
