#include "server/log.h"

#include <chrono>
#include <exception>
#include <spdlog/async.h>
#include <spdlog/async_logger.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <utility>

#include "server/json/json_writer.h"
#include "server/limits.h"

namespace chirp {
namespace {

std::string_view name(Severity severity) {
  switch (severity) {
    case Severity::kInfo:
      return "info";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      return "error";
  }
  return "error";
}

Time wall_clock() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return {std::chrono::duration_cast<std::chrono::milliseconds>(since).count()};
}

}  // namespace

// Lines go to a thread of their own, which writes them; when it falls behind, the oldest are
// dropped, so that nobody who is answered waits for whoever reads the log.
class Log::Sink {
 public:
  explicit Sink(Requests requests)
      : requests_(requests),
        pool_(std::make_shared<spdlog::details::thread_pool>(limits::kLogLinesMax, 1)),
        logger_(std::make_shared<spdlog::async_logger>(
            "chirp", std::make_shared<spdlog::sinks::stderr_sink_mt>(), pool_,
            spdlog::async_overflow_policy::overrun_oldest)) {
    logger_->set_pattern("%v");
    // There is nobody to tell that the log can't be written.
    logger_->set_error_handler([](const std::string&) {});
  }

  [[nodiscard]] bool logs_requests() const { return requests_ == Requests::kLogged; }

  void write(Severity severity, std::string_view message, std::initializer_list<LogField> fields) {
    api::JsonWriter json;
    json.begin_object().field("time", wall_clock()).field("level", name(severity));
    json.field("message", message);
    for (const LogField& field : fields) {
      json.key(field.name);
      if (const auto* text = std::get_if<std::string>(&field.value)) {
        json.string(*text);
      } else {
        json.integer(std::get<std::int64_t>(field.value));
      }
    }
    json.end_object();
    logger_->info(json.text());
  }

 private:
  Requests requests_;
  std::shared_ptr<spdlog::details::thread_pool> pool_;
  std::shared_ptr<spdlog::async_logger> logger_;
};

Log::Log(Requests requests) : sink_(std::make_unique<Sink>(requests)) {}
Log::~Log() = default;

void Log::write(Severity severity, std::string_view message,
                std::initializer_list<LogField> fields) noexcept {
  try {
    sink_->write(severity, message, fields);
  } catch (const std::exception&) {
    // A line that can't be made is left out.
  }
}

void Log::request(std::initializer_list<LogField> fields) noexcept {
  if (sink_->logs_requests()) write(Severity::kInfo, "request", fields);
}

}  // namespace chirp
