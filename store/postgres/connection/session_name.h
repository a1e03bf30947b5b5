// The application_name of chirp's sessions in pg_stat_activity, for operators and `chirp status`.
// It disappears with the session, so a process that dies leaves nothing behind.
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
// Returns the statement that sets this name for a session.
[[nodiscard]] std::string name_as_server(std::string_view address);

// Parses such a name into pid, host and address; empty for any other name. PostgreSQL keeps 63
// bytes of a name, so the end of a long host may be missing.
[[nodiscard]] std::optional<store::ProcessStatus> process_named(std::string_view name);

}  // namespace chirp::postgres
