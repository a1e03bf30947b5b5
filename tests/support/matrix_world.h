// A few users and their content, and what one of them finds on each surface, as a line of names.
//
// Vera follows Ada and Rolf; Ada follows Vera, and Rolf follows Ada. Ada has written P (public, to
// Vera), F (for followers, to Walt) and S (private); Rolf has written Q and reposted P as RP; Vera
// has written M, which Ada has reposted as RM. Ada and Rolf like M; CA (Ada's) and CR (Rolf's) are
// under M, CQ (Ada's) under Q, CP (Rolf's) under P, CF (Rolf's) under F. Walt follows no one.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/engine.h"
#include "tests/support/fake_clock.h"
#include "tests/support/world_stores.h"

namespace chirp::test {

enum class Surface : std::uint8_t {
  kFeed,           // originals with reposters, newest first; the same under each policy
  kPermalink,      // found by id
  kLists,          // posts and reposts of Ada, of Rolf, of Vera
  kComments,       // under M, Q, P and F
  kCounts,         // of M: likes, comments, reposts; of users: posts, followers, followees
  kNotifications,  // kind and actor, newest first
  kLog,            // topics of the events of the last change
};
inline constexpr std::size_t kSurfaces = 7;

enum class Turn : std::uint8_t {
  kUnfollow,    // Vera unfollows Ada
  kBlock,       // Vera blocks Ada
  kBlocked,     // Ada blocks Vera
  kMute,        // Vera mutes Ada
  kQuarrel,     // Ada blocks Rolf, and Vera reads
  kPrivacy,     // Walt follows Ada: posts for followers become visible to him, also old ones
  kRemovePost,  // P
  kRemoveUser,  // Ada
  kSuspend,     // Ada
};
inline constexpr std::size_t kTurns = 9;

class MatrixWorld {
 public:
  explicit MatrixWorld(const WorldKind& kind);

  void make(Turn change);
  // Does nothing for a permanent change.
  void undo(Turn change);
  // Runs the consumers, and finishes removals.
  void catch_up();

  // What the viewer finds: Walt for kPrivacy, else Vera.
  [[nodiscard]] std::string read(Surface surface, Turn change) const;

 private:
  void publish(const std::string& name, const std::string& author, Privacy privacy,
               const std::string& text);
  void comment(const std::string& name, const std::string& author, const std::string& post);
  void note(const std::string& name, std::uint64_t id);
  [[nodiscard]] PostId post(const std::string& name) const { return PostId{ids_.at(name)}; }
  [[nodiscard]] User user(std::string_view name) const { return engine_.accounts().resolve(name); }
  [[nodiscard]] std::vector<User> users(const std::vector<std::string>& names) const {
    return engine_.accounts().resolve_all(names);
  }

  [[nodiscard]] std::string feed(const std::string& viewer) const;
  [[nodiscard]] std::string permalinks(const std::string& viewer) const;
  [[nodiscard]] std::string list(const std::string& viewer, const std::string& author) const;
  [[nodiscard]] std::string thread(const std::string& viewer, const std::string& post) const;
  [[nodiscard]] std::string counts() const;
  [[nodiscard]] std::string counters_of(const std::string& name) const;
  [[nodiscard]] std::string notifications(const std::string& viewer) const;
  [[nodiscard]] std::string log() const;

  FakeClock clock_;
  std::unique_ptr<WorldStores> stores_;
  std::unique_ptr<PasswordHasher> hasher_;
  mutable Engine engine_;
  std::map<std::string, UserNumber> users_;
  std::map<std::string, std::uint64_t> ids_;
  std::map<std::uint64_t, std::string> names_;
  Sequence log_end_{1};  // before the last change
};

}  // namespace chirp::test
