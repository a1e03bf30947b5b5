// Converts tweets of both kinds of Twitter's archives to posts, with whole links and with media as
// files.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <simdjson.h>

#include "cli/input/json_values.h"
#include "cli/load/archive/account_archive.h"
#include "cli/load/archive/long_tweets.h"

namespace chirp::cli::archive {

class Tweets {
 public:
  // `media_folders` have the files whose names are the tweet's id, a `-` and their original name:
  // all folders that begin with one of these. `privacy` is for tweets without their own. The
  // arguments must outlive this.
  Tweets(const Tree& tree, const std::vector<std::string>& media_folders, const Sink& sink,
         Privacy privacy, LongTweets& long_tweets);
  ~Tweets();

  // `file` is for messages.
  void take(const input::JsonPiece& piece, const std::string& file);

 private:
  struct Parser;

  [[nodiscard]] std::string file_of(const std::string& id, std::string_view address) const;

  void take_original(const simdjson::dom::object& inner, load::SourcePost& post,
                     const input::InputPlace& place);

  const Sink& sink_;
  Privacy privacy_;
  LongTweets& long_tweets_;
  std::unordered_map<std::string, std::string> media_;  // paths by the names of files
  std::unique_ptr<Parser> parser_;
};

}  // namespace chirp::cli::archive
