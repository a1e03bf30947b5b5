#include "tests/support/api_client.h"

#include <algorithm>
#include <charconv>

#include <doctest/doctest.h>
#include <simdjson.h>

#include "core/events/consumers.h"
#include "core/settings.h"
#include "server/limits.h"

namespace chirp::test {
namespace {

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    if (text[i] == '%' && i + 2 < text.size()) {
      std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16);
      out.push_back(static_cast<char>(byte));
      i += 2;
    } else {
      out.push_back(text[i]);
    }
  }
  return out;
}

template <class Visit>
void each_part(std::string_view text, char at, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(at), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

http::Request request_for(http::Method method, std::string_view target, const Asking& asking) {
  http::Request request;
  request.method = method;
  const std::size_t mark = std::min(target.find('?'), target.size());
  request.path = target.substr(0, mark);
  each_part(std::string_view(request.path).substr(1), '/',
            [&](std::string_view part) { request.segments.push_back(percent_decoded(part)); });
  if (request.path.size() > 1 && request.path.ends_with('/')) request.segments.emplace_back();
  each_part(target.substr(std::min(mark + 1, target.size())), '&', [&](std::string_view part) {
    const std::size_t equals = std::min(part.find('='), part.size());
    request.query.push_back({percent_decoded(part.substr(0, equals)),
                             percent_decoded(part.substr(std::min(equals + 1, part.size())))});
  });
  request.headers = asking.headers;
  request.headers.push_back({"host", "chirp.example"});
  if (!asking.token.empty()) {
    request.headers.push_back({"authorization", "Bearer " + asking.token});
  }
  if (!asking.body.empty()) request.headers.push_back({"content-type", asking.type});
  request.body = asking.body;
  request.address = asking.address;
  request.id = "r1";
  return request;
}

// ---- answers

std::optional<std::string> Answer::header(std::string_view name) const {
  std::optional<std::string> value;
  for (const http::Pair& header : response_.headers) {
    if (header.name != name) continue;
    CHECK_MESSAGE(!value, "two headers ", name);
    value = header.value;
  }
  return value;
}

struct Answer::Json {
  explicit Json(const std::string& text) : body(text) {}

  simdjson::dom::element root() {
    simdjson::dom::element element;
    const auto error = parser.parse(body).get(element);
    REQUIRE_MESSAGE(error == simdjson::SUCCESS, "not JSON: ", body);
    return element;
  }
  simdjson::dom::element at(std::string_view pointer) {
    simdjson::dom::element element;
    const auto error = root().at_pointer(pointer).get(element);
    REQUIRE_MESSAGE(error == simdjson::SUCCESS, std::string(pointer), " is not in ", body);
    return element;
  }

  const std::string body;
  simdjson::dom::parser parser;
};

Answer::Json& Answer::json() const {
  if (!json_) json_ = std::make_shared<Json>(response_.body);
  return *json_;
}

bool Answer::is_null(std::string_view pointer) const { return json().at(pointer).is_null(); }

bool Answer::has(std::string_view pointer) const {
  simdjson::dom::element element;
  return json().root().at_pointer(pointer).get(element) == simdjson::SUCCESS;
}

std::string Answer::text(std::string_view pointer) const {
  std::string_view value;
  REQUIRE_MESSAGE(json().at(pointer).get(value) == simdjson::SUCCESS, std::string(pointer),
                  " is no string in ", response_.body);
  return std::string(value);
}

std::int64_t Answer::number(std::string_view pointer) const {
  std::int64_t value = 0;
  REQUIRE_MESSAGE(json().at(pointer).get(value) == simdjson::SUCCESS, std::string(pointer),
                  " is not a number in ", response_.body);
  return value;
}

double Answer::real(std::string_view pointer) const {
  double value = 0;
  REQUIRE_MESSAGE(json().at(pointer).get(value) == simdjson::SUCCESS, std::string(pointer),
                  " is not a number in ", response_.body);
  return value;
}

bool Answer::flag(std::string_view pointer) const {
  bool value = false;
  REQUIRE_MESSAGE(json().at(pointer).get(value) == simdjson::SUCCESS, std::string(pointer),
                  " is no boolean in ", response_.body);
  return value;
}

std::size_t Answer::size(std::string_view pointer) const {
  simdjson::dom::array value;
  REQUIRE_MESSAGE(json().at(pointer).get(value) == simdjson::SUCCESS, std::string(pointer),
                  " is no array in ", response_.body);
  return value.size();
}

std::string Answer::blamed() const {
  std::string fields;
  if (!has("/errors")) return fields;
  for (std::size_t i = 0; i < size("/errors"); ++i) {
    if (i > 0) fields += ' ';
    fields += text("/errors/" + std::to_string(i) + "/field");
  }
  return fields;
}

// ---- asking

ApiClient::ApiClient() { app = api::make_app(parts()); }

api::AppParts ApiClient::parts() {
  return {.engine = engine,
          .callers = callers,
          .hub = hub,
          .metrics = metrics,
          .log = log,
          .version = "1.2.3",
          .healthy = [this] { return healthy; },
          .after_read = [this](UserNumber viewer,
                               feed::Upkeep what) { engine.feeds().after_read(viewer, what); },
          .deliveries = &deliveries};
}

void ApiClient::start_demo(std::vector<UserNumber> who) {
  api::AppParts with_demo = parts();
  with_demo.demo.emplace(api::Demo{stage, std::move(who)});
  app = api::make_app(std::move(with_demo));
}

Answer ApiClient::ask(http::Method method, std::string_view target, const Asking& asking) {
  http::Response response = app->answer(request_for(method, target, asking));
  if (response.source) {
    response.body.resize(response.source_bytes);
    response.source->read(response.source_begin, response.body);
  }
  return Answer(std::move(response));
}

Answer ApiClient::get(std::string_view target, std::string token) {
  return ask(http::Method::kGet, target, {.token = std::move(token)});
}

Answer ApiClient::post(std::string_view target, std::string token, std::string body) {
  return ask(http::Method::kPost, target, {.token = std::move(token), .body = std::move(body)});
}

Answer ApiClient::put(std::string_view target, std::string token) {
  return ask(http::Method::kPut, target, {.token = std::move(token)});
}

Answer ApiClient::patch(std::string_view target, std::string token, std::string body) {
  return ask(http::Method::kPatch, target, {.token = std::move(token), .body = std::move(body)});
}

Answer ApiClient::remove(std::string_view target, std::string token) {
  return ask(http::Method::kDelete, target, {.token = std::move(token)});
}

User ApiClient::add(const std::string& name) {
  social::SignUp sign_up;
  sign_up.username = name;
  return engine.accounts().add(sign_up).user;
}

User ApiClient::add(const std::string& name, const std::string& password) {
  social::SignUp sign_up;
  sign_up.username = name;
  sign_up.email = name + "@example.org";
  sign_up.password = password;
  return engine.accounts().add(sign_up).user;
}

std::string ApiClient::token_of(const User& user) {
  return engine.tokens().mint(user, std::nullopt).token;
}

void ApiClient::set(const std::string& key, const std::string& value) {
  settings::set(storage, key, value, clock.now());
  clock.advance(limits::kSettingsLookMs);
}

void ApiClient::drain() { events::drain(storage, clock); }

}  // namespace chirp::test
