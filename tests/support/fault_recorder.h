// Records a process's file operations (tests/support/fault_record.h).
#pragma once

#include <sys/types.h>

#include "tests/support/fault_record.h"

// Opens the file in CHIRP_FAULT_RECORD for appending; `lock` is memory shared by all processes.
void recorder_start(_Atomic uint64_t* lock);
int recording(void);
// Called around a call and its record, so that records are in the order of the calls.
void recorder_enter(void);
void recorder_leave(void);

// All of these preserve errno.
void record_write(int fd, const void* data, size_t length, off_t where);
void record_said(const void* data, size_t length);
void record_size(int fd, off_t size);
void record_sync(int fd);
void record_made(enum record_kind kind, int folder, const char* path);
void record_renamed(enum record_kind kind, int folder, const char* path, int to_folder,
                    const char* to);
void record_gone(int folder, const char* path);
