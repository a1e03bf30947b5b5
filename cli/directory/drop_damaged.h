// `chirp doctor --drop-damaged`: lists the damaged records that cannot be rebuilt, copies them and
// removes them.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "cli/context.h"
#include "cli/danger.h"
#include "cli/status.h"
#include "store/damage.h"

namespace chirp::cli {

struct DropOptions {
  bool drop = false;
  std::optional<std::string> copy;  // file that receives copies of the dropped records
  Consent consent;
};

// Drops the damaged records. Returns the exit status if the command ends without dropping any, or
// empty if it should go on and repair. Call it while this process has nothing of the directory
// open.
[[nodiscard]] std::optional<Status> drop_damaged(Context& context, const DropOptions& options);

// Returns what is wrong with the pages of the engine's file, or empty. Call it in a separate
// process that has nothing of the directory open.
[[nodiscard]] std::optional<std::string> page_damage(const Context& context);

// Cuts advice to restore a backup or to run `chirp doctor` off a message.
[[nodiscard]] std::string without_advice(std::string what);

// The damaged records of the engine's store: "KEY of table TABLE", as in messages.
using Fates = std::map<std::string, store::DamagedRecord::Fate, std::less<>>;

// Returns empty if the records can't be rebuilt or dropped, because too much is damaged. Call it
// while this process has nothing of the directory open.
[[nodiscard]] std::optional<Fates> damaged_fates(const Context& context);

// Returns the fate of the record that a message names.
[[nodiscard]] std::optional<store::DamagedRecord::Fate> fate_in(const Fates& fates,
                                                                std::string_view message);

// Removes the damaged records that a repair rebuilds from other records. Call it in a separate
// process that has nothing of the directory open.
void remove_rebuilt(const Context& context);

}  // namespace chirp::cli
