#include "cli/packaging/surroundings.h"

#include <array>

namespace chirp::cli {

std::span<const Fact> exit_statuses() {
  static constexpr std::array kStatuses{
      Fact{"0", "done"},
      Fact{"1",
           "failed: I/O, damage, busy, disk full, another format version, a bad input file; for "
           "`follow check` and `feed verify`, and asked about what can't be undone: no"},
      Fact{"2", "the command line is wrong, a value included"},
      Fact{"3", "no such user or post"},
      Fact{"4",
           "refused: name or address taken, something is there already, already served, an "
           "idempotency key used for another post"},
      Fact{"5",
           "something is wrong and left so: `doctor` found what it did not repair, `backup` stands "
           "but lacks files of uploads that are missing"},
  };
  return kStatuses;
}

std::span<const Fact> environment() {
  static constexpr std::array kVariables{
      Fact{"`CHIRP_DATA`, `CHIRP_CONFIG`, `CHIRP_JSON`, `CHIRP_QUIET`, `CHIRP_VERBOSE`, "
           "`CHIRP_NO_COLOR`, `CHIRP_NO_PAGER`, `CHIRP_NO_WAIT`, `CHIRP_DATABASE_TIMEOUT`, "
           "`CHIRP_UNSAFE_DATABASE`, `CHIRP_DISK_RESERVE`",
           "the global options; the command line goes before them, they before `--config FILE`"},
      Fact{"`NO_COLOR`, `TERM=dumb`", "no colours"},
      Fact{"`CHIRP_PAGER`, else `PAGER`",
           "what shows long lists at a terminal, for a shell; `less` unless told, and none if it "
           "is empty or `cat`, or `TERM` is unset or `dumb`"},
      Fact{"`LESS`", "how `less` is to behave, besides showing colours (`-R`); `FRX` unless told"},
      Fact{"`COLUMNS`, `LINES`", "how big the terminal is, if it is not to be asked"},
      Fact{"`PATH`", "where `chirp bench --beside redis` looks for `redis-server`"},
      Fact{"`XDG_DATA_HOME`, `HOME`",
           "where the data directory is unless told; a relative `XDG_DATA_HOME` is ignored"},
      Fact{
          "`TMPDIR`",
          "where a command keeps the copies that it reads of a directory it may not write, and "
          "benchmarks their worlds; `/tmp` unless told, else `/dev/shm`. What a killed process has "
          "left there is removed by the same user's next command that makes such a folder"},
      Fact{"`CHIRP_MAPSIZE`",
           "bytes of address space for the engine's file at first, with K, M or G; 64G unless "
           "told"},
      Fact{"`CHIRP_MAPSIZE_MAX`", "what it may grow to; 1024G unless told"},
      Fact{"`CHIRP_TEST_CLOCK`",
           "a time in ISO 8601 at which the clock stands still; for examples and tests"},
  };
  return kVariables;
}

std::span<const Fact> files() {
  static constexpr std::array kFiles{
      Fact{"`~/.local/share/chirp`",
           "the data directory, unless `--data`, `CHIRP_DATA` or `XDG_DATA_HOME` says another; "
           "nothing in it is for other programs"},
      Fact{"`/var/lib/chirp/data`", "the data directory of the service"},
      Fact{"`chirp.service`",
           "the service, for systemd, in `lib/systemd/system` below where chirp is installed"},
      Fact{"`share/doc/chirp`", "README.md, CHANGELOG.md and the documents, there too"},
  };
  return kFiles;
}

}  // namespace chirp::cli
