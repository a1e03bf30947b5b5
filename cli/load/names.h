// A file with the names of a load's users. At the end it reports the names that no user has.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "cli/load/session.h"
#include "core/load/source.h"
#include "core/load/words.h"
#include "core/ports/storage.h"

namespace chirp::cli {

class NamesFile {
 public:
  // `file` may be empty.
  NamesFile(LoadSession& session, std::string file);

  // Its ids may be words, which get numbers in `words`.
  void use(load::Words& words) { words_ = &words; }

  // Reads the whole file. A second call does not report bad lines again.
  void read(const std::function<void(load::SourceUser&&)>& say);
  // After the load: counts the unused names by reason, and lists them with --verbose. For a pipe
  // with more names than fit into 32 MiB, the later ones are not counted, and a note says so.
  void account(const Storage& storage);

 private:
  void keep(const load::SourceUser& user);
  void account_some(const Storage& storage, std::vector<load::SourceUser> users);

  LoadSession& session_;
  std::string file_;
  std::string called_;  // in messages
  bool piped_;          // it can't be read again, so what it says is kept
  std::vector<load::SourceUser> kept_;
  std::size_t kept_bytes_ = 0;
  bool all_kept_ = true;
  load::Words* words_ = nullptr;
  bool read_before_ = false;
};

}  // namespace chirp::cli
