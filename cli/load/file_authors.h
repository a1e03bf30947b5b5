// Authors who are called what their file is called.
#pragma once

#include <map>
#include <set>
#include <string>

#include "cli/load/session.h"

namespace chirp::cli {

// A name that can't be a username is made one: what may not stand in it becomes `_`, and it is cut;
// names that then are the same are numbered. Each is told.
class FileAuthors {
 public:
  explicit FileAuthors(LoadSession& session) : session_(session) {}

  // Of the file with this name, without its ending. Throws Error{kInvalidArgument} for none.
  [[nodiscard]] std::string username_of(const std::string& stem);

 private:
  [[nodiscard]] std::string made_of(const std::string& stem) const;

  LoadSession& session_;
  std::map<std::string, std::string> known_;  // by the file's name
  std::set<std::string> taken_;               // in lower case
};

}  // namespace chirp::cli
