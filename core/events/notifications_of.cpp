#include "core/events/notifications_of.h"

#include <map>

#include "core/ports/reads.h"

namespace chirp::events {
namespace {

bool is_reply(const Event& event) {
  return event.topic == Topic::kCommentCreated && event.parent != kNoComment;
}

}  // namespace

std::vector<Notification> notifications_of(const RowReader& snapshot,
                                           std::span<const Event> events) {
  std::vector<CommentId> parents;
  for (const Event& event : events) {
    if (is_reply(event)) parents.push_back(event.parent);
  }
  std::map<CommentId, UserNumber> authors;
  for (const auto& parent : reads::comments(snapshot, parents)) {
    if (parent) authors.emplace(parent->id, parent->author);
  }
  std::vector<Notification> result;
  for (const Event& event : events) {
    const auto found = is_reply(event) ? authors.find(event.parent) : authors.end();
    const UserNumber parent_author = found == authors.end() ? kNobody : found->second;
    for (Notification& one : notifications_of(event, parent_author)) result.push_back(one);
  }
  return result;
}

}  // namespace chirp::events
