// Posts and boosts of a Mastodon account, from the activities of its outbox.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "cli/input/json_values.h"
#include "cli/load/archive/account_archive.h"
#include "cli/load/archive/tree.h"

namespace chirp::cli::archive {

// The account, as its archive calls it.
struct Actor {
  std::string id;         // an address
  std::string followers;  // the address of the list of followers
  std::string host;       // the account's server
};

class Activities {
 public:
  // `base` is the archive's folder in the tree. All that is given outlives this.
  Activities(const Tree& tree, std::string_view base, const Actor& actor, const Sink& sink);
  ~Activities();

  // Hands on what the activity is, or counts it. `file` is for messages.
  void take(const input::JsonPiece& piece, const std::string& file);

 private:
  struct Parser;

  const Actor& actor_;
  const Sink& sink_;
  std::unordered_map<std::string, std::string> files_;  // paths by how attachments name them
  std::unique_ptr<Parser> parser_;
};

}  // namespace chirp::cli::archive
