#include "cli/social/losses.h"

#include <fmt/format.h>

#include "cli/rehearsal.h"
#include "core/error.h"
#include "core/ports/reads.h"

namespace chirp::cli {
namespace {

constexpr std::uint32_t kBlock = 10'000;

std::uint64_t count(std::int64_t n) { return n < 0 ? 0 : static_cast<std::uint64_t>(n); }

// Counts the rows of table T whose keys begin with the user.
template <class T>
std::uint64_t rows_by(const RowReader& snapshot, UserNumber user) {
  std::uint64_t rows = 0;
  typename T::Key after{user, {}};
  for (;;) {
    const auto block =
        snapshot.range(after, typename T::Key{user, reads::Greatest{}}, Direction::kUp, kBlock);
    for (const auto& [key, row] : block) rows += key == after ? 0u : 1u;
    if (block.size() < kBlock) return rows;
    after = block.back().first;
  }
}

}  // namespace

Loss loss_of_user(Engine& engine, const User& user) {
  const auto snapshot = engine.storage().snapshot();
  const UserCounters counters = snapshot->counters({&user.number, 1}).front();
  return {.verb = "remove",
          .what = user.username,
          .counts = {{"posts", "post", "posts",
                      rows_by<tables::AuthorLogs>(*snapshot, user.number) +
                          rows_by<tables::FollowersLogs>(*snapshot, user.number) +
                          rows_by<tables::PrivateLogs>(*snapshot, user.number)},
                     {"comments", "comment", "comments",
                      rows_by<tables::CommentsBy>(*snapshot, user.number)},
                     {"reactions", "reaction", "reactions",
                      rows_by<tables::ReactionsBy>(*snapshot, user.number)},
                     {"followers", "follower", "followers", count(counters.followers)},
                     {"following", "follow", "follows", count(counters.following)}}};
}

Loss loss_of_post(Engine& engine, PostId id) {
  const Post post = engine.posts().show(Viewer::the_operator(), id).post;
  Loss loss{.verb = "remove", .what = fmt::format("post {}", id.value), .counts = {}};
  if (post.is_repost()) return loss;
  const ContentId content = content_of(id);
  const auto counters = engine.storage().snapshot()->content_counters({&content, 1}).front();
  loss.counts = {{"comments", "comment", "comments", count(counters.comments)},
                 {"reactions", "reaction", "reactions", count(counters.reactions_in_all())},
                 {"reposts", "repost", "reposts", count(counters.reposts)}};
  return loss;
}

Loss loss_of_comment(Engine& engine, CommentId id) {
  Rehearsal rehearsal(engine.storage());
  social::Comments(rehearsal, engine.accounts(), engine.clock()).remove(Viewer::the_operator(), id);
  const ContentId content = content_of(id);
  const auto counters = engine.storage().snapshot()->content_counters({&content, 1}).front();
  return {.verb = "remove",
          .what = fmt::format("comment {}", id.value),
          .counts = {{"reactions", "like", "likes", count(counters.reactions_in_all())}}};
}

std::optional<Status> ended_or_removed(Context& context, const Consent& consent,
                                       const std::function<Loss(Engine&)>& loss,
                                       const std::function<void(Engine&)>& remove) {
  Engine& engine = consent.dry_run ? context.engine() : context.writing_engine();
  try {
    if (const auto ended = ended_before(context, consent, [&] { return loss(engine); })) {
      return ended;
    }
    remove(engine);
  } catch (const Error&) {
    context.settle();  // the consumers clean up after earlier removals
    throw;
  }
  return std::nullopt;
}

}  // namespace chirp::cli
