// Posts and boosts of a Mastodon account, from the activities of its outbox.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "cli/input/json_audience.h"
#include "cli/input/json_values.h"
#include "cli/load/archive/account_archive.h"
#include "cli/load/archive/tree.h"

namespace chirp::cli::archive {

// The account, as described in its archive.
struct Actor {
  std::string id;         // an address
  std::string followers;  // the address of the list of followers
  std::string host;       // the account's server
};

class Activities {
 public:
  // `base` is the archive's folder in the tree. The arguments must outlive this.
  Activities(const Tree& tree, std::string_view base, const Actor& actor, const Sink& sink);
  ~Activities();

  // Passes on the content of the activity, or counts it. `file` is for messages.
  void take(const input::JsonPiece& piece, const std::string& file);

 private:
  struct Parser;

  const Actor& actor_;
  const Sink& sink_;
  std::unordered_map<std::string, std::string> files_;  // paths by their names in attachments
  std::unique_ptr<Parser> parser_;
};

}  // namespace chirp::cli::archive
