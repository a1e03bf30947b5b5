// The injector's record of a process's file operations, from which disk states after a power loss
// are made (tests/support/disk_states.h reads it).
//
// A record is this head, then `path_bytes` of a path, `to_bytes` of another one, and `data_bytes`
// of written data. All processes append to one file, in the order in which their calls took effect.
#pragma once

#include <stdint.h>

enum record_kind {
  kRecordWrite = 1,   // inode, offset, data
  kRecordSize = 2,    // inode; the offset is the new size
  kRecordSync = 3,    // inode, of a file or folder
  kRecordFile = 4,    // made: path, inode
  kRecordFolder = 5,  // made: path, inode
  kRecordName = 6,    // renamed: path, to
  kRecordGone = 7,    // removed: path
  kRecordSwap = 8,    // exchanged: path, to
  kRecordSaid = 9,    // written to standard output: data
  kRecordLink = 10,   // a second link: path, to
};

struct record_head {
  uint32_t kind;
  uint32_t durable;  // 1: written through an O_SYNC or O_DSYNC descriptor
  uint64_t inode;
  uint64_t offset;
  uint32_t path_bytes;
  uint32_t to_bytes;
  uint64_t data_bytes;
};
