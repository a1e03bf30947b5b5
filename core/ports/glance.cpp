#include "core/ports/glance.h"

namespace chirp {
namespace {

thread_local Glance* innermost = nullptr;

}  // namespace

Glance::Glance(std::optional<Seen> seen) noexcept
    : seen_(std::move(seen)), outer_(std::exchange(innermost, this)) {}

Glance::~Glance() { innermost = outer_; }

Glance* Glance::current() noexcept { return innermost; }

}  // namespace chirp
