#include "cli/load/protected_authors.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "cli/arguments.h"
#include "core/model/names.h"
#include "core/model/nearest.h"

namespace chirp::cli {
namespace {

SourceId name_hash(const std::string& folded_name) {
  return {std::hash<std::string>()(folded_name)};
}

}  // namespace

std::optional<std::string> ProtectedAuthors::note(const load::SourceUser& user) {
  return user.is_protected ? note(user.id, user.username) : std::nullopt;
}

std::optional<std::string> ProtectedAuthors::note(std::optional<SourceId> id,
                                                  const std::string& username) {
  const std::string name = folded(username);
  if (!id && name.empty()) return std::nullopt;
  const bool is_new_name = !name.empty() && names_.insert(name).second;
  const bool is_new = id ? ids_.insert(id->value).second : is_new_name;
  const bool is_shown =
      all_shown_ || (id && shown_.find(*id)) || (!name.empty() && shown_.find(name_hash(name)));
  if (!is_new || !is_shown) return std::nullopt;
  return fmt::format(
      "the user {} shows posts to followers only, but public posts of this user came before; put "
      "rows of users first, or load with --privacy followers",
      printable(username.empty() ? fmt::to_string(id->value) : username));
}

void ProtectedAuthors::narrow(load::SourcePost& post) {
  narrow_one(post);
  for (load::SourcePost& inside : post.original) narrow_one(inside);
}

void ProtectedAuthors::narrow_one(load::SourcePost& post) {
  if (post.privacy != Privacy::kPublic) return;
  const bool by_id = post.author_id.has_value();
  const std::string name =
      names_.empty() && by_id ? std::string() : folded(post.username);  // skipped when not needed
  const bool is_protected =
      (by_id && ids_.contains(post.author_id->value)) || (!name.empty() && names_.contains(name));
  if (is_protected) {
    post.privacy = Privacy::kFollowers;
    return;
  }
  if (all_shown_) return;
  if (by_id || !name.empty()) (void)shown_.slot_of(by_id ? *post.author_id : name_hash(name));
  all_shown_ = !shown_.has_room(1);
}

void count_protected(LoadSession& session, const load::SourceUser& user) {
  if (!user.is_protected) return;
  session.remark("protectedUsers",
                 fmt::format("{} shows posts to followers only: load their posts with this file as "
                             "--names, or with --privacy followers",
                             printable(user.username)));
}

void add_privacy(Command& verb, std::string& privacy) {
  verb.add_option("--privacy", privacy,
                  "Who sees the posts at most; posts for fewer people stay as they are")
      ->option_text("public|followers|private");
}

Privacy parse_widest(const std::string& privacy) {
  if (const auto level = privacy_named(privacy)) return *level;
  throw no_such_choice("--privacy", {"public", "followers", "private"}, privacy);
}

void narrow(load::SourcePost& post, Privacy widest) {
  post.privacy = std::max(post.privacy, widest);
  for (load::SourcePost& inside : post.original) narrow(inside, widest);
}

}  // namespace chirp::cli
