// Makes whole requests of the bytes of one connection. No sockets, no time. For one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "server/http/chunks.h"
#include "server/http/exchange.h"
#include "server/http/head.h"

namespace chirp::http {

struct Arrived {
  Request request;  // without its id
  Lane lane = Lane::kRead;
  bool may_be_at_once = false;
  After after = After::kKeep;
  Coding coding = Coding::kIdentity;
};

class RequestReader {
 public:
  // The stage of the arriving request. kEntry: its head has arrived, and the App must decide
  // whether its body may come; nothing more is read before let_in().
  enum class Stage : std::uint8_t { kNothing, kHead, kEntry, kBody };

  // `app` must outlive it.
  RequestReader(const App& app, std::string address);

  // Returns how many bytes to read at most; bytes beyond belong to another request, and wait.
  [[nodiscard]] std::size_t room() const;
  void add(std::string_view bytes);

  // Returns what is known now: a whole request, a fault after which nothing of this connection can
  // be read, or the stage.
  [[nodiscard]] std::variant<Stage, Arrived, Fault> next();

  // For kEntry: bodiless() returns the head as a request without its body. body_bytes() returns the
  // body's length, or its maximum for a chunked body.
  [[nodiscard]] Request bodiless() const;
  [[nodiscard]] std::size_t body_bytes() const;
  [[nodiscard]] Coding coding() const;
  void let_in();

  // True once, when the client waits for a word before it sends the body.
  [[nodiscard]] bool takes_continue();

  // Forgets what has arrived: nothing more is read.
  void drop();

  // Returns the method of the arriving request; GET before its head is read.
  [[nodiscard]] Method method() const;
  [[nodiscard]] const std::string& address() const { return address_; }
  // In memory, of what has arrived and was not given out.
  [[nodiscard]] std::size_t held_bytes() const { return input_.size() + body_.size(); }

 private:
  std::optional<Fault> begin(std::size_t head_bytes);
  std::optional<Fault> admit();
  void move_into_body();

  const App& app_;
  std::string address_;
  std::string input_;
  HeadScanner scanner_;
  std::optional<ParsedHead> parsed_;  // while the body arrives
  Lane lane_ = Lane::kRead;
  bool may_be_at_once_ = false;
  std::string body_;
  std::optional<ChunkedBody> chunks_;  // of a chunked body
  bool entered_ = false;
};

}  // namespace chirp::http
