#include "server/http/front.h"

#include "server/http/loop.h"

namespace chirp::http {

Front::Front(App& app, const Clock& clock, FrontOptions options)
    : loop_(std::make_unique<Loop>(app, clock, std::move(options))) {}

Front::~Front() = default;

std::uint16_t Front::port() const { return loop_->port(); }

FrontCounts Front::counts() const { return loop_->counts(); }

void Front::start() { loop_->start(); }

void Front::run() { loop_->run(); }

void Front::stop() noexcept { loop_->stop(); }

}  // namespace chirp::http
