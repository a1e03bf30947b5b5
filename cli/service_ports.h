// The ports that the server needs to serve a data directory.
#pragma once

#include "core/ports/clock.h"
#include "core/ports/password_hasher.h"
#include "server/service.h"
#include "store/data_directory.h"

namespace chirp::cli {

// All three must outlive the service.
[[nodiscard]] ServicePorts service_ports(store::DataDirectory& directory,
                                         const PasswordHasher& hasher, const Clock& clock);

}  // namespace chirp::cli
