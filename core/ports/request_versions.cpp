#include "core/ports/request_versions.h"

namespace chirp {
namespace {

thread_local RequestVersions* innermost = nullptr;

}  // namespace

RequestVersions::RequestVersions(std::optional<Seen> seen) noexcept
    : seen_(std::move(seen)), outer_(std::exchange(innermost, this)) {}

RequestVersions::~RequestVersions() { innermost = outer_; }

RequestVersions* RequestVersions::current() noexcept { return innermost; }

}  // namespace chirp
