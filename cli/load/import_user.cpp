#include "cli/load/import_user.h"

#include <cstdint>

#include "cli/load/import_media.h"
#include "core/model/chosen_names.h"
#include "core/model/names.h"
#include "core/rules/row_problems.h"

namespace chirp::cli {
User user_of(const Row& row) {
  User user;
  user.id = UserId{row.id("userId")};
  user.username = row.text("username");
  check_username(user.username);
  user.display_name = without_turns(row.text("displayName"));
  if (user.display_name.empty()) user.display_name = user.username;
  if (checked_display_name(user.display_name) != user.display_name) {
    throw BadRow{"\"displayName\" is not normalised"};
  }
  user.bio = without_turns(row.text("bio"));
  if (checked_bio(user.bio) != user.bio) throw BadRow{"\"bio\" is not normalised"};
  user.created_at = row.time("createdAt");
  if (row.has("email")) {
    user.email = row.text("email");
    check_email(*user.email);
  }
  if (row.has("profileImageUrl")) {
    user.picture = ImportMedia::upload_at(row.text("profileImageUrl"));
    if (user.picture == MediaId{}) throw BadRow{"\"profileImageUrl\" is no upload"};
  }
  user.source = row.source();
  user.name_origin = row.flag("nameGenerated") ? NameOrigin::kGenerated : NameOrigin::kOwn;
  user.suspended = row.flag("suspended");
  if (row.has("oldName")) {
    user.old_name = OldName{row.text("oldName"), row.time("oldNameUntil")};
    check_username(user.old_name->username);
  }
  return user;
}

ReadingMarks marks_of(const Row& row) {
  ReadingMarks marks;
  if (row.has("readTo")) marks.feed = PostId{row.id("readTo")};
  if (row.has("notificationsReadTo")) marks.notified = Sequence{row.id("notificationsReadTo")};
  if (marks.notified > rules::kEventsMax) throw BadRow{"\"notificationsReadTo\" is too high"};
  return marks;
}

}  // namespace chirp::cli
