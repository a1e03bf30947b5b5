#include "tests/support/faults.h"

#include <fstream>

#include <fmt/format.h>

namespace chirp::test {

bool built_with_sanitizer() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#else
  return false;
#endif
}

bool can_inject_faults() { return !built_with_sanitizer(); }

Faults::Faults(const std::filesystem::path& folder) : folder_(std::filesystem::canonical(folder)) {}

void Faults::restart_count() const {
  std::ofstream(outside_ / "calls", std::ios::binary) << std::string(16, '\0');
}

std::uint64_t Faults::calls() const {
  std::uint64_t calls = 0;
  std::ifstream(outside_ / "calls", std::ios::binary)
      .read(reinterpret_cast<char*>(&calls), sizeof calls);
  return calls;
}

Command Faults::counted(Command command) const { return at(0, "kill", std::move(command)); }

Command Faults::at(std::uint64_t at, const std::string& mode, Command command) const {
  restart_count();
  for (const std::string& pair :
       {fmt::format("LD_PRELOAD={}", CHIRP_FAULT_INJECTOR),
        fmt::format("CHIRP_FAULT_DIR={}", folder_.string()),
        fmt::format("CHIRP_FAULT_COUNT={}", (outside_ / "calls").string()),
        fmt::format("CHIRP_FAULT_MODE={}", mode), fmt::format("CHIRP_FAULT_AT={}", at)}) {
    command.environment.push_back(pair);
  }
  return command;
}

Command Faults::from(std::uint64_t at, const std::string& mode, Command command) const {
  Command faulty = this->at(at, mode, std::move(command));
  faulty.environment.emplace_back("CHIRP_FAULT_STICKY=1");
  return faulty;
}

Command Faults::recorded(const std::filesystem::path& record, Command command) const {
  std::ofstream(record, std::ios::app);
  Command recorded = counted(std::move(command));
  recorded.environment.push_back(fmt::format("CHIRP_FAULT_RECORD={}", record.string()));
  return recorded;
}

}  // namespace chirp::test
