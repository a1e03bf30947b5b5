#include "cli/lab/copies.h"

#include <system_error>

#include "cli/export/folder_copy.h"
#include "cli/process.h"
#include "core/lab/lab_clock.h"
#include "core/lab/stage.h"

namespace chirp::cli::lab {
namespace {

constexpr const char* kWhole = "whole";
constexpr const char* kPulled = "pulled";
constexpr const char* kPushed = "pushed";
constexpr const char* kPlayed = "played";

// A failure is harmless here: the folder is removed later, and a new copy at this path reports it.
void remove_copy(const std::filesystem::path& copy) {
  std::error_code ignored;
  std::filesystem::remove_all(copy, ignored);
}

}  // namespace

LabCopies::LabCopies(store::DataDirectory& original, const Clock& machine) {
  copy_into_folder(original, folder_.path() / kWhole, machine);
  OrderlyEnd::check();
  whole_ = store::DataDirectory::open(folder_.path() / kWhole);
  settings_ = whole_->storage().snapshot()->state().settings;
}

void LabCopies::make_masters(const Script& script, const Clock& machine,
                             const std::function<void(std::uint64_t users)>& asked) {
  Storage& storage = whole_->storage();
  chirp::lab::LabClock clock(machine);
  clock.set(script.day.from);
  chirp::lab::clear_from(storage, clock, script.day.from);
  OrderlyEnd::check();
  (void)whole_->backup(folder_.path() / kPulled);
  // Tiers come with the played policy. Old ones would persist down to a fifth below the bound.
  feed::FeedSettings settings = storage.snapshot()->state().settings;
  settings.policy = feed::Policy::kPush;
  chirp::lab::settle_policy(storage, clock, settings);
  timelines_ = chirp::lab::build_timelines(storage, clock, script.model, asked);
  (void)whole_->backup(folder_.path() / kPushed);
  whole_.reset();
  remove_copy(folder_.path() / kWhole);
}

std::unique_ptr<store::DataDirectory> LabCopies::fresh(feed::Policy policy) {
  const auto path = folder_.path() / kPlayed;
  remove_copy(path);
  const char* master = policy == feed::Policy::kPull ? kPulled : kPushed;
  (void)store::restore_backup(folder_.path() / master, path);
  return store::DataDirectory::open(path);
}

}  // namespace chirp::cli::lab
