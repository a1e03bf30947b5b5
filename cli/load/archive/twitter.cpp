// Twitter's archives of 2019 and later: `data/*.js`, a script for each kind of data.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

#include "cli/input/notations.h"
#include "cli/load/archive/account_archive.h"
#include "cli/load/archive/json_members.h"
#include "cli/load/archive/long_tweets.h"
#include "cli/load/archive/script_file.h"
#include "cli/load/archive/tweets.h"
#include "core/error.h"

namespace chirp::cli::archive {
namespace {

namespace dom = simdjson::dom;

constexpr std::string_view kScript = ".js";
constexpr std::size_t kSmallFile = std::size_t{4} << 20;  // of files that are read as a whole

// Data that is only counted.
struct Passed {
  std::string_view kind;    // in the name of the variable
  std::string_view member;  // a member of each entry
  const char* name;         // for programs
};
constexpr std::array kPassed{
    Passed{"direct_messages", "messageCreate", "directMessages"},
    Passed{"direct_message", "messageCreate", "directMessages"},
    Passed{"direct_messages_group", "messageCreate", "directMessages"},
    Passed{"direct_message_group", "messageCreate", "directMessages"},
    Passed{"deleted_tweets", "full_text", "deletedTweets"},
    Passed{"deleted_tweet", "full_text", "deletedTweets"},
    Passed{"twitter_circle_tweet", "full_text", "circleTweets"},
    Passed{"community_tweet", "full_text", "communityTweets"},
};

// The names of files that are loaded, in one part or several.
constexpr std::array<std::string_view, 8> kLoaded{"tweets",   "tweet", "like", "following",
                                                  "follower", "block", "mute", "note-tweet"};

// Data that is read first.
constexpr std::string_view kLongTweets = "note_tweet";

struct Ties {
  std::string_view kind;
  load::Tie tie;
};
constexpr std::array kTies{
    Ties{"following", load::Tie::kFollows},
    Ties{"follower", load::Tie::kFollowedBy},
    Ties{"block", load::Tie::kBlocks},
    Ties{"mute", load::Tie::kMutes},
};

// The first object in a script's array, or the object that it is set to.
class SmallScript {
 public:
  SmallScript(const Tree& tree, const std::string& path) : text_(tree.text_of(path, kSmallFile)) {
    dom::element root;
    const std::string_view value = text_ ? script_value(*text_) : std::string_view();
    if (value.empty()) return;  // no file, or not a script
    if (parser_.parse(value.data(), value.size()).get(root) != simdjson::SUCCESS) return;
    readable_ = true;
    dom::array array;
    if (root.get(array) != simdjson::SUCCESS) {
      add(root);
      return;
    }
    for (const dom::element element : array) add(element);
  }
  // Whether the script has JSON objects.
  [[nodiscard]] bool is_readable() const { return readable_; }
  [[nodiscard]] const std::vector<dom::object>& objects() const { return objects_; }
  // The member of the first object; empty if it is missing.
  [[nodiscard]] dom::object first(std::string_view key) const {
    return objects_.empty() ? no_object() : object_in(objects_.front(), key);
  }

 private:
  void add(const dom::element& element) {
    dom::object object;
    if (element.get(object) == simdjson::SUCCESS) {
      objects_.push_back(object);
    } else {
      readable_ = false;
    }
  }

  std::optional<std::string> text_;
  dom::parser parser_;
  std::vector<dom::object> objects_;
  bool readable_ = false;
};

class Twitter : public Reader {
 public:
  explicit Twitter(std::string base) : base_(std::move(base)) {}

  [[nodiscard]] std::string format() const override { return "Twitter archive"; }

  [[nodiscard]] Profile profile(Tree& tree) override {
    Profile profile;
    const SmallScript account_file(tree, base_ + "account.js");
    const SmallScript manifest(tree, base_ + "manifest.js");
    const dom::object account = account_file.first("account");
    const dom::object user = manifest.first("userInfo");
    const auto either = [&](std::string_view one, std::string_view other) {
      const std::string_view said = text_in(account, one);
      return said.empty() ? text_in(user, other) : said;
    };
    const std::string_view id = either("accountId", "accountId");
    profile.id = source_key(id);
    profile.username = either("username", "userName");
    profile.display_name = either("accountDisplayName", "displayName");
    profile.created_at = input::parse_when(text_in(account, "createdAt"));
    const SmallScript profile_file(tree, base_ + "profile.js");
    const dom::object said = profile_file.first("profile");
    profile.bio = text_in(object_in(said, "description"), "bio");
    profile.picture = picture_of(tree, text_in(said, "avatarMediaUrl"));
    return profile;
  }

  void read(Tree& tree, const Sink& sink) override {
    LongTweets long_tweets(sink);
    read_long_tweets(tree, sink, long_tweets);
    Tweets tweets(tree, {base_ + "tweets_media/", base_ + "tweet_media/"}, sink,
                  privacy(tree, sink), long_tweets);
    input::TextBuffer buffer;
    tree.each([this](std::string_view path) { return is_data(path); },
              [&](const std::string& path, input::ByteStream& stream) {
                ScriptFile script(stream, buffer);
                read_script(script, path, stream.name(), tweets, sink);
              });
    long_tweets.tell_rest();
  }

 private:
  // Whether it is a script among the data, not in a folder below.
  [[nodiscard]] bool is_data(std::string_view path) const {
    return path.starts_with(base_) && path.ends_with(kScript) &&
           path.find('/', base_.size()) == std::string_view::npos;
  }

  [[nodiscard]] std::string picture_of(const Tree& tree, std::string_view address) const {
    const std::string_view name = address.substr(address.rfind('/') + 1);
    const std::string folder = base_ + "profile_media/";
    if (name.empty()) return {};
    for (const std::string& path : tree.paths()) {
      if (path.starts_with(folder) && path.ends_with(fmt::format("-{}", name))) return path;
    }
    return {};
  }

  // Must run before the tweets are read.
  void read_long_tweets(const Tree& tree, const Sink& sink, LongTweets& long_tweets) const {
    const std::string begin = base_ + "note-tweet";
    const auto wanted = [&](std::string_view path) {
      return is_data(path) && path.starts_with(begin);
    };
    if (std::ranges::none_of(tree.paths(), wanted)) return;
    input::TextBuffer buffer;
    tree.each(wanted, [&](const std::string& /*path*/, input::ByteStream& stream) {
      ScriptFile script(stream, buffer);
      if (script.kind() != kLongTweets) return;
      const std::string name = stream.name();
      read_each(script, name, sink,
                [&](const dom::object& note) { return long_tweets.add(note, name); });
    });
  }

  // The tweets of a protected account are for its followers only; likewise if its last state is
  // unknown.
  [[nodiscard]] Privacy privacy(const Tree& tree, const Sink& sink) const {
    const std::string path = base_ + "protected-history.js";
    if (!tree.has(path)) return Privacy::kPublic;
    const SmallScript history(tree, path);
    std::optional<Time> latest;
    bool readable = history.is_readable();
    bool open = true;
    for (const dom::object& object : history.objects()) {
      const dom::object change = object_in(object, "protectedHistory");
      const auto when = input::parse_when(text_in(change, "protectedAt"));
      const std::string_view action = text_in(change, "action");
      readable = readable && when && (action == "Protect" || action == "Unprotect");
      if (!when || (latest && *when < *latest)) continue;
      latest = when;
      open = action == "Unprotect";
    }
    if (!readable) {
      const std::string name = fmt::format("{}({})", tree.name(), path);
      sink.bad.add(
          {name, 1},
          "this doesn't say whether the account was protected; if this row is skipped, all "
          "its tweets are for followers");
    }
    return readable && open ? Privacy::kPublic : Privacy::kFollowers;
  }

  static void read_script(ScriptFile& script, const std::string& path, const std::string& name,
                          Tweets& tweets, const Sink& sink) {
    const std::string_view kind = script.kind();
    if (kind == "tweet" || kind == "tweets") {
      while (const auto piece = script.next()) tweets.take(*piece, name);
    } else if (kind == "like") {
      read_each(script, name, sink, [&](const dom::object& like) {
        const auto id = sink.id(text_in(like, "tweetId"));
        if (id) sink.like(*id);
        return id.has_value();
      });
    } else if (const auto* const ties = std::ranges::find(kTies, kind, &Ties::kind);
               ties != kTies.end()) {
      read_each(script, name, sink, [&](const dom::object& other) {
        const auto id = sink.id(text_in(other, "accountId"));
        if (id) sink.tie({ties->tie, *id});
        return id.has_value();
      });
    } else if (kind.empty() && is_loaded(path)) {
      sink.bad.add({name, 1}, "no script that sets window.YTD.… to an array");
    } else {
      pass(script, path, sink);
    }
  }

  // By its name, which may end in a part number.
  static bool is_loaded(std::string_view path) {
    std::string_view stem = path.substr(path.rfind('/') + 1);
    stem.remove_suffix(kScript.size());
    return std::ranges::count(kLoaded, stem.substr(0, stem.find("-part"))) > 0;
  }

  // Counts data that is not loaded. Header files repeat what other files say.
  static void pass(ScriptFile& script, const std::string& path, const Sink& sink) {
    const std::string_view kind = script.kind();
    constexpr std::array<std::string_view, 4> kRead{"account", "profile", "protected_history",
                                                    kLongTweets};
    const bool is_manifest = script.variable() == "window.__THAR_CONFIG";
    if (is_manifest || std::ranges::count(kRead, kind) > 0 || kind.ends_with("_headers")) return;
    if (const auto* const known = std::ranges::find(kPassed, kind, &Passed::kind);
        known != kPassed.end()) {
      const std::uint64_t count = script.count_members(known->member);
      if (count > 0) sink.skip(known->name, count, fmt::format("{}: not loaded", path));
    } else {
      sink.skip("otherFiles", 1, fmt::format("{}: nothing that is loaded", path));
    }
  }

  // The object under the name of its kind.
  static dom::object inner_of(const dom::object& object) {
    for (const auto [key, value] : object) {
      dom::object inner;
      if (value.get(inner) == simdjson::SUCCESS) return inner;
    }
    return object;
  }

  // `take` returns whether the object has an id.
  template <class Take>
  static void read_each(ScriptFile& script, const std::string& name, const Sink& sink, Take take) {
    dom::parser parser;
    while (const auto piece = script.next()) {
      const input::InputPlace place{name, piece->line};
      dom::object object;
      constexpr bool kCopied = false;  // the buffer has padding after the text
      if (!piece->problem.empty()) {
        sink.bad.add(place, piece->problem);
      } else if (parser.parse(piece->text.data(), piece->text.size(), kCopied).get(object) !=
                 simdjson::SUCCESS) {
        sink.bad.add(place, "not one JSON object");
      } else if (!take(inner_of(object))) {
        sink.bad.add(place, "no id of a tweet, an account or a long text");
      }
    }
  }

  std::string base_;
};

}  // namespace

std::unique_ptr<Reader> twitter_reader(const Tree& tree) {
  for (const char* const file : {"account.js", "manifest.js"}) {
    const auto base = tree.root_of(file);
    if (!base) continue;
    const auto text = tree.text_of(*base + file, kSmallFile);
    if (!text) continue;
    const std::string_view head = input::trimmed(std::string_view(*text).substr(0, 256));
    if (head.starts_with("window.YTD.") || head.starts_with("window.__THAR_CONFIG")) {
      return std::make_unique<Twitter>(*base);
    }
  }
  return nullptr;
}

}  // namespace chirp::cli::archive
