/* Preloaded into a process under test: before the n-th time that it looks at a file (its size, or
 * bytes of it), the file is given other contents, as if another process had written it just then.
 *
 *   CHIRP_LOOK_FILE   the file, absolute, without links
 *   CHIRP_LOOK_AT     n, from 1
 *   CHIRP_LOOK_NEXT   a file with the other contents; removed once they are there
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

static long looks;

static void* real(const char* name) {
  void* function = dlsym(RTLD_NEXT, name);
  if (function == NULL) _exit(99);
  return function;
}

static void put(const char* next, const char* path) {
  const int from = open(next, O_RDONLY | O_CLOEXEC);
  const int to = open(path, O_WRONLY | O_CLOEXEC);
  while (from >= 0 && to >= 0 && sendfile(to, from, NULL, 1 << 20) > 0) continue;
  close(from);
  close(to);
  unlink(next);
}

static void look(int fd) {
  const char* path = getenv("CHIRP_LOOK_FILE");
  const char* at = getenv("CHIRP_LOOK_AT");
  const char* next = getenv("CHIRP_LOOK_NEXT");
  char link[64];
  char place[PATH_MAX];
  if (path == NULL || at == NULL || next == NULL) return;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, place, sizeof place - 1);
  if (length < 0) return;
  place[length] = '\0';
  if (strcmp(place, path) == 0 && ++looks == strtol(at, NULL, 10)) put(next, path);
}

ssize_t pread(int fd, void* into, size_t size, off_t where) {
  ssize_t (*next)(int, void*, size_t, off_t) = real("pread");
  look(fd);
  return next(fd, into, size, where);
}
ssize_t pread64(int fd, void* into, size_t size, off64_t where) {
  ssize_t (*next)(int, void*, size_t, off64_t) = real("pread64");
  look(fd);
  return next(fd, into, size, where);
}
int fstat(int fd, struct stat* facts) {
  int (*next)(int, struct stat*) = real("fstat");
  look(fd);
  return next(fd, facts);
}
int fstat64(int fd, struct stat64* facts) {
  int (*next)(int, struct stat64*) = real("fstat64");
  look(fd);
  return next(fd, facts);
}
