/* Preloaded into a process under test: counts the calls that change files below a folder, and at
 * the n-th of them kills the process, tears a write, or fails the call.
 *
 *   CHIRP_FAULT_DIR     the folder, absolute, without links
 *   CHIRP_FAULT_COUNT   a file of 8 bytes outside of it: the calls so far, of all processes
 * together CHIRP_FAULT_AT      n, from 1; unset or 0 counts alone CHIRP_FAULT_MODE    kill before
 * the call torn:B      after the first B bytes of a write, else before the call short:B     a write
 * stores B bytes and says so enospc, eio the call fails stop        SIGSTOP before the call
 *   CHIRP_FAULT_STICKY  set: at the n-th call and all that follow
 *
 * The count lives in shared memory, so it survives the kill. Stores to mapped memory are not seen.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum mode { kNone, kKill, kTorn, kShort, kEnospc, kEio, kStop };

static const char* folder;
static _Atomic uint64_t* calls;
static uint64_t at;
static int sticky;
static enum mode mode;
static size_t mode_bytes;

static void* real(const char* name) {
  void* function = dlsym(RTLD_NEXT, name);
  if (function == NULL) _exit(99);
  return function;
}

static void read_mode(const char* text) {
  static const struct {
    const char* name;
    enum mode mode;
  } known[] = {{"kill", kKill},     {"torn:", kTorn}, {"short:", kShort},
               {"enospc", kEnospc}, {"eio", kEio},    {"stop", kStop}};
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
    const size_t length = strlen(known[i].name);
    if (strncmp(text, known[i].name, length) != 0) continue;
    mode = known[i].mode;
    mode_bytes = strtoul(text + length, NULL, 10);
  }
}

__attribute__((constructor)) static void start(void) {
  const char* count = getenv("CHIRP_FAULT_COUNT");
  const char* wanted = getenv("CHIRP_FAULT_AT");
  const char* how = getenv("CHIRP_FAULT_MODE");
  folder = getenv("CHIRP_FAULT_DIR");
  if (folder == NULL || count == NULL) return;
  const int fd = open(count, O_RDWR | O_CLOEXEC);
  if (fd < 0) _exit(99);
  void* map = mmap(NULL, sizeof *calls, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (map == MAP_FAILED) _exit(99);
  if (wanted != NULL) at = strtoull(wanted, NULL, 10);
  if (how != NULL) read_mode(how);
  sticky = getenv("CHIRP_FAULT_STICKY") != NULL;
  calls = map;
}

/* ---- whether a call is about a file below the folder */

static int is_below(const char* path) {
  const size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static int fd_below(int fd) {
  char link[64];
  char path[PATH_MAX];
  if (calls == NULL) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = '\0';
  return is_below(path);
}

static int path_below(int fd, const char* path) {
  char cwd[PATH_MAX];
  if (calls == NULL) return 0;
  if (path[0] == '/') return is_below(path);
  if (fd != AT_FDCWD) return fd_below(fd);
  return getcwd(cwd, sizeof cwd) != NULL && is_below(cwd);
}

/* ---- what happens */

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

/* True if this call is hit. `errno` is set where it is to fail. */
static int hit(void) {
  const uint64_t call = atomic_fetch_add(calls, 1) + 1;
  if (at == 0 || mode == kNone || (sticky ? call < at : call != at)) return 0;
  if (mode == kKill) die();
  if (mode == kStop) {
    kill(getpid(), SIGSTOP);
    return 0;
  }
  errno = mode == kEnospc ? ENOSPC : EIO;
  return 1;
}

/* 1: the call fails. */
static int fails_path(int fd, const char* path) {
  if (!path_below(fd, path) || !hit()) return 0;
  if (mode == kTorn) die();
  return mode == kEnospc || mode == kEio;
}

static int fails_fd(int fd) {
  if (!fd_below(fd) || !hit()) return 0;
  if (mode == kTorn) die();
  return mode == kEnospc || mode == kEio;
}

/* A write of `length` bytes: -1 fails; SIZE_MAX-like `length` goes on whole; less is all it stores.
 */
static ssize_t allowed(int fd, size_t length) {
  if (!fd_below(fd) || !hit()) return (ssize_t)length;
  if (mode == kEnospc || mode == kEio) return -1;
  if (length < 2) return (ssize_t)length;
  const size_t bytes = mode_bytes < length ? mode_bytes : length - 1;
  return bytes == 0 ? 1 : (ssize_t)bytes;
}

static ssize_t written(ssize_t result, ssize_t stored, size_t length) {
  if (mode == kTorn && stored != (ssize_t)length) die();
  return result;
}

/* ---- the calls */

ssize_t write(int fd, const void* data, size_t length) {
  ssize_t (*next)(int, const void*, size_t) = real("write");
  const ssize_t bytes = allowed(fd, length);
  return bytes < 0 ? -1 : written(next(fd, data, (size_t)bytes), bytes, length);
}

static ssize_t write_at(const char* name, int fd, const void* data, size_t length, off_t where) {
  ssize_t (*next)(int, const void*, size_t, off_t) = real(name);
  const ssize_t bytes = allowed(fd, length);
  return bytes < 0 ? -1 : written(next(fd, data, (size_t)bytes, where), bytes, length);
}
ssize_t pwrite(int fd, const void* data, size_t length, off_t where) {
  return write_at("pwrite", fd, data, length, where);
}
ssize_t pwrite64(int fd, const void* data, size_t length, off64_t where) {
  return write_at("pwrite64", fd, data, length, where);
}

/* Gathers what of the vectors is to be stored; the caller frees it. */
static char* gather(const struct iovec* vectors, int count, size_t bytes) {
  char* data = malloc(bytes);
  size_t done = 0;
  for (int i = 0; data != NULL && i < count && done < bytes; ++i) {
    const size_t left = bytes - done;
    const size_t part = vectors[i].iov_len < left ? vectors[i].iov_len : left;
    memcpy(data + done, vectors[i].iov_base, part);
    done += part;
  }
  return data;
}
static size_t total(const struct iovec* vectors, int count) {
  size_t length = 0;
  for (int i = 0; i < count; ++i) length += vectors[i].iov_len;
  return length;
}

ssize_t writev(int fd, const struct iovec* vectors, int count) {
  ssize_t (*next)(int, const struct iovec*, int) = real("writev");
  ssize_t (*plain)(int, const void*, size_t) = real("write");
  const size_t length = total(vectors, count);
  const ssize_t bytes = allowed(fd, length);
  if (bytes < 0) return -1;
  if ((size_t)bytes == length) return next(fd, vectors, count);
  char* data = gather(vectors, count, (size_t)bytes);
  const ssize_t result = plain(fd, data, (size_t)bytes);
  free(data);
  return written(result, bytes, length);
}

static ssize_t writev_at(const char* name, int fd, const struct iovec* vectors, int count,
                         off_t where) {
  ssize_t (*next)(int, const struct iovec*, int, off_t) = real(name);
  ssize_t (*plain)(int, const void*, size_t, off_t) = real("pwrite");
  const size_t length = total(vectors, count);
  const ssize_t bytes = allowed(fd, length);
  if (bytes < 0) return -1;
  if ((size_t)bytes == length) return next(fd, vectors, count, where);
  char* data = gather(vectors, count, (size_t)bytes);
  const ssize_t result = plain(fd, data, (size_t)bytes, where);
  free(data);
  return written(result, bytes, length);
}
ssize_t pwritev(int fd, const struct iovec* vectors, int count, off_t where) {
  return writev_at("pwritev", fd, vectors, count, where);
}
ssize_t pwritev64(int fd, const struct iovec* vectors, int count, off64_t where) {
  return writev_at("pwritev64", fd, vectors, count, where);
}

#define FD_CALL(name, parameters, ...)                      \
  int name parameters {                                     \
    int(*next) parameters = (int(*) parameters)real(#name); \
    return fails_fd(fd) ? -1 : next(__VA_ARGS__);           \
  }
FD_CALL(fsync, (int fd), fd)
FD_CALL(fdatasync, (int fd), fd)
FD_CALL(ftruncate, (int fd, off_t length), fd, length)
FD_CALL(ftruncate64, (int fd, off64_t length), fd, length)

/* These return the error instead of setting errno. */
int posix_fallocate(int fd, off_t from, off_t length) {
  int (*next)(int, off_t, off_t) = real("posix_fallocate");
  return fails_fd(fd) ? errno : next(fd, from, length);
}
int posix_fallocate64(int fd, off64_t from, off64_t length) {
  int (*next)(int, off64_t, off64_t) = real("posix_fallocate64");
  return fails_fd(fd) ? errno : next(fd, from, length);
}

#define PATH_CALL(name, folder_fd, parameters, ...)              \
  int name parameters {                                          \
    int(*next) parameters = (int(*) parameters)real(#name);      \
    return fails_path(folder_fd, path) ? -1 : next(__VA_ARGS__); \
  }
PATH_CALL(unlink, AT_FDCWD, (const char* path), path)
PATH_CALL(unlinkat, fd, (int fd, const char* path, int flags), fd, path, flags)
PATH_CALL(rmdir, AT_FDCWD, (const char* path), path)
PATH_CALL(mkdir, AT_FDCWD, (const char* path, mode_t bits), path, bits)
PATH_CALL(rename, AT_FDCWD, (const char* path, const char* to), path, to)
PATH_CALL(renameat, fd, (int fd, const char* path, int to_fd, const char* to), fd, path, to_fd, to)
PATH_CALL(renameat2, fd, (int fd, const char* path, int to_fd, const char* to, unsigned flags), fd,
          path, to_fd, to, flags)

char* mkdtemp(char* path) {
  char* (*next)(char*) = real("mkdtemp");
  return fails_path(AT_FDCWD, path) ? NULL : next(path);
}

static int open_at(const char* name, int fd, const char* path, int flags, mode_t bits) {
  int (*next)(int, const char*, int, ...) = real(name);
  /* Opening what is there changes nothing. */
  if ((flags & O_CREAT) != 0 && faccessat(fd, path, F_OK, 0) != 0 && fails_path(fd, path))
    return -1;
  return next(fd, path, flags, bits);
}
#define OPEN_CALL(name, real_name, fd, ...)                                              \
  int name(__VA_ARGS__ const char* path, int flags, ...) {                               \
    va_list more;                                                                        \
    va_start(more, flags);                                                               \
    const mode_t bits = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0; \
    va_end(more);                                                                        \
    return open_at(real_name, fd, path, flags, bits);                                    \
  }
OPEN_CALL(open, "openat", AT_FDCWD, )
OPEN_CALL(open64, "openat64", AT_FDCWD, )
OPEN_CALL(openat, "openat", fd, int fd, )
OPEN_CALL(openat64, "openat64", fd, int fd, )
