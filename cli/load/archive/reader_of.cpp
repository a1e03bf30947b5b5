#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "cli/load/archive/account_archive.h"
#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli::archive {
namespace {

// Files that every archive of a kind has once.
constexpr std::string_view kActor = "actor.json";
constexpr std::array<std::string_view, 3> kOneEach{"data/account.js", "data/js/user_details.js",
                                                   kActor};

// The accounts in an archive, by their file names; other archives may be inside of it.
std::vector<std::string> accounts_in(const Tree& tree) {
  std::vector<std::string> accounts;
  for (const std::string& path : tree.paths()) {
    for (const std::string_view file : kOneEach) {
      if (!path.ends_with(file)) continue;
      const std::string folder = path.substr(0, path.size() - file.size());
      if (!folder.empty() && !folder.ends_with('/')) continue;
      if (file != kActor || tree.has(folder + "outbox.json")) accounts.push_back(path);
    }
  }
  return accounts;
}

std::string files_in(const Tree& tree) {
  constexpr std::size_t kMost = 3;
  if (tree.paths().empty()) return "no files";
  std::string names;
  for (std::size_t i = 0; i < std::min(kMost, tree.paths().size()); ++i) {
    names += fmt::format("{}{}", i == 0 ? "" : ", ", printable(tree.paths()[i], 100));
  }
  return tree.paths().size() > kMost ? names + ", …" : names;
}

}  // namespace

std::unique_ptr<Reader> reader_of(const Tree& tree) {
  if (const auto accounts = accounts_in(tree); accounts.size() > 1) {
    throw Error(
        ErrorCode::kBadInput,
        fmt::format("{} has more than one archive in it, with {} and {}: load each by itself, "
                    "from a folder of its own",
                    tree.name(), printable(accounts[0], 300), printable(accounts[1], 300)));
  }
  if (const auto base = tree.root_of("actor.json"); base && base->ends_with("activity-pub/")) {
    throw Error(ErrorCode::kBadInput,
                fmt::format("{} is an export of PeerTube. Its videos are not posts, so nothing of "
                            "it is loaded. To show them here, load a table with id, author, text "
                            "and createdAt, and put each video's address into the text",
                            tree.name()));
  }
  for (auto* const reader : {&twitter_reader, &grailbird_reader, &mastodon_reader}) {
    if (auto found = reader(tree)) return found;
  }
  throw Error(ErrorCode::kBadInput,
              fmt::format("{} is no archive of an account that is known: there is neither a "
                          "data/account.js (Twitter), nor a data/js/user_details.js or tweets.csv "
                          "(Twitter before 2019), nor an actor.json beside an outbox.json "
                          "(Mastodon) in it. It has {}",
                          tree.name(), files_in(tree)));
}

}  // namespace chirp::cli::archive
