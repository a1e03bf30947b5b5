// A bound that the operator has set, and that would be passed. Refused like what is not allowed,
// and told apart by those who answer it differently.
#pragma once

#include <string>
#include <utility>

#include "core/error.h"

namespace chirp::social {

class LimitExceeded final : public Error {
 public:
  // `setting` is the one that says how much is allowed.
  LimitExceeded(const std::string& message, std::string setting)
      : Error(ErrorCode::kForbidden, message, std::move(setting)) {}
};

}  // namespace chirp::social
