// The error for a suspended user who has proved their identity.
#pragma once

#include "core/error.h"

namespace chirp::social {

class AccountSuspended : public Error {
 public:
  AccountSuspended()
      : Error(ErrorCode::kForbidden,
              "This account is suspended. Nothing of it is lost; ask who runs this place.") {}
};

}  // namespace chirp::social
