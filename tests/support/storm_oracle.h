// The outcomes that the shells of a storm saw: kept by the test, outside of the data directory, and
// compared with the data in the end.
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
  kGone,    // never made, failed, or acknowledged as removed
  kThere,   // acknowledged
  kEither,  // interrupted while it was made or removed
};

// How a command ended, as its caller sees it.
enum class Word : std::uint8_t { kDone, kFailed, kCut };

class StormOracle {
 public:
  // Record the outcome of making or removing something. A failure changes nothing.
  void make(Truth& truth, Word word) const { move(truth, word, Truth::kThere); }
  void take(Truth& truth, Word word) const { move(truth, word, Truth::kGone); }

  struct ViewedAuthor {
    Truth truth = Truth::kGone;
    std::set<std::string> names;  // the display name is one of these
  };
  struct Text {  // of a post or a comment; all texts are different
    Truth truth = Truth::kGone;
    std::string author;
    std::string id;    // if known
    std::string post;  // of a comment: the text of its post
  };
  using Pair = std::pair<std::string, std::string>;

  std::map<std::string, ViewedAuthor> people;
  std::map<std::string, Text> posts;
  std::map<std::string, Text> comments;
  std::map<Pair, Truth> follows;    // follower, followee
  std::map<Pair, Truth> reactions;  // user, and text of the post

  void edited(const std::string& name, const std::string& display_name, Word word);

  // Texts of posts that certainly exist: a backup that begins now must contain them, unless they
  // are removed during the backup.
  [[nodiscard]] std::vector<std::string> sure_posts() const;

  // Returns what is wrong in a data directory.
  [[nodiscard]] std::vector<std::string> faults_in(const std::filesystem::path& data) const;
  // For a restored backup: those of `texts` that it lacks, although they were never removed.
  [[nodiscard]] std::vector<std::string> missing_in(const std::filesystem::path& data,
                                                    const std::vector<std::string>& texts) const;

 private:
  static void move(Truth& truth, Word word, Truth to);
  [[nodiscard]] Truth truth_of(const std::string& person) const;
};

}  // namespace chirp::test
