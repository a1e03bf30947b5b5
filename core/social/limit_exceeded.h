// A change would exceed a bound that the operator has set. Most callers treat it as kForbidden; a
// type of its own lets others answer it differently.
#pragma once

#include <string>
#include <utility>

#include "core/error.h"

namespace chirp::social {

class LimitExceeded final : public Error {
 public:
  // `setting` is the name of the bound.
  LimitExceeded(const std::string& message, std::string setting)
      : Error(ErrorCode::kForbidden, message, std::move(setting)) {}
};

}  // namespace chirp::social
