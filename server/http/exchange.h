// A request as the API sees it, its answer, and the interface that gives the answer.
//
// Framing, limits and deadlines are handled before an App is called. The request is complete and
// its head valid, and its body is within the limit that the App allowed. A chunked body looks as if
// it had a Content-Length. Cookies are removed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/value_names.h"

namespace chirp::http {

// kOther: one that nothing here takes.
enum class Method : std::uint8_t { kGet, kHead, kPost, kPut, kPatch, kDelete, kOptions, kOther };

inline constexpr ValueNames<Method, 8> kMethodNames{{
    {Method::kGet, "GET"},
    {Method::kHead, "HEAD"},
    {Method::kPost, "POST"},
    {Method::kPut, "PUT"},
    {Method::kPatch, "PATCH"},
    {Method::kDelete, "DELETE"},
    {Method::kOptions, "OPTIONS"},
    {Method::kOther, "OTHER"},
}};
[[nodiscard]] constexpr std::string_view name(Method method) {
  return name_in(kMethodNames, method);
}
[[nodiscard]] constexpr Method method_named(std::string_view name) {
  return value_in(kMethodNames, name).value_or(Method::kOther);
}

struct Pair {
  std::string name;
  std::string value;
};

// The facts known after the head is read.
struct Head {
  Method method = Method::kGet;
  std::string path;                   // as sent, without the query
  std::vector<std::string> segments;  // of the path, percent-decoded one by one; of "/" none
  std::vector<Pair> query;            // percent-decoded, in the order sent
  std::vector<Pair> headers;          // names in lower case; values printable ASCII or UTF-8
  std::string address;                // of the socket's other end, without the port
  // From the Host header and the target, if they name one: without ports, IPv6 in brackets.
  std::vector<std::string> hosts;

  // The first header of this name (in lower case).
  [[nodiscard]] std::optional<std::string_view> header(std::string_view name) const {
    const auto found = std::ranges::find(headers, name, &Pair::name);
    if (found == headers.end()) return std::nullopt;
    return found->value;
  }
};

struct Request : Head {
  std::string body;
  std::string id;        // of this request, for the log; unique in a process's life
  bool counted = false;  // the App was asked about it before, and has counted it
  // When the request had arrived, by the front's steady clock; 0 if unknown.
  std::int64_t arrived_ns = 0;
};

// The client whose quota pays for the memory of a request. The keys may be any text; `user` is
// empty for a client without an account.
struct Holder {
  std::string address;
  std::string user;

  bool operator==(const Holder&) const = default;
};

// The sending end of a stream of events. Safe to call from any thread.
class Outlet {
 public:
  virtual ~Outlet() = default;

  // Queues bytes to be sent, and never waits. False if the client is gone, or has fallen so far
  // behind (limits of server/limits.h) that it is being dropped: nothing more need be sent.
  virtual bool send(std::string_view bytes) = 0;
  // How far the client has read the queued bytes. A drained client can take about thirty events at
  // once, so a sender with more waits until it is drained.
  enum class Flow : std::uint8_t { kDrained, kQueued, kGone };
  [[nodiscard]] virtual Flow flow() const = 0;
  // Ends the stream after what is queued.
  virtual void close() = 0;
  // Ends it at once: nothing is sent once this returns, what is queued included.
  virtual void cut() = 0;
};

// Bytes that are sent piece by piece from their storage, so that nothing is held in memory for a
// slow client. Safe to call from any thread.
class Source {
 public:
  virtual ~Source() = default;
  // Fills all of `into` from there on. Throws if they can't be had: the answer breaks off.
  virtual void read(std::uint64_t offset, std::span<char> into) const = 0;
};

struct Response {
  int status = 200;
  std::vector<Pair> headers;  // without Content-Type, Content-Length, Date and Connection
  std::string type;           // Content-Type; empty: no body
  std::string body;           // compressed by the front, for clients that accept it
  // Instead of `body`: so many bytes from there on.
  std::shared_ptr<const Source> source{};
  std::uint64_t source_begin = 0;
  std::uint64_t source_bytes = 0;
  // The client whose quota pays for it until the client has taken it; without an address, the
  // socket's peer.
  Holder holder{};
  // For a stream: called once, after the head was sent, with the connection's outlet. Then `body`
  // is empty, and the connection belongs to the stream until either side closes it.
  std::function<void(std::shared_ptr<Outlet>)> stream{};
};

// Which threads work on a request, so that fast requests never wait for slow ones: reads never wait
// for writers, and neither waits for password hashing. A plain request never asks a store that may
// block, so it is answered whatever the others wait for.
enum class Lane : std::uint8_t { kRead, kWrite, kPassword, kPlain };

// The facts that the front needs before it reads a body.
struct Admission {
  Lane lane = Lane::kRead;
  std::size_t body_max = 0;     // bytes; a longer one is refused with 413 before it is read
  std::string_view types;       // the media types of bodies taken here, for the 415 of others
  bool may_be_at_once = false;  // App::answer_at_once may have the answer
};

// An App's decision on a request whose head has arrived and whose body has not.
struct Entry {
  std::optional<Response> refusal{};  // said instead of taking the body
  Holder holder{};                    // who pays for the body while it arrives
};

// An error before an App can be asked.
struct Refusal {
  int status = 400;    // 400, 408, 413, 414, 415, 431, 501, 503
  std::string detail;  // for people
  std::string address;
  std::string request_id;
};

// Answers requests. Safe to call from any thread; never throws.
class App {
 public:
  virtual ~App() = default;

  [[nodiscard]] virtual Admission admit(const Head& head) const = 0;
  // Returns how many connections a socket's peer may have; empty for a peer that speaks for many.
  [[nodiscard]] virtual std::optional<std::size_t> connections_of(
      const std::string& address) const = 0;
  // Whether a body may come. Asked once of a request whose body is still on its way, which is
  // answered later unless this refuses it; others are answered without.
  [[nodiscard]] virtual Entry enter(const Request& bodiless) = 0;
  [[nodiscard]] virtual Response answer(const Request& request) = 0;
  // Returns the answer if all of it is in memory and needs no waiting: no source and no stream.
  // Empty for other requests, which answer() answers later; what was counted is noted in the
  // request. Called on the thread that watches the sockets, or with FrontOptions::looks_first on a
  // thread that may wait for a look.
  [[nodiscard]] virtual std::optional<Response> answer_at_once(Request& request) = 0;
  // A problem document with the headers that every answer has.
  [[nodiscard]] virtual Response refuse(const Refusal& refusal) = 0;
};

}  // namespace chirp::http
