// The files of an export, restored under their ids before any row names them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "cli/load/import_row.h"
#include "core/engine.h"

namespace chirp::cli {

class ImportMedia {
 public:
  ImportMedia(Engine& engine, std::filesystem::path folder)
      : engine_(engine), folder_(std::move(folder)) {}

  // The medium at this address, as named by a post of `owner` of this time: an upload, whose file
  // is restored if it is missing, or an address elsewhere. Throws BadRow for anything else, and
  // Error{kBadInput} for an upload of another user, or a file that is missing or not a medium.
  [[nodiscard]] Medium medium(const std::string& address, UserNumber owner, Time created_at);
  // Sets the descriptions in `altTexts` of a row. Throws BadRow for more texts than media, and for
  // a text that is not a valid description or not normalised.
  static void describe(std::span<Medium> media, const Row& row);
  // Restores a profile's picture and sets it: returns the user as edited.
  User set_picture(UserNumber owner, MediaId picture, Time created_at);
  // The upload of an address `/media/<id>`; 0 for another address.
  [[nodiscard]] static MediaId upload_at(const std::string& address);

  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  void put_back(MediaId id, UserNumber owner, Time created_at);

  Engine& engine_;
  std::filesystem::path folder_;
  std::uint64_t bytes_ = 0;
};

}  // namespace chirp::cli
