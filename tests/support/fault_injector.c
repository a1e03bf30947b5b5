// Preloaded into a process under test: counts the calls that change files below a folder, and at
// the n-th of them kills the process, tears a write, or fails the call.
//
//   CHIRP_FAULT_DIR     the folder, absolute, without links
//   CHIRP_FAULT_COUNT   a file of 16 bytes outside of it: the calls so far, of all processes
//                       together, and the recorder's lock
//   CHIRP_FAULT_AT      n, from 1; unset or 0 counts alone
//   CHIRP_FAULT_MODE    kill         before the call
//                       torn:B       after the first B bytes of a write, else before the call
//                       short:B      a write stores B bytes and says so
//                       enospc, eio  the call fails
//                       sync         fails with EIO; fsync and fdatasync alone are counted
//                       stop         SIGSTOP before the call
//   CHIRP_FAULT_STICKY  set: at the n-th call and all that follow
//   CHIRP_FAULT_RECORD  a file outside of the folder that what is done is appended to
//                       (tests/support/fault_record.h)
//   CHIRP_FAULT_BUG     a mistake that the process then seems to make, for tests of the tests:
//                       no-sync           fsync and fdatasync of files do nothing
//                       no-folder-sync    fsync of folders does nothing
//                       early-answer      the answer is out before anything is synced
//
// The count lives in shared memory, so it survives the kill. Stores to mapped memory are not seen.
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

#include "tests/support/fault_recorder.h"

enum mode { kNone, kKill, kTorn, kShort, kEnospc, kEio, kSync, kStop };
enum bug { kNoBug, kNoSync, kNoFolderSync, kEarlyAnswer };

static const char* folder;
static _Atomic uint64_t* calls;
static uint64_t at;
static int sticky;
static enum mode mode;
static size_t mode_bytes;
static enum bug bug;

static void* real(const char* name) {
  void* function = dlsym(RTLD_NEXT, name);
  if (function == NULL) _exit(99);
  return function;
}

static void read_mode(const char* text) {
  static const struct {
    const char* name;
    enum mode mode;
  } known[] = {{"kill", kKill}, {"torn:", kTorn}, {"short:", kShort}, {"enospc", kEnospc},
               {"eio", kEio},   {"sync", kSync},  {"stop", kStop}};
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
    const size_t length = strlen(known[i].name);
    if (strncmp(text, known[i].name, length) != 0) continue;
    mode = known[i].mode;
    mode_bytes = strtoul(text + length, NULL, 10);
  }
}

static void read_bug(const char* text) {
  if (strcmp(text, "no-sync") == 0) bug = kNoSync;
  if (strcmp(text, "no-folder-sync") == 0) bug = kNoFolderSync;
  if (strcmp(text, "early-answer") == 0) bug = kEarlyAnswer;
}

__attribute__((constructor)) static void start(void) {
  const char* count = getenv("CHIRP_FAULT_COUNT");
  const char* wanted = getenv("CHIRP_FAULT_AT");
  const char* how = getenv("CHIRP_FAULT_MODE");
  const char* mistake = getenv("CHIRP_FAULT_BUG");
  folder = getenv("CHIRP_FAULT_DIR");
  if (folder == NULL || count == NULL) return;
  const int fd = open(count, O_RDWR | O_CLOEXEC);
  if (fd < 0) _exit(99);
  void* map = mmap(NULL, 2 * sizeof *calls, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (map == MAP_FAILED) _exit(99);
  if (wanted != NULL) at = strtoull(wanted, NULL, 10);
  if (how != NULL) read_mode(how);
  if (mistake != NULL) read_bug(mistake);
  sticky = getenv("CHIRP_FAULT_STICKY") != NULL;
  calls = map;
  recorder_start(calls + 1);
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

/* 1: the call, about a file below the folder, fails. */
static int fails(void) {
  if (mode == kSync || !hit()) return 0;
  if (mode == kTorn) die();
  return mode == kEnospc || mode == kEio;
}
static int fails_sync(void) {
  if (mode == kSync) return hit();
  return fails();
}

/* A write of `length` bytes to a file below the folder: -1 fails; `length` goes on whole; less is
 * all it stores. */
static ssize_t allowed(size_t length) {
  if (mode == kSync || !hit()) return (ssize_t)length;
  if (mode == kEnospc || mode == kEio) return -1;
  if (length < 2) return (ssize_t)length;
  const size_t bytes = mode_bytes < length ? mode_bytes : length - 1;
  return bytes == 0 ? 1 : (ssize_t)bytes;
}

/* ---- writes */

/* One of them, in the form that all can be brought to; `where` is -1 for the place the file is at.
 */
struct store {
  int fd;
  const struct iovec* vectors;
  int count;
  off_t where;
};

static size_t total(const struct store* store) {
  size_t length = 0;
  for (int i = 0; i < store->count; ++i) length += store->vectors[i].iov_len;
  return length;
}

/* The first bytes of what is to be stored; the caller frees it. */
static char* gather(const struct store* store, size_t bytes) {
  char* data = malloc(bytes + 1);
  size_t done = 0;
  if (data == NULL) _exit(99);
  for (int i = 0; i < store->count && done < bytes; ++i) {
    const size_t left = bytes - done;
    const size_t part = store->vectors[i].iov_len < left ? store->vectors[i].iov_len : left;
    memcpy(data + done, store->vectors[i].iov_base, part);
    done += part;
  }
  return data;
}

static ssize_t store_bytes(const struct store* store, const char* data, size_t bytes) {
  ssize_t (*plain)(int, const void*, size_t) = real("write");
  ssize_t (*placed)(int, const void*, size_t, off_t) = real("pwrite");
  return store->where < 0 ? plain(store->fd, data, bytes)
                          : placed(store->fd, data, bytes, store->where);
}

static void record_store(const struct store* store, const char* data, ssize_t done) {
  if (done <= 0) return;
  off_t where = store->where;
  /* An append moves the place first, so it is known afterwards. */
  if (where < 0) where = lseek(store->fd, 0, SEEK_CUR) - done;
  record_write(store->fd, data, (size_t)done, where);
}

/* What a call that writes does in the end. */
static ssize_t write_out(const struct store* store) {
  const size_t length = total(store);
  const int below = fd_below(store->fd);
  const ssize_t bytes = below ? allowed(length) : (ssize_t)length;
  if (bytes < 0) return -1;
  char* data = gather(store, (size_t)bytes);
  recorder_enter();
  const ssize_t done = store_bytes(store, data, (size_t)bytes);
  if (recording() && below) record_store(store, data, done);
  if (recording() && store->fd == STDOUT_FILENO && done > 0) record_said(data, (size_t)done);
  recorder_leave();
  free(data);
  if (mode == kTorn && bytes != (ssize_t)length) die();
  return done;
}

ssize_t write(int fd, const void* data, size_t length) {
  const struct iovec vector = {(void*)(uintptr_t)data, length};
  return write_out(&(struct store){fd, &vector, 1, -1});
}
ssize_t pwrite(int fd, const void* data, size_t length, off_t where) {
  const struct iovec vector = {(void*)(uintptr_t)data, length};
  return write_out(&(struct store){fd, &vector, 1, where});
}
ssize_t pwrite64(int fd, const void* data, size_t length, off64_t where) {
  return pwrite(fd, data, length, where);
}
ssize_t writev(int fd, const struct iovec* vectors, int count) {
  return write_out(&(struct store){fd, vectors, count, -1});
}
ssize_t pwritev(int fd, const struct iovec* vectors, int count, off_t where) {
  return write_out(&(struct store){fd, vectors, count, where});
}
ssize_t pwritev64(int fd, const struct iovec* vectors, int count, off64_t where) {
  return pwritev(fd, vectors, count, where);
}

/* ---- syncs and sizes */

static int is_folder(int fd) {
  struct stat facts;
  return fstat(fd, &facts) == 0 && S_ISDIR(facts.st_mode);
}

static int sync_by(const char* name, int fd) {
  int (*next)(int) = real(name);
  if (!fd_below(fd)) return next(fd);
  if (fails_sync()) return -1;
  if (bug == kEarlyAnswer && write(STDOUT_FILENO, "\n", 1) != 1) return -1;
  if (bug == (is_folder(fd) ? kNoFolderSync : kNoSync)) return 0;
  recorder_enter();
  const int result = next(fd);
  if (recording() && result == 0) record_sync(fd);
  recorder_leave();
  return result;
}
int fsync(int fd) { return sync_by("fsync", fd); }
int fdatasync(int fd) { return sync_by("fdatasync", fd); }

int ftruncate(int fd, off_t length) {
  int (*next)(int, off_t) = real("ftruncate");
  if (!fd_below(fd)) return next(fd, length);
  if (fails()) return -1;
  recorder_enter();
  const int result = next(fd, length);
  if (recording() && result == 0) record_size(fd, length);
  recorder_leave();
  return result;
}
int ftruncate64(int fd, off64_t length) { return ftruncate(fd, length); }

/* Returns the error instead of setting errno. What it adds to a file reads as zeros. */
int posix_fallocate(int fd, off_t from, off_t length) {
  int (*next)(int, off_t, off_t) = real("posix_fallocate");
  struct stat facts;
  if (!fd_below(fd)) return next(fd, from, length);
  if (fails()) return errno;
  recorder_enter();
  const int grows = fstat(fd, &facts) == 0 && facts.st_size < from + length;
  const int result = next(fd, from, length);
  if (recording() && result == 0 && grows) record_size(fd, from + length);
  recorder_leave();
  return result;
}
int posix_fallocate64(int fd, off64_t from, off64_t length) {
  return posix_fallocate(fd, from, length);
}

/* ---- names */

/* The end of a call about a name: its record, if it did what it was to do. */
#define NAME_CALL(name, folder_fd, parameters, arguments, record) \
  int name parameters {                                           \
    int(*next) parameters = (int(*) parameters)real(#name);       \
    const int below = path_below(folder_fd, path);                \
    if (below && fails()) return -1;                              \
    recorder_enter();                                             \
    const int result = next arguments;                            \
    if (recording() && below && result == 0) record;              \
    recorder_leave();                                             \
    return result;                                                \
  }
NAME_CALL(unlink, AT_FDCWD, (const char* path), (path), record_gone(AT_FDCWD, path))
NAME_CALL(unlinkat, fd, (int fd, const char* path, int flags), (fd, path, flags),
          record_gone(fd, path))
NAME_CALL(rmdir, AT_FDCWD, (const char* path), (path), record_gone(AT_FDCWD, path))
NAME_CALL(remove, AT_FDCWD, (const char* path), (path), record_gone(AT_FDCWD, path))
NAME_CALL(mkdir, AT_FDCWD, (const char* path, mode_t bits), (path, bits),
          record_made(kRecordFolder, AT_FDCWD, path))
NAME_CALL(mkdirat, fd, (int fd, const char* path, mode_t bits), (fd, path, bits),
          record_made(kRecordFolder, fd, path))
NAME_CALL(rename, AT_FDCWD, (const char* path, const char* to), (path, to),
          record_renamed(kRecordName, AT_FDCWD, path, AT_FDCWD, to))
NAME_CALL(link, AT_FDCWD, (const char* path, const char* to), (path, to),
          record_renamed(kRecordLink, AT_FDCWD, path, AT_FDCWD, to))
NAME_CALL(renameat, fd, (int fd, const char* path, int to_fd, const char* to),
          (fd, path, to_fd, to), record_renamed(kRecordName, fd, path, to_fd, to))

NAME_CALL(renameat2, fd, (int fd, const char* path, int to_fd, const char* to, unsigned flags),
          (fd, path, to_fd, to, flags),
          record_renamed((flags & RENAME_EXCHANGE) != 0 ? kRecordSwap : kRecordName, fd, path,
                         to_fd, to))

char* mkdtemp(char* path) {
  char* (*next)(char*) = real("mkdtemp");
  const int below = path_below(AT_FDCWD, path);
  if (below && fails()) return NULL;
  recorder_enter();
  char* const result = next(path);
  if (recording() && below && result != NULL) record_made(kRecordFolder, AT_FDCWD, path);
  recorder_leave();
  return result;
}

static int open_at(const char* name, int fd, const char* path, int flags, mode_t bits) {
  int (*next)(int, const char*, int, ...) = real(name);
  const int below = path_below(fd, path);
  /* Opening what is there changes nothing. */
  const int makes = (flags & O_CREAT) != 0 && faccessat(fd, path, F_OK, 0) != 0;
  if (below && makes && fails()) return -1;
  recorder_enter();
  const int result = next(fd, path, flags, bits);
  if (recording() && below && result >= 0) {
    if (makes)
      record_made(kRecordFile, fd, path);
    else if ((flags & O_TRUNC) != 0)
      record_size(result, 0);
  }
  recorder_leave();
  return result;
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
