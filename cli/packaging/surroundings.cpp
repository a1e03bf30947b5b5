#include "cli/packaging/surroundings.h"

#include <array>

namespace chirp::cli {

std::span<const Fact> exit_statuses() {
  static constexpr std::array kStatuses{
      Fact{"0", "done"},
      Fact{"1",
           "failed: I/O, damage, busy, disk full, another format version, a bad input file; the "
           "answer no of `follow check`, `feed verify` and confirmations"},
      Fact{"2", "the command line is wrong, or one of its values"},
      Fact{"3", "no such user or post"},
      Fact{"4",
           "refused: a name or address is taken, the target exists already, the directory is "
           "already "
           "served, an idempotency key was used for another post"},
      Fact{"5",
           "something wrong remains: `doctor` found errors that it did not repair, or `backup` is "
           "complete except for files of uploads that are missing"},
  };
  return kStatuses;
}

std::span<const Fact> environment() {
  static constexpr std::array kVariables{
      Fact{
          "`CHIRP_DATA`, `CHIRP_CONFIG`, `CHIRP_JSON`, `CHIRP_QUIET`, `CHIRP_VERBOSE`, "
          "`CHIRP_NO_COLOR`, `CHIRP_NO_PAGER`, `CHIRP_NO_WAIT`, `CHIRP_DATABASE_TIMEOUT`, "
          "`CHIRP_UNSAFE_DATABASE`, `CHIRP_DISK_RESERVE`",
          "the global options; the command line overrides them, and they override `--config FILE`"},
      Fact{"`NO_COLOR`, `TERM=dumb`", "no colours"},
      Fact{"`CHIRP_PAGER`, else `PAGER`",
           "the shell command that shows long lists at a terminal (default: `less`); no pager if "
           "it is empty or `cat`, or if `TERM` is unset or `dumb`"},
      Fact{"`LESS`", "options of `less`, in addition to `-R` for colours (default: `FRX`)"},
      Fact{"`COLUMNS`, `LINES`", "the size of the terminal, instead of the real one"},
      Fact{"`PATH`", "where `chirp bench --beside redis` looks for `redis-server`"},
      Fact{"`XDG_DATA_HOME`, `HOME`",
           "where the default data directory is; a relative `XDG_DATA_HOME` is ignored"},
      Fact{"`TMPDIR`",
           "where commands copy a directory that they may not write, and benchmarks make their "
           "worlds (default: `/tmp`, else `/dev/shm`). The next command of the same user that "
           "makes such a folder removes what a killed process left there"},
      Fact{
          "`CHIRP_MAPSIZE`",
          "initial address space for the engine's file, in bytes or with K, M or G (default: 64G)"},
      Fact{"`CHIRP_MAPSIZE_MAX`", "the largest address space that it may grow to (default: 1024G)"},
      Fact{"`CHIRP_TEST_CLOCK`",
           "a fixed time in ISO 8601 that replaces the clock; for examples and tests"},
  };
  return kVariables;
}

std::span<const Fact> files() {
  static constexpr std::array kFiles{
      Fact{"`~/.local/share/chirp`",
           "the data directory, unless `--data`, `CHIRP_DATA` or `XDG_DATA_HOME` names another; "
           "other programs must not use its files"},
      Fact{"`/var/lib/chirp/data`", "the data directory of the service"},
      Fact{"`chirp.service`",
           "the systemd unit of the service, in `lib/systemd/system` below the prefix of the "
           "installation"},
      Fact{"`share/doc/chirp`", "README.md, CHANGELOG.md and the documents"},
  };
  return kFiles;
}

}  // namespace chirp::cli
