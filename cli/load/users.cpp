// `chirp load users`: profiles from tables and JSON.
#include <algorithm>
#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/app.h"
#include "cli/commands.h"
#include "cli/input/notations.h"
#include "cli/input/posts.h"
#include "cli/load/protected_authors.h"
#include "cli/load/session.h"
#include "core/error.h"
#include "core/load/post_loader.h"
#include "core/model/names.h"

namespace chirp::cli {
namespace {

// Users that are stored together.
constexpr std::size_t kBatch = 8'192;

struct UserOptions {
  LoadInput input;
  std::string ids = "auto";
};

class UserLoad final : private LoadSession::Load {
 public:
  UserLoad(Context& context, const UserOptions& options)
      : kind_(parse_id_kind(options.ids)), session_(context, "users", options.input) {
    Engine& engine = session_.engine();
    loader_.emplace(engine.storage(), engine.directory(), context.clock(), session_.pause());
  }

  void run() {
    session_.run(*this);
    if (read_ > 0) return;
    throw Error(ErrorCode::kBadInput, "There are no users in it.");
  }

 private:
  void work() override {
    const input::PostSink sink{
        .post = [this](load::SourcePost&& /*post*/,
                       const input::InputPlace& place) -> std::optional<std::string> {
          session_.count("posts", fmt::format("{}:{}", place.name, place.line));
          return std::nullopt;
        },
        .user = [this](load::SourceUser&& user) { take(std::move(user)); },
        .ids = {&loader_->words(), kind_},
        .understood = session_.tell_understood()};
    input::PostReader reader(input::PostFormat::kAuto, session_.bad(), sink);
    session_.each_member([&](const input::InputSource& source, input::TextBuffer& buffer) {
      const bool is_json = begins_json(buffer);
      if (!is_json && source.is_one_of_many() && !input::may_be_names(buffer)) {
        session_.leave_out(source.name(), "it has no header with an id and a name");
      } else if (is_json) {
        const auto result = reader.read(
            buffer, source.name(),
            source.is_one_of_many() ? input::Unknown::kSkipped : input::Unknown::kRefused);
        if (result.skipped) session_.leave_out(source.name(), result.why);
      } else {
        input::read_names(buffer, source.name(), session_.bad(),
                          [this](load::SourceUser&& user) { take(std::move(user)); },
                          {&loader_->words(), input::IdKind::kWords});
      }
    });
  }

  static bool begins_json(input::TextBuffer& buffer) {
    const std::string_view head = input::trimmed(buffer.unread());
    return head.starts_with('{') || head.starts_with('[');
  }

  void take(load::SourceUser&& user) {
    ++read_;
    count_protected(session_, user);
    users_.push_back(std::move(user));
    if (users_.size() >= kBatch) store();
    session_.read(1);
  }

  void store() {
    const std::size_t count = users_.size();
    loader_->bring(std::exchange(users_, {}));
    stored_ += count;
  }

  void abandon() override { users_.clear(); }

  void finish() override {
    store();
    loader_->finish();
  }

  // Counts users as stored.
  [[nodiscard]] load::Counts counts() const override {
    load::Counts all = loader_->counts();
    all.stored = all.users_added;
    return all;
  }

  [[nodiscard]] std::uint64_t settled(const load::Counts& /*counts*/) const override {
    return stored_;
  }

  [[nodiscard]] Skipped skipped(const load::Counts& counts) const override {
    const std::uint64_t stored = stored_;
    return {{"duplicates", stored - std::min(stored, counts.users_added)}};
  }

  input::IdKind kind_;
  LoadSession session_;
  std::optional<load::PostLoader> loader_;
  std::vector<load::SourceUser> users_;  // not stored yet
  std::uint64_t read_ = 0;
  std::atomic<std::uint64_t> stored_{0};  // users created, or existing before
};

void run_users(Context& context, const UserOptions& options) { UserLoad(context, options).run(); }

}  // namespace

void add_load_users(CommandLine& app) {
  auto [verb, options] = app.verb<UserOptions>(
      load_noun(app),
      {"users",
       "Load profiles: tables of users, user objects of Twitter, accounts of Mastodon; packed or "
       "not.",
       "chirp load users people.csv\n"
       "chirp load users users.jsonl.gz"},
      run_users);
  add_input(verb, options.input);
  add_ids(verb, options.ids);
}

}  // namespace chirp::cli
