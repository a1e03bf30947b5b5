#define _GNU_SOURCE
#include "tests/support/fault_recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int record_fd = -1;
static _Atomic uint64_t* turn;

void recorder_start(_Atomic uint64_t* lock) {
  const char* path = getenv("CHIRP_FAULT_RECORD");
  if (path == NULL) return;
  const int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (fd < 0) _exit(99);
  // Out of the way of programs that count on the lowest numbers.
  record_fd = fcntl(fd, F_DUPFD_CLOEXEC, 200);
  close(fd);
  if (record_fd < 0) _exit(99);
  turn = lock;
}

int recording(void) { return record_fd >= 0; }

void recorder_enter(void) {
  if (!recording()) return;
  for (uint64_t free_turn = 0;
       !__atomic_compare_exchange_n(turn, &free_turn, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
       free_turn = 0) {
    sched_yield();
  }
}

void recorder_leave(void) {
  if (recording()) __atomic_store_n(turn, 0, __ATOMIC_RELEASE);
}

/* Past the wrapped calls of this library. */
static void append(struct record_head head, const char* path, const char* to, const void* data) {
  const int kept = errno;
  head.path_bytes = (uint32_t)strlen(path);
  head.to_bytes = (uint32_t)strlen(to);
  const struct iovec parts[] = {{&head, sizeof head},
                                {(void*)(uintptr_t)path, head.path_bytes},
                                {(void*)(uintptr_t)to, head.to_bytes},
                                {(void*)(uintptr_t)data, head.data_bytes}};
  const size_t bytes = sizeof head + head.path_bytes + head.to_bytes + head.data_bytes;
  if (syscall(SYS_writev, record_fd, parts, 4) != (ssize_t)bytes) _exit(99);
  errno = kept;
}

static uint64_t inode_of(int fd) {
  struct stat facts;
  return fstat(fd, &facts) == 0 ? facts.st_ino : 0;
}

/* The whole path of one that may be relative to a folder. */
static void whole_path(int folder, const char* path, char* whole) {
  char link[64];
  ssize_t length = 0;
  if (path[0] == '/') {
    snprintf(whole, PATH_MAX, "%s", path);
    return;
  }
  if (folder == AT_FDCWD) {
    if (getcwd(whole, PATH_MAX) == NULL) _exit(99);
    length = (ssize_t)strlen(whole);
  } else {
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    length = readlink(link, whole, PATH_MAX - 1);
    if (length < 0) _exit(99);
  }
  snprintf(whole + length, (size_t)(PATH_MAX - length), "/%s", path);
}

void record_write(int fd, const void* data, size_t length, off_t where) {
  const int flags = fcntl(fd, F_GETFL);
  const struct record_head head = {.kind = kRecordWrite,
                                   .durable = (flags & O_DSYNC) != 0,
                                   .inode = inode_of(fd),
                                   .offset = (uint64_t)where,
                                   .data_bytes = length};
  append(head, "", "", data);
}

void record_said(const void* data, size_t length) {
  append((struct record_head){.kind = kRecordSaid, .data_bytes = length}, "", "", data);
}

void record_size(int fd, off_t size) {
  append((struct record_head){.kind = kRecordSize, .inode = inode_of(fd), .offset = (uint64_t)size},
         "", "", "");
}

void record_sync(int fd) {
  append((struct record_head){.kind = kRecordSync, .inode = inode_of(fd)}, "", "", "");
}

void record_made(enum record_kind kind, int folder, const char* path) {
  char whole[PATH_MAX];
  struct stat facts;
  whole_path(folder, path, whole);
  if (lstat(whole, &facts) != 0) _exit(99);
  append((struct record_head){.kind = (uint32_t)kind, .inode = facts.st_ino}, whole, "", "");
}

void record_renamed(enum record_kind kind, int folder, const char* path, int to_folder,
                    const char* to) {
  char whole[PATH_MAX];
  char whole_to[PATH_MAX];
  whole_path(folder, path, whole);
  whole_path(to_folder, to, whole_to);
  append((struct record_head){.kind = (uint32_t)kind}, whole, whole_to, "");
}

void record_gone(int folder, const char* path) {
  char whole[PATH_MAX];
  whole_path(folder, path, whole);
  append((struct record_head){.kind = kRecordGone}, whole, "", "");
}
