#include "cli/service_ports.h"

#include <memory>

namespace chirp::cli {

ServicePorts service_ports(store::DataDirectory& directory, const PasswordHasher& hasher,
                           const Clock& clock) {
  directory.tell_user_version();
  ServicePorts ports{directory.storage(),
                     directory.users(),
                     hasher,
                     clock,
                     [&directory] { return std::shared_ptr<void>(directory.try_consumer_right()); },
                     {}};
  ports.check_place = [&directory] { directory.check_place(); };
  ports.uuid = directory.uuid();
  if (directory.place().is_database()) {
    ports.hurry = [&directory](std::chrono::milliseconds most) { directory.hurry(most); };
    ports.database_timeout = directory.place().options().timeout;
    ports.database_use = [&directory] {
      const store::DatabaseUse use = directory.database_use();
      return DatabaseLoad{static_cast<double>(use.connections_used),
                          static_cast<double>(use.connections),
                          static_cast<double>(use.round_trips)};
    };
  } else {
    ports.store_use = [&directory] {
      const store::EngineUse use = directory.engine_use();
      StoreUse told{static_cast<double>(use.map_bytes_used), static_cast<double>(use.map_bytes),
                    static_cast<double>(use.readers_used), static_cast<double>(use.readers)};
      if (use.oldest) {
        told.oldest = OldReader{use.oldest->pid, use.oldest->command,
                                static_cast<std::int64_t>(use.oldest->commits_ago),
                                static_cast<std::int64_t>(use.oldest->bytes_held)};
      }
      return told;
    };
  }
  return ports;
}

}  // namespace chirp::cli
