// A request as the API sees it, the answer it gives, and who gives it.
//
// Framing, limits and deadlines are over when an App is asked: a request is whole, its head is
// sound, and its body is whole and within the limit that the App allowed. One that came in chunks
// looks as if it had come with a Content-Length. Cookies have been dropped.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace chirp::http {

// kOther: one that nothing here takes.
enum class Method : std::uint8_t { kGet, kHead, kPost, kPut, kPatch, kDelete, kOptions, kOther };

[[nodiscard]] std::string_view name(Method method);  // "OTHER" for kOther
[[nodiscard]] Method method_named(std::string_view name);

struct Pair {
  std::string name;
  std::string value;
};

// What is known once the head has been read.
struct Head {
  Method method = Method::kGet;
  std::string path;                   // as sent, without the query
  std::vector<std::string> segments;  // of the path, percent-decoded one by one; of "/" none
  std::vector<Pair> query;            // percent-decoded, in the order sent
  std::vector<Pair> headers;          // names in lower case; values printable ASCII or UTF-8
  std::string address;                // of the socket's other end, without the port
  // Of the Host header and of the target, if they name one: without ports, IPv6 in brackets.
  std::vector<std::string> hosts;

  // The first header of this name (in lower case).
  [[nodiscard]] std::optional<std::string_view> header(std::string_view name) const;
};

struct Request : Head {
  std::string body;
  std::string id;        // of this request, for the log; unique in a process's life
  bool counted = false;  // the App was asked about it before, and has counted it
  // When it was there, by the front's steady clock; 0 if it is not known.
  std::int64_t arrived_ns = 0;
};

// Whose room is used by what is held for a request. The keys may be any text; `user` is empty for a
// client without an account.
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
  // How far the client is with what was queued. One that has drained can take some thirty events at
  // once, so whoever has more to send waits for it.
  enum class Flow : std::uint8_t { kDrained, kQueued, kGone };
  [[nodiscard]] virtual Flow flow() const = 0;
  // Ends the stream after what is queued.
  virtual void close() = 0;
  // Ends it at once: nothing is sent once this returns, what is queued included.
  virtual void cut() = 0;
};

// Bytes that are sent piece by piece from where they lie, so that nothing of them is held for a
// client that takes its time. Safe to call from any thread.
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
  // Whose room it uses until the client has taken it; without an address, that of the other end of
  // the socket.
  Holder holder{};
  // Of a stream: called once, after the head has been sent, with the connection's outlet. Then
  // `body` is empty, and the connection belongs to the stream until either side closes it.
  std::function<void(std::shared_ptr<Outlet>)> stream{};
};

// Which threads work on a request, so that none waits for slower ones: reads never wait for
// writers, and both never for password hashing. What is plain asks no store that may keep it
// waiting, so it is answered whatever the others wait for.
enum class Lane : std::uint8_t { kRead, kWrite, kPassword, kPlain };

// What the front needs to know before it reads a body.
struct Admission {
  Lane lane = Lane::kRead;
  std::size_t body_max = 0;     // bytes; a longer one is refused with 413 before it is read
  std::string_view types;       // the media types of bodies taken here, for the 415 of others
  bool may_be_at_once = false;  // App::answer_at_once may have the answer
};

// What an App says to a request of which the head is there and the body is not.
struct Entry {
  std::optional<Response> refusal{};  // said instead of taking the body
  Holder holder{};                    // who pays for the body while it arrives
};

// What goes wrong before an App can be asked.
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
  // How many connections the other end of a socket may have; none for one that speaks for many.
  [[nodiscard]] virtual std::optional<std::size_t> connections_of(
      const std::string& address) const = 0;
  // Whether a body may come. Asked once of a request whose body is still on its way, which is
  // answered later unless this refuses it; others are answered without.
  [[nodiscard]] virtual Entry enter(const Request& bodiless) = 0;
  [[nodiscard]] virtual Response answer(const Request& request) = 0;
  // The same answer, if all of it is in memory and nobody has to be waited for: neither a source
  // nor a stream. Nothing for other requests, which are answered by answer() then; what has been
  // counted of such a one is noted in it. Asked on the thread that watches the sockets, or, where
  // FrontOptions::looks_first says so, on one that may wait for a look.
  [[nodiscard]] virtual std::optional<Response> answer_at_once(Request& request) = 0;
  // A problem document with the headers that every answer has.
  [[nodiscard]] virtual Response refuse(const Refusal& refusal) = 0;
};

}  // namespace chirp::http
