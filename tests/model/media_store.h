// Uploads in memory: keeps every promise of core/ports/media_store.h but durability.
#pragma once

#include <map>

#include "core/model/last_sweep.h"
#include "core/ports/media_store.h"

namespace chirp {
class UserDirectory;
}

namespace chirp::model {

class ModelMediaStore final : public MediaStore {
 public:
  // Asked who there is, who is leaving and what their pictures are.
  explicit ModelMediaStore(const UserDirectory& users) : users_(users) {}
  ~ModelMediaStore() override = default;
  // A directory that undoes a change takes its own copy back: the uploads, not whom to ask.
  ModelMediaStore(const ModelMediaStore&) = default;
  ModelMediaStore& operator=(const ModelMediaStore& other) {
    rows_ = other.rows_;
    swept_ = other.swept_;
    return *this;
  }

  KeptMedia keep(UserNumber owner, const MediaFacts& facts, std::string_view bytes,
                 std::uint64_t most, Time now) override;
  void restore(const Upload& upload, std::string_view bytes) override;
  [[nodiscard]] std::optional<Upload> find(MediaId id) const override;
  [[nodiscard]] std::shared_ptr<const MediaFile> open(const Upload& upload) const override;
  [[nodiscard]] std::vector<Upload> scan(MediaId after, std::uint32_t limit) const override;
  bool touch_all(std::optional<UserNumber> owner, std::span<const MediaId> uploads,
                 Time now) override;
  [[nodiscard]] std::vector<MediaId> idle(Time before, std::uint32_t limit) const override;
  std::uint64_t remove_idle(std::span<const MediaId> uploads, Time before) override;
  void remove_of(UserNumber owner) override;
  bool begin_sweep(Time now, Time since) override;
  [[nodiscard]] std::vector<MediaProblem> problems() const override { return {}; }
  void repair() override {}

 private:
  struct Row {
    Upload upload;
    std::shared_ptr<const std::string> bytes;
  };
  const UserDirectory& users_;
  std::map<MediaId, Row> rows_;
  LastSweep swept_;
};

}  // namespace chirp::model
