#include "cli/rehearsal.h"

namespace chirp::cli {
namespace {

// What a decision throws undoes all that it has put.
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
