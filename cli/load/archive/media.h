// The media of an archive: stores the files of its new posts before the posts that name them.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "cli/load/archive/tree.h"
#include "cli/load/session.h"
#include "core/engine.h"
#include "core/load/source.h"
#include "core/model/user.h"

namespace chirp::cli::archive {

class ArchiveMedia {
 public:
  explicit ArchiveMedia(LoadSession& session) : session_(session) {}

  // Keeps the first media of the post, as many as one may have; puts the others into the text as
  // links. Returns their number.
  static std::size_t cut(load::SourcePost& post);
  // Adds the files that this post names to those that load() stores.
  void want(const load::SourcePost& post);
  // Stores the wanted files as uploads of the account. Counts and reports files of another type,
  // too large ones, and those beyond the account's limit.
  void load(const Tree& tree, Engine& engine, const User& account);
  // Stores a picture, such as that of a profile. Returns 0 if it is refused.
  MediaId load_picture(const Tree& tree, Engine& engine, const User& account,
                       const std::string& path);
  // Sets the uploads of the post's media. Refused ones become links in the text. Returns false if
  // the post is then empty.
  [[nodiscard]] bool settle(load::SourcePost& post) const;

  [[nodiscard]] std::uint64_t stored() const { return stored_; }

 private:
  enum class Use : std::uint8_t { kPost, kProfile };
  MediaId keep(Engine& engine, const User& account, const std::string& name,
               const std::string& bytes, Use use);

  LoadSession& session_;
  std::unordered_set<std::string> wanted_;
  std::unordered_map<std::string, MediaId> uploads_;  // by path; 0: refused
  std::uint64_t stored_ = 0;
};

}  // namespace chirp::cli::archive
