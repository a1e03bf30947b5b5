/* Linked into the program and the tests where they are built with a sanitizer. Whatever one finds
 * ends the process by a signal: no test may take it for an exit status of the program's own.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

const char* __asan_default_options(void);
const char* __ubsan_default_options(void);
const char* __tsan_default_options(void);

/* In which order globals are made is looked at once for each program (tests/CMakeLists.txt). */
const char* __asan_default_options(void) {
  return "abort_on_error=1:detect_stack_use_after_return=1:strict_string_checks=1:"
         "malloc_context_size=12";
}

const char* __ubsan_default_options(void) { return "abort_on_error=1:print_stacktrace=1"; }

const char* __tsan_default_options(void) {
  return "abort_on_error=1:halt_on_error=1:second_deadlock_stack=1";
}

#ifdef __SANITIZE_THREAD__

static const long kSecondNs = 1000000000;

/* The deadline by the wall clock. */
static struct timespec wall(clockid_t clock, const struct timespec* deadline) {
  struct timespec then;
  struct timespec now;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &then);
  then.tv_sec += deadline->tv_sec - now.tv_sec;
  then.tv_nsec += deadline->tv_nsec - now.tv_nsec;
  if (then.tv_nsec < 0) {
    then.tv_nsec += kSecondNs;
    --then.tv_sec;
  } else if (then.tv_nsec >= kSecondNs) {
    then.tv_nsec -= kSecondNs;
    ++then.tv_sec;
  }
  return then;
}

/* The thread sanitizer of GCC 12 does not see these calls, by which the timed mutexes of the
 * standard library wait, and takes each unlock for one of a mutex that nobody holds. It sees those
 * that wait by the wall clock.
 */
int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                            const struct timespec* deadline) {
  const struct timespec then = wall(clock, deadline);
  return pthread_mutex_timedlock(mutex, &then);
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock,
                               const struct timespec* deadline) {
  const struct timespec then = wall(clock, deadline);
  return pthread_rwlock_timedrdlock(lock, &then);
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock,
                               const struct timespec* deadline) {
  const struct timespec then = wall(clock, deadline);
  return pthread_rwlock_timedwrlock(lock, &then);
}

/* Libraries of the distribution are built without it: what their own locks and first uses put in
 * order looks like a race where it meets what is inlined from their headers.
 */
const char* __tsan_default_suppressions(void);
const char* __tsan_default_suppressions(void) { return "called_from_lib:libcpp-httplib.so\n"; }

#endif
