// The names under which the sessions of chirp stand in pg_stat_activity (application_name), where
// an operator and `chirp status` find them. They end with the session, so nobody has to clear up
// after a process that has died.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "store/directory_status.h"

namespace chirp::postgres {

// "chirp 4711@web1": this process, on this machine.
[[nodiscard]] std::string session_name();
// "chirp serve 127.0.0.1:8080, 4711@web1": this process as a server that listens at `address`.
[[nodiscard]] std::string session_name_of_server(std::string_view address);
// The statement by which a session takes that name.
[[nodiscard]] std::string name_as_server(std::string_view address);

// Pid, host and address of such a name; empty for another one. PostgreSQL keeps 63 bytes of a name,
// so the end of a long host may be missing.
[[nodiscard]] std::optional<store::ProcessStatus> process_named(std::string_view name);

}  // namespace chirp::postgres
