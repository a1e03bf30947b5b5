// What a storm of shells was told: kept by the test, outside of the data directory, and held
// against what is there in the end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace chirp::test {

enum class Truth : std::uint8_t {
  kGone,    // never there, said to have failed, or acknowledged as removed
  kThere,   // acknowledged
  kEither,  // cut off on the way there, or on the way out
};

// How a command ended, as the one who gave it sees it.
enum class Word : std::uint8_t { kDone, kFailed, kCut };

class StormOracle {
 public:
  // What came of making something, or of taking it away. What failed leaves it as it was.
  void make(Truth& truth, Word word) const { move(truth, word, Truth::kThere); }
  void take(Truth& truth, Word word) const { move(truth, word, Truth::kGone); }

  struct Person {
    Truth truth = Truth::kGone;
    std::set<std::string> names;  // the display name is one of these
  };
  struct Text {  // of a post or a comment; no two are alike
    Truth truth = Truth::kGone;
    std::string author;
    std::string id;    // if it was told
    std::string post;  // of a comment: the text of the post it is below
  };
  using Pair = std::pair<std::string, std::string>;

  std::map<std::string, Person> people;
  std::map<std::string, Text> posts;
  std::map<std::string, Text> comments;
  std::map<Pair, Truth> follows;    // follower, followee
  std::map<Pair, Truth> reactions;  // who, and the text of the post

  void edited(const std::string& name, const std::string& display_name, Word word);

  // Texts of posts that are there for sure: what a backup that begins now has to hold, unless they
  // are removed while it is made.
  [[nodiscard]] std::vector<std::string> sure_posts() const;

  // What a data directory does not say as it has to.
  [[nodiscard]] std::vector<std::string> faults_in(const std::filesystem::path& data) const;
  // Of a backup that was restored: those of `texts` that it lacks, though they were never removed.
  [[nodiscard]] std::vector<std::string> missing_in(const std::filesystem::path& data,
                                                    const std::vector<std::string>& texts) const;

 private:
  static void move(Truth& truth, Word word, Truth to);
  [[nodiscard]] Truth truth_of(const std::string& person) const;
};

}  // namespace chirp::test
