#include <fmt/format.h>

#include "cli/load/archive/account_archive.h"
#include "core/error.h"

namespace chirp::cli::archive {

std::unique_ptr<Reader> reader_of(const Tree& tree) {
  for (auto* const reader : {&twitter_reader, &grailbird_reader, &mastodon_reader}) {
    if (auto found = reader(tree)) return found;
  }
  throw Error(ErrorCode::kBadInput,
              fmt::format("{} is no archive of an account that is known: there is neither a "
                          "data/account.js (Twitter), nor a data/js/user_details.js or tweets.csv "
                          "(Twitter before 2019), nor an actor.json beside an outbox.json "
                          "(Mastodon) in it",
                          tree.name()));
}

}  // namespace chirp::cli::archive
