#include "tests/support/torture_world.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>
#include <stdexcept>

#include <fmt/format.h>

#include "core/error.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "core/settings.h"
#include "core/social/card.h"
#include "tests/support/data_directories.h"
#include "tests/support/doctor_village.h"
#include "tests/support/pictures.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kTortureUsers = 7;
constexpr std::string_view kLater = "2026-02-01T12:00:00Z";
// Cheap passwords; not part of what is compared, so that a command may set it again.
constexpr std::string_view kCost = "auth.bcrypt_cost";

void run_in(const TortureSite& site, const std::vector<std::string>& arguments) {
  const Ended ended = run(torture_command(site, arguments));
  if (!ended.ok()) throw std::runtime_error(to_string(ended));
}

// On the first post: comments, likes, a repost; blocks and mutes; nothing is counted yet.
Names add_talk(store::DataDirectory& directory) {
  Storage& storage = directory.storage();
  const Time now = test_clock().now();
  const PostId post =
      reads::rows_above<tables::Posts>(*storage.snapshot(), {kBelowAllPosts}, 1).front().id;
  const Change first = AddComment{UserNumber{2}, post, "first", kNoComment, {}};
  const CommentId comment = storage.write({&first, 1}, now).front().comment;
  std::vector<Change> changes{AddComment{UserNumber{3}, post, "second", comment, {}},
                              Relate{UserNumber{4}, UserNumber{2}, Relation::kBlock},
                              Relate{UserNumber{4}, UserNumber{3}, Relation::kMute}};
  for (std::uint32_t user = 1; user <= kTortureUsers; ++user) {
    changes.emplace_back(React{UserNumber{user}, post, ReactionType::kLove});
    changes.emplace_back(LikeComment{UserNumber{user}, comment});
  }
  storage.write(changes, now);
  const Change repost = Repost{UserNumber{6}, post};
  const PostId shown = storage.write({&repost, 1}, now).front().post;
  return {{"{post}", std::to_string(post.value)},
          {"{repost}", std::to_string(shown.value)},
          {"{comment}", std::to_string(comment.value)}};
}

void suspend_last(store::DataDirectory& directory) {
  UserEdit edit;
  edit.suspended = true;
  const Change card =
      PutCard{social::card_of(directory.users().edit(UserNumber{kTortureUsers}, edit))};
  directory.storage().write({&card, 1}, test_clock().now());
}

// Whatever the seed says, by people who are there; pending.
void add_chance(store::DataDirectory& directory, std::uint32_t users, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto somebody = [&] {
    return UserNumber{static_cast<std::uint32_t>(random() % users) + 1};
  };
  std::vector<Change> changes;
  for (std::uint64_t i = random() % 60; i > 0; --i) {
    const UserNumber user = somebody();
    const UserNumber other = somebody();
    if (random() % 3 == 0 && user != other && user.value > kTortureUsers) {
      changes.emplace_back(Follow{user, other});
    } else {
      changes.emplace_back(
          Publish{user, fmt::format("{} says {} #tag{}", user.value, random(), random() % 7)});
    }
  }
  directory.storage().write(changes, test_clock().now());
}

// What somebody has taken home from elsewhere, with one of each.
void write_account_archive(const fs::path& folder) {
  fs::create_directories(folder / "data" / "tweets_media");
  fs::create_directories(folder / "data" / "profile_media");
  const auto script = [&](const std::string& name, const std::string& objects) {
    write_file(folder / "data" / (name + ".js"),
               fmt::format("window.YTD.{}.part0 = [{}]", name, objects));
  };
  script("account", R"({"account":{"username":"away","accountId":"7001"}})");
  script("profile", R"({"profile":{"avatarMediaUrl":"https://p.example/a/face.png"}})");
  script(
      "tweets",
      R"({"tweet":{"id_str":"9001","full_text":"first","created_at":"2015-01-01 10:00:00 +0000"}},)"
      R"({"tweet":{"id_str":"9002","full_text":"second","created_at":"2015-01-01 11:00:00 +0000",)"
      R"("in_reply_to_status_id_str":"9001"}},)"
      R"({"tweet":{"id_str":"9003","full_text":"third","created_at":"2015-01-01 12:00:00 +0000",)"
      R"("entities":{"media":[{"url":"https://t.co/p",)"
      R"("media_url":"http://p.example/one.png"}]}}})");
  script("like", R"({"like":{"tweetId":"9001"}},{"like":{"tweetId":"9002"}})");
  script("following", R"({"following":{"accountId":"7002"}})");
  script("follower", R"({"follower":{"accountId":"7003"}})");
  script("block", R"({"blocking":{"accountId":"7004"}})");
  script("mute", R"({"muting":{"accountId":"7002"}})");
  write_file(folder / "data" / "tweets_media" / "9003-one.png", png());
  write_file(folder / "data" / "profile_media" / "7001-face.png", png());
}

void write_inputs(const fs::path& folder, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string edges;
  std::string posts;
  std::string events;
  for (std::uint32_t i = 0; i < 300; ++i) {
    edges += fmt::format("{} {}\n", 1 + random() % 40, 1 + random() % 40);
    posts += fmt::format(R"({{"id":"{}","authorId":"{}","text":"p{} #load","createdAt":{}{}}})"
                         "\n",
                         i + 1, 1 + random() % 20, i, 1'500'000'000 + i,
                         i % 5 == 4 ? fmt::format(R"(,"replyTo":"{}")", 1 + random() % 300) : "");
    constexpr std::array kKinds{"RT", "RE", "MT"};
    events += fmt::format("{} {} {} {}\n", 1 + random() % 4, 1 + random() % 4, 1'400'000'000 + i,
                          kKinds[random() % kKinds.size()]);
  }
  write_file(folder / "edges.txt", edges);
  write_file(folder / "posts.jsonl", posts);
  write_file(folder / "people.csv", "id,username,name,bio\n801,ida,Ida,\n802,udo,Udo,sails\n");
  write_file(folder / "events.txt", events);
  write_file(folder / "picture.png", png());
  write_account_archive(folder / "away");
}

// ---- looking

void add_people(store::DataDirectory& directory, std::vector<std::string>& lines) {
  for (const User& user : directory.users().scan(kNobody, kAll)) {
    lines.push_back(fmt::format("profile {} {} {} \"{}\" {} \"{}\" {} {}", user.number.value,
                                user.username, user.old_name ? user.old_name->username : "-",
                                user.display_name, user.email.value_or("-"), user.bio,
                                user.has_password ? "password" : "-",
                                user.picture == MediaId{} ? "-" : "picture"));
  }
}

std::string_view name_of(Presence presence) {
  if (presence == Presence::kRemoved) return "removed";
  return presence == Presence::kSuspended ? "suspended" : "there";
}

void add_cards(const Snapshot& snapshot, std::vector<std::string>& lines) {
  for (const AuthorCard& card : reads::rows_above<tables::Cards>(snapshot, {kNobody}, kAll)) {
    const UserNumber user = card.number;
    lines.push_back(fmt::format("card of {} {} \"{}\" {} {}", user.value, card.username,
                                card.display_name, card.picture == MediaId{} ? "-" : "picture",
                                name_of(card.presence)));
    for (const Relation relation : {Relation::kBlock, Relation::kMute, Relation::kRepostsOff}) {
      for (const Edge& edge : reads::related(snapshot, user, relation, kNobody, kAll).edges) {
        lines.push_back(fmt::format("relation {} {} {}", user.value, static_cast<int>(relation),
                                    edge.other.value));
      }
    }
    const ReadingMarks read = reads::reading(snapshot, user);
    lines.push_back(fmt::format("read {} {} {}", user.value, read.feed.value_or(PostId{}).value,
                                read.notified.value > 0 ? "notifications" : "-"));
  }
}

void add_settings(const Storage& storage, std::vector<std::string>& lines) {
  for (const auto& setting : settings::all(storage)) {
    if (setting.key == kCost) continue;
    lines.push_back(std::visit(
        [&](const auto& value) { return fmt::format("setting {} {}", setting.key, value); },
        setting.value));
  }
}

// On one line.
std::string line_of(char kind, std::string text) {
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) {
    text.replace(at, 1, "\\n");
  }
  return kind + text + '\n';
}

int tell(const store::DataPlace& data) {
  ::setenv("CHIRP_TEST_CLOCK", std::string(kLater).c_str(), 1);
  try {
    if (!store::is_made(data)) {
      fmt::print("cno directory\n");
      return 0;
    }
    Opened opened(data);
    std::vector<std::string> lines = contents(opened.directory());
    add_people(opened.directory(), lines);
    add_cards(*opened.directory().storage().snapshot(), lines);
    add_settings(opened.directory().storage(), lines);
    for (const std::string& line : lines) fmt::print("{}", line_of('c', line));
    for (const auto& finding : opened.examine()) {
      fmt::print("{}",
                 line_of('f', fmt::format("{}: {}", doctor::name(finding.kind), finding.what)));
    }
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kVersion) {
      fmt::print("ca directory of another format\n");
    } else {
      fmt::print("{}", line_of('e', error.what()));
    }
  }
  return 0;
}

}  // namespace

Names make_torture_world(const TortureSite& site, std::uint64_t seed) {
  const auto more = static_cast<std::uint32_t>(seed - 1);
  const std::uint32_t users = kTortureUsers + more % 5;
  store::make_data_directory(site.data, {});
  write_inputs(site.folder, seed);
  Names names;
  {
    const auto directory = store::DataDirectory::open(site.data);
    rules::set_plain(directory->storage(), kCost, "4");
    fill(*directory, users, 3 + more % 3);
    names = add_talk(*directory);
    suspend_last(*directory);
  }
  write_file(site.folder / "base.txt", "1 2\n2 3\n3 4\n4 1\n");
  run_in(site, {"load", "graph", "./base.txt"});
  run_in(site, {"export", "./archive"});
  if (!site.data.is_database()) run_in(site, {"backup", "./copy"});
  const auto directory = store::DataDirectory::open(site.data);
  publish(*directory, UserNumber{1}, "after the backup");
  if (more > 0) add_chance(*directory, users, seed);
  return names;
}

Command torture_command(const TortureSite& site, const std::vector<std::string>& arguments) {
  std::vector<std::string> placed;
  for (const std::string& argument : arguments) {
    const bool within = argument.starts_with("./");
    placed.push_back(within ? (site.folder / argument.substr(2)).string() : argument);
  }
  Command command = chirp_command(site.data.text(), std::move(placed));
  command.environment = {fmt::format("CHIRP_TEST_CLOCK={}", kLater)};
  return command;
}

Seen look_at(const store::DataPlace& data) {
  const Ended ended = run_forked([&] { return tell(data); });
  Seen seen;
  if (!ended.ok()) seen.error = to_string(ended);
  for (std::size_t at = 0; at < ended.out.size();) {
    const std::size_t end = std::min(ended.out.find('\n', at), ended.out.size());
    const std::string line = ended.out.substr(at + 1, end - at - 1);
    if (ended.out[at] == 'c') seen.contents.push_back(line);
    if (ended.out[at] == 'f') seen.findings.push_back(line);
    if (ended.out[at] == 'e') seen.error = line;
    at = end + 1;
  }
  return seen;
}

std::string faults_of(const Seen& seen) {
  if (!seen.error.empty()) return "it can't be read: " + seen.error;
  if (seen.findings.empty()) return {};
  return fmt::format("doctor finds {} things: {}", seen.findings.size(),
                     fmt::join(seen.findings, "; "));
}

std::string difference(const std::vector<std::string>& found,
                       const std::vector<std::string>& wanted) {
  for (const std::string& line : found) {
    if (std::find(wanted.begin(), wanted.end(), line) == wanted.end()) return "too much: " + line;
  }
  for (const std::string& line : wanted) {
    if (std::find(found.begin(), found.end(), line) == found.end()) return "missing: " + line;
  }
  return found == wanted ? "" : "in another order";
}

}  // namespace chirp::test
