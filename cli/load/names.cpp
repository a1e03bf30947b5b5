#include "cli/load/names.h"

#include <filesystem>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "cli/input/posts.h"
#include "core/model/names.h"
#include "core/ports/reads.h"

namespace chirp::cli {
namespace {

// Names held against the store at once.
constexpr std::size_t kAskRows = 4'096;

}  // namespace

void NamesFile::read(const std::function<void(load::SourceUser&&)>& say) {
  if (file_.empty()) return;
  input::BadLines told(std::numeric_limits<std::uint64_t>::max(), [](const std::string&) {});
  input::BadLines& bad = std::exchange(read_before_, true) ? told : session_.bad();
  session_.each_member_of(file_, [&](const input::Source& source, input::TextBuffer& buffer) {
    input::read_names(buffer, source.name(), bad, say, {words_, input::IdKind::kWords});
  });
}

void NamesFile::account(const Storage& storage) {
  if (file_.empty()) return;
  std::error_code unknown;
  if (file_ == "-" || !std::filesystem::is_regular_file(file_, unknown)) {
    session_.warn(fmt::format(
        "{}: a pipe can't be read once more, so it is not told which of its names are not used",
        file_ == "-" ? "stdin" : printable(file_)));
    return;
  }
  std::vector<load::SourceUser> some;
  read([&](load::SourceUser&& user) {
    if (user.username.empty()) return;
    some.push_back(std::move(user));
    if (some.size() == kAskRows) account_some(storage, std::exchange(some, {}));
  });
  account_some(storage, std::move(some));
}

void NamesFile::note(const load::SourceUser& user) {
  if (user.username.empty() || is_username(user.username)) return;
  session_.count("namesInvalid",
                 fmt::format("{}: {} of {}: no username, which has 1 to 15 of A-Z a-z 0-9 _", file_,
                             printable(user.username), user.id.value));
}

void NamesFile::note_without_user(std::uint64_t names) {
  if (names > 0) session_.count("namesWithoutUser", {}, names);
}

void NamesFile::account_some(const Storage& storage, std::vector<load::SourceUser> users) {
  const auto snapshot = storage.snapshot();
  std::vector<SourceKey> ids;
  for (const load::SourceUser& user : users) {
    ids.push_back(words_ == nullptr ? SourceKey(user.id) : words_->key_of(user.id));
  }
  const auto numbers = reads::numbers_of(*snapshot, std::span<const SourceKey>(ids));
  std::vector<UserNumber> known;
  for (const auto& number : numbers) known.push_back(number.value_or(kNobody));
  const auto cards = reads::cards(*snapshot, known);
  for (std::size_t i = 0; i < users.size(); ++i) {
    const std::string& name = users[i].username;
    const std::string said =
        fmt::format("{}: {} of {}", file_, printable(name), printable(text_of(ids[i])));
    if (!numbers[i] || !cards[i]) {
      session_.count("namesWithoutUser", fmt::format("{}: there is no such user", said));
    } else if (!is_username(name)) {
      session_.count("namesInvalid",
                     fmt::format("{}: no username, which has 1 to 15 of A-Z a-z 0-9 _; it is {}",
                                 said, cards[i]->username));
    } else if (folded(name) != folded(cards[i]->username)) {
      session_.count("namesTaken",
                     fmt::format("{}: taken, or the user had another before; it is {}", said,
                                 cards[i]->username));
    }
  }
}

}  // namespace chirp::cli
