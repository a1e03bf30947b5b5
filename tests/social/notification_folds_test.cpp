// Goal: notifications that are folded into one line are those of the list, each in one line of a
// page, with all actors.
// Method: many things happen to two posts and a comment in a random order; pages of every size are
// folded again from the plain list by the definition, cursor after cursor.
#include "core/social/notification_folds.h"

#include <algorithm>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/rules/writing.h"
#include "tests/support/seeds.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

using social::FoldedPage;
using social::NotificationKind;
using social::NotificationQuery;
using social::NotificationView;

std::vector<NotificationView> all_of(const Snapshot& snapshot, NotificationQuery query) {
  std::vector<NotificationView> list;
  query.limit = limits::kPostPageMax;
  for (;;) {
    auto page = notifications_in(snapshot, query);
    list.insert(list.end(), page.notifications.begin(), page.notifications.end());
    if (!page.next_cursor) return list;
    query.before = events::sequence_in(*page.next_cursor);
  }
}

// Notifications of one line have the same key.
auto key_of(const NotificationView& view) {
  const bool alone = view.kind == NotificationKind::kComment ||
                     view.kind == NotificationKind::kReply ||
                     view.kind == NotificationKind::kMention;
  const std::uint64_t comment = view.kind == NotificationKind::kLike ? view.comment.value : 0;
  return std::tuple(view.kind, view.post.value, alone ? view.id.value : comment);
}

std::string line(const NotificationView& newest, const std::vector<std::string>& who, bool unread) {
  return fmt::format("{} {} {}: {}\n", unread ? '*' : ' ', newest.id.value, name(newest.kind),
                     fmt::join(who, " "));
}

// The lines of a page out of the list from `at` on; moves it behind the entries folded into them.
std::string expected_page(const std::vector<NotificationView>& list, std::size_t& at,
                          std::size_t limit) {
  std::vector<std::vector<NotificationView>> groups;
  for (; at < list.size(); ++at) {
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& views) {
      return key_of(views.front()) == key_of(list[at]);
    });
    if (group != groups.end()) {
      group->push_back(list[at]);
    } else if (groups.size() < limit) {
      groups.push_back({list[at]});
    } else {
      break;
    }
  }
  std::string text;
  for (const auto& views : groups) {
    std::vector<std::string> who;
    bool unread = false;
    for (const NotificationView& view : views) {
      unread = unread || view.state == social::ReadState::kUnread;
      const auto known = std::find(who.begin(), who.end(), view.actor.username);
      if (known == who.end()) who.push_back(view.actor.username);
    }
    text += line(views.front(), who, unread);
  }
  return text;
}

std::string words(const FoldedPage& page) {
  std::string text;
  for (const auto& fold : page.folds) {
    std::vector<std::string> who;
    for (const AuthorCard& actor : fold.actors) who.push_back(actor.username);
    text += line(fold.newest, who, fold.state == social::ReadState::kUnread);
  }
  return text;
}

void check_pages(const Snapshot& snapshot, NotificationQuery query) {
  const auto list = all_of(snapshot, query);
  std::size_t at = 0;
  for (;;) {
    const FoldedPage page = folded_notifications(snapshot, query);
    CHECK(words(page) == expected_page(list, at, query.limit));
    CHECK(page.unread == notifications_in(snapshot, query).unread);
    REQUIRE(page.next_cursor.has_value() == (at < list.size()));
    if (!page.next_cursor) return;
    REQUIRE(*page.next_cursor == list[at - 1].public_id);
    query.before = events::sequence_in(*page.next_cursor);
  }
}

}  // namespace

TEST_CASE("notification folds: every page is the list, folded") {
  std::mt19937_64 random(first_seed());
  for_each_store([&](Subject& s) {
    const auto users = s.users(8);
    const std::vector<PostId> posts{s.post(users[0]), s.post(users[0])};
    const CommentId comment = s.apply(AddComment{users[0], posts[0], "c"}).comment;
    for (int i = 0; i < 60; ++i) {
      const UserNumber who = users[1 + random() % 7];
      const PostId post = posts[random() % 2];
      switch (random() % 5) {
        case 0:
          s.apply(Follow{who, users[0]});
          break;
        case 1:
          s.apply(React{who, post, static_cast<ReactionType>(1 + random() % 5)});
          break;
        case 2:
          s.apply(LikeComment{who, comment});
          break;
        case 3:
          s.apply(Repost{who, post});
          break;
        default:
          s.apply(AddComment{who, post, "text", random() % 2 == 0 ? comment : kNoComment});
      }
      if (i == 30) (void)rules::mark_notified(s.storage(), users[0], s.log_end());
    }
    for (const std::uint32_t limit : {1U, 2U, 3U, 5U, 100U}) {
      for (const social::WhichNotifications wanted :
           {social::WhichNotifications::kAll, social::WhichNotifications::kUnread}) {
        CAPTURE(limit);
        NotificationQuery query;
        query.user = users[0];
        query.limit = limit;
        query.wanted = wanted;
        check_pages(*s.see(), query);
      }
    }
    CHECK_THROWS_AS((void)social::folded_notifications(*s.see(), {users[0], {}, 0}), Error);
  });
}

TEST_CASE("notification folds: one line of a thousand people is one page, and more are the next") {
  for_each_store([](Subject& s) {
    constexpr std::size_t kMore = 3;
    const auto users =
        s.users(static_cast<std::uint32_t>(limits::kNotificationsFolded + kMore + 1));
    const PostId post = s.post(users[0]);
    std::vector<Change> likes;
    for (std::size_t i = 1; i < users.size(); ++i) {
      likes.emplace_back(React{users[i], post, ReactionType::kLike});
    }
    (void)s.storage().write(likes, s.now);
    NotificationQuery query;
    query.user = users[0];
    const FoldedPage first = folded_notifications(*s.see(), query);
    REQUIRE(first.folds.size() == 1);
    CHECK(first.folds.front().actors.size() == limits::kNotificationsFolded);
    REQUIRE(first.next_cursor);
    query.before = events::sequence_in(*first.next_cursor);
    const FoldedPage second = folded_notifications(*s.see(), query);
    REQUIRE(second.folds.size() == 1);
    CHECK(second.folds.front().actors.size() == kMore);
    CHECK_FALSE(second.next_cursor);
  });
}

}  // namespace chirp::test
