/* Waits that libfaketime shall leave alone; tests/shifted_clock.py loads them before it.

   While libfaketime waits in epoll_wait, handlers of signals read the clock of the machine: a timer of PostgreSQL that
   is due finds itself early by the whole span, and starts again. The end of a sleep by the clock that is not moved is
   taken for one by the clock that is. */

#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int epoll_wait(int epoll, struct epoll_event *events, int most, int milliseconds)
{
    return (int)syscall(SYS_epoll_pwait, epoll, events, most, milliseconds, NULL, _NSIG / 8);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *span, struct timespec *rest)
{
    return syscall(SYS_clock_nanosleep, clock, flags, span, rest) == 0 ? 0 : errno;
}
