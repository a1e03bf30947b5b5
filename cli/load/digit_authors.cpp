#include "cli/load/digit_authors.h"

#include <array>
#include <string_view>

#include "cli/input/notations.h"
#include "core/ports/reads.h"

namespace chirp::cli {
namespace {

constexpr std::size_t kKnownMax = std::size_t{1} << 20;

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

DigitAuthors::DigitAuthors(const Storage* storage, const UserDirectory* users) : storage_(storage) {
  if (users == nullptr) return;
  for (const User& user : users->newest(1)) last_ = user.number;
}

bool DigitAuthors::is_there(SourceId id) {
  if (storage_ == nullptr || last_ == kNobody) return false;
  if (known_.size() >= kKnownMax) known_.clear();
  const auto [at, is_new] = known_.try_emplace(id.value, false);
  if (is_new) {
    const auto number = reads::numbers_of(*storage_->snapshot(), std::array{id}).front();
    at->second = number && *number <= last_;
  }
  return at->second;
}

void DigitAuthors::resolve(load::SourcePost& post) {
  for (load::SourcePost& inner : post.original) resolve(inner);
  if (post.author_id || !is_digits(post.username)) return;
  const auto id = input::parse_source_id(post.username);
  if (!id || !is_there(*id)) return;
  post.author_id = id;
  post.username.clear();  // it is no name, so it takes none from them
}

}  // namespace chirp::cli
