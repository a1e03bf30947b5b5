#include "tests/support/torture_table.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace chirp::test {
namespace {

using Begins = Deed::Begins;
using Left = Deed::Left;

constexpr int kMissing = 3;
constexpr int kRefused = 4;

std::vector<Deed> about_people() {
  return {
      {"user add",
       {"newcomer", "--email", "n@example.org", "--display-name", "New", "--password-stdin"},
       Left::kSteps,
       {0, kRefused},
       false,  // taken back, it comes again with another number
       false,
       "correct horse"},
      {"user edit",
       {"a1", "--display-name", "A One", "--bio", "one", "--email", "a1@example.org", "--picture",
        "./picture.png"},
       Left::kSteps},
      {"user passwd", {"a1", "--password-stdin"}, Left::kWhole, {0}, true, false, "correct horse"},
      {"user remove", {"a2"}, Left::kSteps, {0, kMissing}},
      {"user block", {"a0", "a1"}},
      {"user unblock", {"a3", "a1"}},
      {"user mute", {"a0", "a2"}},
      {"user unmute", {"a3", "a2"}},
      {"user suspend", {"a1"}, Left::kSteps},
      {"user unsuspend", {"a6"}, Left::kSteps},
      {"user rename", {"a1", "a1_now"}, Left::kSteps},
      {"user blocks", {"a3"}},
      {"user mutes", {"a3"}},
      {"user token", {"a1"}},
      {"user tokens", {"a1"}},
      {"user sessions", {"a1"}},
      {"user show", {"a1"}},
      {"user list", {"--match", "a"}},
      {"follow add", {"a0", "a4", "a5"}},
      {"follow remove", {"a0", "a1"}},
      {"follow check", {"a0", "a1"}},
      {"follow following", {"a0"}},
      {"follow followers", {"a0"}},
  };
}

std::vector<Deed> about_posts() {
  return {
      {"post add", {"a1", "hello @a2 #frost"}, Left::kWhole, {0}, false},
      {"post add",
       {"a1", "hello @a2 #frost", "--idempotency-key", "k", "--media", "./picture.png"}},
      {"post show", {"{post}"}},
      {"post list", {"a0"}},
      {"post remove", {"{post}"}, Left::kSteps, {0, kMissing}},
      {"post repost", {"a4", "{post}"}},
      {"post unrepost", {"a5", "{post}"}, Left::kSteps},
      {"post react", {"a0", "{post}", "--type", "laugh"}},
      {"post unreact", {"a1", "{post}"}},
      {"post reactions", {"{post}"}},
      {"comment add", {"a5", "{post}", "third", "--parent", "{comment}"}, Left::kWhole, {0}, false},
      {"comment remove", {"{comment}"}, Left::kSteps, {0, kMissing}},
      {"comment like", {"a2", "{comment}"}},
      {"comment unlike", {"a2", "{comment}"}},
      {"comment list", {"{post}"}},
      {"feed show", {"a0", "--explain"}},
      {"feed refresh", {"a0", "--since", "{post}"}},
      {"feed mark", {"a0", "{post}"}},
      {"feed rebuild", {"--all"}},
      {"feed verify", {"--all"}},
      {"notify list", {"a1"}},
      {"notify read", {"a1"}},
      {"trend list"},
  };
}

std::vector<Deed> about_directories() {
  return {
      {"init", {}, Left::kWhole, {0}, true, false, {}, Begins::kWithNothing},
      {"load graph", {"./edges.txt"}, Left::kPart},
      {"load posts", {"./posts.jsonl"}, Left::kPart},
      {"load posts", {"./posts.jsonl", "--bulk", "always"}, Left::kPart},
      {"load users", {"./people.csv"}, Left::kPart},
      {"load events", {"./events.txt"}, Left::kPart},
      {"load archive", {"./away", "--as", "a1"}, Left::kPart},
      {"load export",
       {"./archive"},
       Left::kPart,
       {0, 1, kRefused},
       false,
       false,
       {},
       Begins::kEmpty},
      {"load export",
       {"./archive", "--bulk", "always"},
       Left::kPart,
       {0, 1, kRefused},
       false,
       false,
       {},
       Begins::kEmpty},
      {"seed", {"--users", "30", "--follows", "60", "--posts", "40"}, Left::kPart},
      {"seed", {"--alive", "--users", "30", "--follows", "60", "--posts", "40"}, Left::kPart},
      {"export", {"./out"}, Left::kWhole, {0, kRefused}},
      {"stats"},
      {"status"},
      {"query", {"SELECT count(*) FROM posts JOIN users ON users.id = author"}},
      {"config get", {"feed.cap"}},
      {"config set", {"feed.policy", "pull"}},
      {"config set", {"tier.influencer_from", "1"}, Left::kSteps},
      {"config list"},
      {"log tail"},
      {"doctor", {}, Left::kWhole, {0}, true, true},
      {"doctor", {"--repair"}, Left::kWhole, {0}, true, true},
      {"backup", {"./out"}, Left::kWhole, {0, kRefused}},
      {"restore", {"./copy"}},
      {"compact"},
      {"share", {"group"}},
      {"migrate", {}, Left::kPart, {0}, true, false, {}, Begins::kInFormat1},
      {"migrate", {}, Left::kPart, {0}, true, false, {}, Begins::kInFormat2},
  };
}

}  // namespace

const std::vector<Deed>& deeds() {
  static const std::vector<Deed> kDeeds = [] {
    std::vector<Deed> all = about_people();
    for (const auto& more : {about_posts(), about_directories()}) {
      all.insert(all.end(), more.begin(), more.end());
    }
    return all;
  }();
  return kDeeds;
}

std::vector<Deed> deeds_on_databases() {
  constexpr std::array<std::string_view, 5> kOfFolders{"backup", "restore", "compact", "migrate",
                                                       "share"};
  std::vector<Deed> those;
  for (const Deed& deed : deeds()) {
    if (std::ranges::find(kOfFolders, deed.verb) == kOfFolders.end()) those.push_back(deed);
  }
  return those;
}

const std::vector<std::string>& commands_apart() {
  static const std::vector<std::string> kApart{"serve",      "bench", "lab",   "plan",
                                               "completion", "help",  "manual"};
  return kApart;
}

}  // namespace chirp::test
