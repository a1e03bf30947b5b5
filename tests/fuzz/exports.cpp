// The input of `chirp load export`: the files of an export, each after a line `== NAME`. It is
// loaded or refused as bad input. After a load, doctor finds no problem in the directory.
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "cli/load/import.h"
#include "core/doctor/doctor.h"
#include "core/error.h"
#include "core/events/consumers.h"
#include "tests/fuzz/targets.h"
#include "tests/support/fake_clock.h"
#include "tests/support/social_world.h"
#include "tests/support/temp_folder.h"

namespace chirp::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFiles[] = {"users.jsonl",     "posts.jsonl",    "follows.jsonl",
                                       "relations.jsonl", "comments.jsonl", "reactions.jsonl",
                                       "settings.json",   "export.json"};

// A file that the input does not name is empty, and export.json is missing then.
void write_files(const fs::path& folder, Bytes input) {
  fs::create_directories(folder / "media");
  for (const std::string_view name : kFiles) {
    const std::string head = std::string("== ") + std::string(name) + "\n";
    const std::size_t at = input.find(head);
    if (at == Bytes::npos && name == "export.json") continue;
    std::ofstream file(folder / name);
    if (at == Bytes::npos) {
      if (name == "settings.json") file << "{}\n";
      continue;
    }
    const Bytes rest = input.substr(at + head.size());
    file << rest.substr(0, rest.find("== "));
  }
}

}  // namespace

void exports(Bytes input) {
  const test::TempFolder folder;
  write_files(folder / "export", input);
  static const test::FakeClock clock(Time{1'798'761'600'000});  // 2027-01-01
  const test::PlainHasher hasher;
  model::ModelStorage storage;
  model::ModelUserDirectory directory;
  Engine engine(storage, directory, hasher, clock);
  try {
    (void)cli::import_from(engine, folder / "export", {});
  } catch (const Error& error) {
    holds(error.code() == ErrorCode::kBadInput || error.code() == ErrorCode::kInvalidArgument,
          "what is no export is bad input");
    holds(*error.what() != '\0', "a refusal says what is wrong");
    return;
  }
  events::drain(storage, clock);
  for (const doctor::Finding& finding : doctor::examine(engine, [](const doctor::Checked&) {})) {
    throw Broken("doctor finds in what was taken: " + finding.what);
  }
}

}  // namespace chirp::fuzz
