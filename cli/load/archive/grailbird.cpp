// Twitter's archives of 2012 to 2018: a script of tweets for each month, and all tweets in one
// table.
#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

#include "cli/input/notations.h"
#include "cli/input/posts.h"
#include "cli/load/archive/account_archive.h"
#include "cli/load/archive/json_members.h"
#include "cli/load/archive/long_tweets.h"
#include "cli/load/archive/script_file.h"
#include "cli/load/archive/tweets.h"

namespace chirp::cli::archive {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kSmallFile = std::size_t{1} << 20;
constexpr std::string_view kDetails = "data/js/user_details.js";
constexpr std::string_view kIndex = "data/js/tweet_index.js";
constexpr std::string_view kMonths = "data/js/tweets/";
constexpr std::string_view kTable = "tweets.csv";

class Grailbird : public Reader {
 public:
  explicit Grailbird(std::string base) : base_(std::move(base)) {}

  [[nodiscard]] std::string format() const override { return "Twitter archive of before 2019"; }

  [[nodiscard]] Profile profile(Tree& tree) override {
    Profile profile;
    const auto text = tree.text_of(base_ + std::string(kDetails), kSmallFile);
    if (!text) return profile;
    dom::parser parser;
    dom::object user;
    const std::string_view value = script_value(*text);
    if (value.empty()) return profile;
    if (parser.parse(value.data(), value.size()).get(user) != simdjson::SUCCESS) return profile;
    std::uint64_t number = 0;
    profile.id = user["id"].get(number) == simdjson::SUCCESS ? source_key(fmt::to_string(number))
                                                             : source_key(text_in(user, "id"));
    profile.username = text_in(user, "screen_name");
    profile.display_name = text_in(user, "full_name");
    profile.bio = text_in(user, "bio");
    profile.created_at = input::parse_when(text_in(user, "created_at"));
    return profile;
  }

  // The table has less about the same tweets, so it is read only if there are no scripts.
  void read(Tree& tree, const Sink& sink) override {
    const auto is_month = [this](std::string_view path) {
      return path.starts_with(base_ + std::string(kMonths)) && path.ends_with(".js");
    };
    if (!std::ranges::any_of(tree.paths(), is_month)) return read_table(tree, sink);
    LongTweets none(sink);  // such archives have no long tweets
    Tweets tweets(tree, {}, sink, Privacy::kPublic, none);
    input::TextBuffer buffer;
    tree.each(is_month, [&](const std::string& /*path*/, input::ByteStream& stream) {
      ScriptFile script(stream, buffer);
      if (script.variable().empty()) {
        return sink.bad.add({stream.name(), 1}, "no script that sets Grailbird.data.… to an array");
      }
      while (const auto piece = script.next()) tweets.take(*piece, stream.name());
    });
  }

 private:
  void read_table(const Tree& tree, const Sink& sink) const {
    const input::PostSink posts{
        .post = [&](load::SourcePost&& post,
                    const input::InputPlace& place) -> std::optional<std::string> {
          post.media.clear();  // these archives have no pictures
          sink.post(std::move(post), place);
          return std::nullopt;
        },
        .user = [](load::SourceUser&& /*user*/) {}};
    input::TextBuffer buffer;
    const std::string table = base_ + std::string(kTable);
    tree.each([&](std::string_view path) { return path == table; },
              [&](const std::string& /*path*/, input::ByteStream& stream) {
                buffer.open(stream);
                input::PostReader reader(input::PostFormat::kAuto, sink.bad, posts);
                (void)reader.read(buffer, stream.name(), input::Unknown::kRefused);
              });
  }

  std::string base_;
};

// The folder of an archive that contains the table of tweets.
std::optional<std::string> root_of_table(const Tree& tree) {
  const auto base = tree.root_of(kTable);
  if (!base) return std::nullopt;
  bool is_tweets = false;
  const std::string table = *base + std::string(kTable);
  tree.each([&](std::string_view path) { return path == table; },
            [&](const std::string& /*path*/, input::ByteStream& stream) {
              is_tweets = beginning_of(stream, 256).find("tweet_id") != std::string::npos;
            });
  return is_tweets ? base : std::nullopt;
}

}  // namespace

std::unique_ptr<Reader> grailbird_reader(const Tree& tree) {
  for (const std::string_view file : {kDetails, kIndex}) {
    if (const auto base = tree.root_of(file)) return std::make_unique<Grailbird>(*base);
  }
  if (const auto base = root_of_table(tree)) return std::make_unique<Grailbird>(*base);
  return nullptr;
}

}  // namespace chirp::cli::archive
