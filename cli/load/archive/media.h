// The media of an archive: the files that its new posts name, kept before the posts that name them.
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

  // Leaves the post as many media as one may have; the others stand in its text as links. How many
  // those are.
  static std::size_t cut(load::SourcePost& post);
  // The files that this post names will be loaded.
  void want(const load::SourcePost& post);
  // Keeps what is wanted, as uploads of the account. What is none of the types that are taken, too
  // large, or more than the account may keep, is counted and said.
  void load(const Tree& tree, Engine& engine, const User& account);
  // The upload of a picture, as of a profile; 0 if it can't be taken.
  MediaId load_picture(const Tree& tree, Engine& engine, const User& account,
                       const std::string& path);
  // Names the uploads of the post's media. What was refused stands in the text as a link. False if
  // nothing is left of the post.
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
