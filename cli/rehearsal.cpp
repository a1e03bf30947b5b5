#include "cli/rehearsal.h"

namespace chirp::cli {
namespace {

// Thrown inside a decision to undo all its changes.
struct Undone {};

}  // namespace

bool Rehearsal::decide(Time now, Purpose purpose, const Decision& decision) {
  try {
    storage_.decide(now, purpose, [&](Rows& rows) -> bool {
      if (decision(rows)) throw Undone();
      return false;
    });
  } catch (const Undone&) {
    return true;
  }
  return false;
}

}  // namespace chirp::cli
