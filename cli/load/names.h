// A file of names that goes along with a load: what it calls users, and afterwards which of its
// names nobody bears.
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
  // `file` is empty if there is none.
  NamesFile(LoadSession& session, std::string file);

  // Its ids may be words, which stand for themselves in `words`.
  void use(load::Words& words) { words_ = &words; }

  // Reads all of it, which may be asked for again: then bad lines are not told once more.
  void read(const std::function<void(load::SourceUser&&)>& say);
  // When all is stored: counts the names that are not used, by why, and lists them with --verbose.
  // Of a pipe with more names than are kept (32 MiB) those behind are left out, which is said.
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
