#include "store/postgres/connection/connecting.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <new>
#include <poll.h>
#include <vector>

#include <fmt/format.h>

#include "store/data_place.h"
#include "store/deadline.h"
#include "store/postgres/connection/connection.h"
#include "store/postgres/connection/errors.h"
#include "store/postgres/connection/libpq.h"
#include "store/postgres/connection/session_check.h"
#include "store/postgres/connection/session_name.h"

namespace chirp::postgres {
namespace {

// The options of a URL, freed by the destructor.
class Options {
 public:
  explicit Options(const std::string& url) {
    char* message = nullptr;
    options_ = libpq().parse_options(url.c_str(), &message);
    if (message == nullptr) return;
    const std::string what = in_one_line(message);
    libpq().free_memory(message);
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("This is no address of a database: {}.", what), "data");
  }
  ~Options() { libpq().free_options(options_); }
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  [[nodiscard]] std::string operator[](std::string_view keyword) const {
    for (const PQconninfoOption* option = options_; option->keyword != nullptr; ++option) {
      if (option->keyword == keyword) return option->val == nullptr ? "" : option->val;
    }
    return "";
  }

 private:
  PQconninfoOption* options_ = nullptr;
};

// Returns the SQLSTATE in a verbose error message of the server, where it follows the severity:
// "FATAL:  3D000: database …". Empty for other messages.
std::string_view state_in(std::string_view message) {
  constexpr std::string_view kBefore = ":  ";
  constexpr std::size_t kLength = 5;
  for (std::size_t at = message.find(kBefore); at != std::string_view::npos;
       at = message.find(kBefore, at + 1)) {
    const std::string_view found = message.substr(at + kBefore.size(), kLength);
    const bool is_state = found.size() == kLength && std::ranges::all_of(found, [](char c) {
                            return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
                          });
    if (is_state && message.substr(at + kBefore.size() + kLength).starts_with(": ")) return found;
  }
  return {};
}

// Returns the SQLSTATE of a refused connection. Only a verbose message contains it, so this
// connects again. Empty if that succeeds.
std::string state_of_refusal(PGconn* connection) {
  libpq().set_verbosity(connection, PQERRORS_VERBOSE);
  libpq().reset(connection);
  libpq().set_verbosity(connection, PQERRORS_DEFAULT);
  if (libpq().status(connection) == CONNECTION_OK) return "";
  return std::string(state_in(libpq().error_message(connection)));
}

// Splits at commas; an empty text gives one empty part.
std::vector<std::string> listed(std::string_view text) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t comma = text.find(',');
    parts.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

Error bad_servers(const std::string& why) {
  return {ErrorCode::kInvalidArgument,
          fmt::format("The address of the database {}. Name its servers one behind the other: "
                      "postgresql://HOST,HOST/DATABASE, or ?host=HOST,HOST.",
                      why),
          "data"};
}

// libpq silently uses the last one.
void refuse_hosts_said_twice(std::string_view url) {
  std::size_t options = 0;
  for (std::size_t at = url.find('?'); at != std::string_view::npos; at = url.find('&', at + 1)) {
    if (url.substr(at + 1).starts_with("host=")) ++options;
  }
  const std::string_view before = url.substr(0, url.find('?'));
  const std::size_t begin = before.find("//") + 2;
  const std::string_view authority = before.substr(begin, before.find('/', begin) - begin);
  if (options > 1) throw bad_servers("says `host` more than once");
  if (options == 1 && authority.find(',') != std::string_view::npos) {
    throw bad_servers("names servers in two places");
  }
}

// Returns the limit for connecting: the address's own, if it has one.
std::chrono::milliseconds patience_of(const Address& address, const std::string& said) {
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(said.data(), said.data() + said.size(), seconds);
  if (error == std::errc() && seconds > 0) return std::chrono::seconds(seconds);
  if (address.patience.count() != 0) return std::chrono::seconds(2);
  return address.waits ? address.waits->timeout() : std::chrono::seconds(10);
}

// libpq's blocking connect waits for a silent server even when this process should end.
void finish_connecting(PGconn& connection, const std::string& shown, const WaitBounds& bounds) {
  if (libpq().status(&connection) == CONNECTION_BAD) return;
  for (PostgresPollingStatusType next = PGRES_POLLING_WRITING;
       next == PGRES_POLLING_READING || next == PGRES_POLLING_WRITING;) {
    short ready = 0;
    const short events = next == PGRES_POLLING_READING ? POLLIN : POLLOUT;
    const std::string why = wait_for_socket(libpq().socket(&connection), events, ready, bounds);
    if (!why.empty()) {
      throw PostgresError(ErrorCode::kUnavailable,
                          fmt::format("There is no connecting to the database {}: {}.{}", shown,
                                      why, advice("", {})),
                          "", "");
    }
    next = libpq().connect_poll(&connection);
  }
}

PostgresError refusal(PGconn* connection, const std::string& shown, bool was_quick) {
  const std::string what = in_one_line(libpq().error_message(connection));
  const bool lacks_password = libpq().needs_password(connection) != 0;
  const std::string state = was_quick ? state_of_refusal(connection) : "";
  ErrorCode code = code_of(state);
  std::string then = advice(state, role_of(*connection));
  if (lacks_password || state == "28P01") {
    code = ErrorCode::kNotLetIn;
    then =
        " Put the password into ~/.pgpass, a file that PGPASSFILE names, a service file, or "
        "PGPASSWORD.";
  } else if (state == "3D000") {
    then = " Make it with createdb, and then run `chirp init`; or name another one with --data.";
  } else if (what.find("SSL") != std::string::npos ||
             what.find("certificate") != std::string::npos) {
    then = " See sslmode and sslrootcert in the address, and the server's certificate.";
  }
  return {code, fmt::format("There is no connecting to the database {}: {}.{}", shown, what, then),
          state, ""};
}

}  // namespace

void check_url(const std::string& url) {
  if (!store::DataPlace::named(url).is_database()) {
    throw Error(ErrorCode::kInvalidArgument, "The address of a database begins with postgresql://.",
                "data");
  }
  (void)Options(url);
}

Role role_of(const pg_conn& connection) {
  const auto text = [](const char* said) { return said == nullptr ? "" : std::string(said); };
  return {text(libpq().user(&connection)), text(libpq().database(&connection))};
}

bool is_in_the_clear(std::string_view address, bool is_encrypted) {
  const bool is_here = address.empty() || address.starts_with('/') || address.starts_with("127.") ||
                       address == "::1";
  return !is_here && !is_encrypted;
}

std::vector<Server> servers_in(const std::string& url) {
  check_url(url);
  refuse_hosts_said_twice(url);
  const Options options(url);
  const auto hosts = listed(options["host"]);
  const auto ports = listed(options["port"]);
  if (hosts.size() == 1) return {{hosts.front(), ports.front()}};
  if (!options["hostaddr"].empty()) throw bad_servers("has several hosts and `hostaddr`");
  if (ports.size() != 1 && ports.size() != hosts.size()) {
    throw bad_servers(fmt::format("has {} hosts and {} ports", hosts.size(), ports.size()));
  }
  std::vector<Server> servers;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    // With several hosts, libpq ignores PGPORT.
    constexpr std::string_view kUsual = "5432";
    const std::string& port = ports[ports.size() == 1 ? 0 : i];
    Server server{hosts[i], port.empty() ? std::string(kUsual) : port};
    if (server.host.empty()) throw bad_servers("has a host without a name among several");
    if (std::ranges::find(servers, server) != servers.end()) {
      throw bad_servers(fmt::format("names {} twice", server.name()));
    }
    servers.push_back(std::move(server));
  }
  return servers;
}

std::pair<pg_conn*, std::string> connect(const Address& address) {
  check_url(address.url);
  const Options options(address.url);
  const Server& server = address.server;
  const std::string host = server.host.empty() ? options["host"] : server.name();
  std::string shown =
      fmt::format("{} at {}", options["dbname"].empty() ? "of the role's name" : options["dbname"],
                  host.empty() ? "its default host" : host);
  const bool is_one_of_several = !server.host.empty();
  // `hostaddr` would lead to the same machine for every server.
  if (is_one_of_several && !options["hostaddr"].empty()) {
    throw bad_servers("says `hostaddr`, and several servers are asked");
  }
  const std::chrono::milliseconds patience = patience_of(address, options["connect_timeout"]);
  const std::string seconds = std::to_string(std::max<std::int64_t>(patience.count() / 1000, 2));
  const std::string ms = std::to_string(patience.count());
  // The URL overrides the settings before it and is overridden by those after it, which choose the
  // server and the encoding. libpq ignores empty values.
  const std::array keywords{"application_name",
                            "connect_timeout",
                            "tcp_user_timeout",
                            "dbname",
                            "client_encoding",
                            "host",
                            "port",
                            "target_session_attrs",
                            static_cast<const char*>(nullptr)};
  const std::string name = session_name();
  const std::array values{name.c_str(),
                          seconds.c_str(),
                          ms.c_str(),
                          address.url.c_str(),
                          "UTF8",
                          server.host.c_str(),
                          server.port.c_str(),
                          is_one_of_several ? "any" : "",
                          static_cast<const char*>(nullptr)};
  const store::Deadline slow(store::machine_clock(), std::chrono::seconds(2));
  const WaitBounds bounds{
      .patience = address.waits.get(),
      .end_ns = store::machine_clock().steady_ns() + std::chrono::nanoseconds(patience).count()};
  const auto begin = [&] {
    RawConnection begun(libpq().connect_start(keywords.data(), values.data(), 1));
    if (!begun) throw std::bad_alloc();
    finish_connecting(*begun, shown, bounds);
    return begun;
  };
  RawConnection answered = begin();
  if (libpq().status(answered.get()) != CONNECTION_OK) {
    throw refusal(answered.get(), shown, !slow.over());
  }
  check_server_version(libpq().server_version(answered.get()), shown);
  check_session(*answered, {address.url + shown, shown, bounds}, begin);
  return {answered.release(), std::move(shown)};
}

}  // namespace chirp::postgres
