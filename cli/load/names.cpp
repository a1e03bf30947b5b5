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

// Names compared with the store at once.
constexpr std::size_t kAskRows = 4'096;
// Bytes of names that are kept from a pipe, because a load's memory is bounded.
constexpr std::size_t kKeptBytes = std::size_t{32} << 20;

bool is_pipe(const std::string& file) {
  std::error_code unknown;
  return file == "-" || (!file.empty() && !std::filesystem::is_regular_file(file, unknown));
}

std::size_t bytes_of(const load::SourceUser& user) {
  return sizeof user + user.username.size() + user.display_name.size() + user.bio.size();
}

}  // namespace

NamesFile::NamesFile(LoadSession& session, std::string file)
    : session_(session),
      file_(std::move(file)),
      called_(file_ == "-" ? "stdin" : file_),
      piped_(is_pipe(file_)) {}

void NamesFile::read(const std::function<void(load::SourceUser&&)>& say) {
  if (file_.empty()) return;
  const bool again = std::exchange(read_before_, true);
  if (again && piped_) {
    for (load::SourceUser user : kept_) say(std::move(user));
    return;
  }
  input::BadLines told(std::numeric_limits<std::uint64_t>::max(), [](const std::string&) {});
  const auto take = [&](load::SourceUser&& user) {
    if (piped_) keep(user);
    say(std::move(user));
  };
  session_.each_member_of(file_, [&](const input::InputSource& source, input::TextBuffer& buffer) {
    input::read_names(buffer, source.name(), again ? told : session_.bad(), take,
                      {words_, input::IdKind::kWords});
  });
}

void NamesFile::keep(const load::SourceUser& user) {
  all_kept_ = all_kept_ && kept_bytes_ + bytes_of(user) <= kKeptBytes;
  if (!all_kept_) return;
  kept_bytes_ += bytes_of(user);
  kept_.push_back(user);
}

void NamesFile::account(const Storage& storage) {
  if (file_.empty()) return;
  if (!all_kept_) {
    session_.warn(
        fmt::format("{}: a pipe can't be read twice, so names after the first {} are not checked "
                    "for use",
                    printable(called_), kept_.size()));
  }
  std::vector<load::SourceUser> some;
  read([&](load::SourceUser&& user) {
    if (user.username.empty()) return;
    some.push_back(std::move(user));
    if (some.size() == kAskRows) account_some(storage, std::exchange(some, {}));
  });
  account_some(storage, std::move(some));
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
        fmt::format("{}: {} of {}", called_, printable(name), printable(text_of(ids[i])));
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
