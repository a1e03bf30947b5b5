// The error for a suspended user who has proved their identity.
#pragma once

#include "core/error.h"

namespace chirp::social {

class AccountSuspended : public Error {
 public:
  AccountSuspended()
      : Error(ErrorCode::kForbidden,
              "This account is suspended. Its data is kept; ask the operator of this server.") {}
};

}  // namespace chirp::social
