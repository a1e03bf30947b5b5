#include "tests/support/storm_oracle.h"

#include <fmt/format.h>

#include "core/ports/reads.h"
#include "store/data_directory.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

// What there is, by what the oracle knows it by.
struct There {
  std::map<std::string, std::string> people;  // and their display names
  std::map<std::string, std::uint32_t> posts;
  std::map<std::string, std::uint32_t> comments;
  std::set<StormOracle::Pair> follows;
  std::set<StormOracle::Pair> reactions;
};

There read(const std::filesystem::path& data) {
  const auto directory = store::DataDirectory::open(data);
  const auto snapshot = directory->storage().snapshot();
  There there;
  std::map<UserNumber, std::string> names;
  for (const AuthorCard& card : reads::rows_above<tables::Cards>(*snapshot, {kNobody}, kAll)) {
    if (card.presence == Presence::kRemoved) continue;
    names[card.number] = card.username;
    there.people[card.username] = card.display_name;
  }
  for (const auto& [number, name] : names) {
    for (const Edge& edge : reads::following(*snapshot, number, kNobody, kAll).edges) {
      if (names.contains(edge.other)) there.follows.emplace(name, names[edge.other]);
    }
  }
  std::map<std::uint64_t, std::string> texts;
  for (const Post& post : reads::rows_above<tables::Posts>(*snapshot, {kBelowAllPosts}, kAll)) {
    if (post.is_repost() || !names.contains(post.author)) continue;
    ++there.posts[post.text];
    texts[post.id.value] = post.text;
  }
  for (const Comment& comment :
       reads::rows_above<tables::Comments>(*snapshot, {kNoComment}, kAll)) {
    if (names.contains(comment.author)) ++there.comments[comment.text];
  }
  for (const ReactionRow& row : reads::reactions_above(*snapshot, {}, kNobody, kAll)) {
    const auto text = texts.find(row.content.value);
    const auto who = names.find(row.reaction.user);
    if (text == texts.end() || who == names.end()) continue;
    there.reactions.emplace(who->second, text->second);
  }
  return there;
}

void hold(std::vector<std::string>& faults, Truth truth, std::uint64_t found,
          const std::string& what) {
  if (truth == Truth::kThere && found == 0) faults.push_back(what + " was acknowledged, and lost");
  if (truth == Truth::kGone && found > 0) faults.push_back(what + " is not to be there, and is");
  if (found > 1) faults.push_back(fmt::format("{} is there {} times", what, found));
}

// Something that goes with what it hangs on: there for sure only if both are.
Truth together(Truth one, Truth other) {
  if (one == Truth::kGone || other == Truth::kGone) return Truth::kGone;
  return one == Truth::kThere && other == Truth::kThere ? Truth::kThere : Truth::kEither;
}

template <class Map>
std::uint64_t count(const Map& map, const std::string& key) {
  const auto found = map.find(key);
  return found == map.end() ? 0 : found->second;
}

}  // namespace

void StormOracle::move(Truth& truth, Word word, Truth to) {
  if (word == Word::kDone) truth = to;
  if (word == Word::kCut && truth != to) truth = Truth::kEither;
}

void StormOracle::edited(const std::string& name, const std::string& display_name, Word word) {
  ViewedAuthor& person = people[name];
  if (word == Word::kDone) person.names.clear();
  if (word != Word::kFailed) person.names.insert(display_name);
}

Truth StormOracle::truth_of(const std::string& person) const {
  const auto found = people.find(person);
  return found == people.end() ? Truth::kEither : found->second.truth;
}

std::vector<std::string> StormOracle::sure_posts() const {
  std::vector<std::string> texts;
  for (const auto& [text, post] : posts) {
    if (together(post.truth, truth_of(post.author)) == Truth::kThere) texts.push_back(text);
  }
  return texts;
}

std::vector<std::string> StormOracle::faults_in(const std::filesystem::path& data) const {
  const There there = read(data);
  std::vector<std::string> faults;
  for (const auto& [name, person] : people) {
    const auto found = there.people.find(name);
    hold(faults, person.truth, found == there.people.end() ? 0 : 1, "user " + name);
    if (found == there.people.end() || person.names.empty()) continue;
    if (!person.names.contains(found->second)) {
      faults.push_back(fmt::format("{} is called \"{}\", not {}", name, found->second,
                                   fmt::join(person.names, " or ")));
    }
  }
  for (const auto& [text, post] : posts) {
    hold(faults, together(post.truth, truth_of(post.author)), count(there.posts, text),
         "post " + text);
  }
  for (const auto& [text, comment] : comments) {
    const auto post = posts.find(comment.post);
    const Truth below = post == posts.end()
                            ? Truth::kEither
                            : together(post->second.truth, truth_of(post->second.author));
    const Truth truth = together(together(comment.truth, truth_of(comment.author)), below);
    hold(faults, truth, count(there.comments, text), "comment " + text);
  }
  for (const auto& [pair, truth] : follows) {
    const Truth ends = together(truth_of(pair.first), truth_of(pair.second));
    hold(faults, together(truth, ends), there.follows.contains(pair) ? 1 : 0,
         fmt::format("follow {} {}", pair.first, pair.second));
  }
  for (const auto& [pair, truth] : reactions) {
    const auto post = posts.find(pair.second);
    if (post == posts.end()) continue;
    const Truth below = together(post->second.truth, truth_of(post->second.author));
    hold(faults, together(together(truth, truth_of(pair.first)), below),
         there.reactions.contains(pair) ? 1 : 0,
         fmt::format("reaction of {} to {}", pair.first, pair.second));
  }
  return faults;
}

std::vector<std::string> StormOracle::missing_in(const std::filesystem::path& data,
                                                 const std::vector<std::string>& texts) const {
  const There there = read(data);
  std::vector<std::string> faults;
  for (const std::string& text : texts) {
    const auto post = posts.find(text);
    if (together(post->second.truth, truth_of(post->second.author)) != Truth::kThere) continue;
    hold(faults, Truth::kThere, count(there.posts, text), "in a backup: post " + text);
  }
  return faults;
}

}  // namespace chirp::test
