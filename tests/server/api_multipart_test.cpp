// Goal: a form of one file is read as browsers and command lines send it, and any other is refused.
// Method: forms as they are sent; a whole one cut at every length; tables of broken ones.
#include <doctest/doctest.h>

#include "server/api/multipart.h"
#include "server/api/problem.h"
#include "tests/support/api_client.h"
#include "tests/support/pictures.h"

namespace chirp::test {
namespace {

constexpr const char* kType = "multipart/form-data; boundary=XyZ";

std::string form(const std::string& head, const std::string& bytes) {
  return "--XyZ\r\n" + head + "\r\n\r\n" + bytes + "\r\n--XyZ--\r\n";
}

const std::string kHead =
    "Content-Disposition: form-data; name=\"file\"; filename=\"a;\\\"b.png\"\r\n"
    "Content-Type: image/png";

bool refused(std::string_view type, const std::string& body) {
  try {
    (void)api::form_file(type, body);
  } catch (const api::Problem& problem) {
    CHECK(problem.status == 400);
    CHECK(problem.code == "invalid_argument");
    return true;
  }
  return false;
}

}  // namespace

TEST_CASE("multipart: the one file is found, as it is") {
  for (const std::string& bytes :
       {std::string("bytes"), std::string(), std::string("\r\n"), std::string("\r\n--Xy"),
        std::string("--XyZ--"), std::string("\0\xff\r\n\r\n", 6), png()}) {
    const std::string body = form(kHead, bytes);
    const api::FormFile file = api::form_file(kType, body);
    CHECK(file.bytes == bytes);
    CHECK(file.type == "image/png");
  }
  const std::string plain = form("content-disposition:form-data;name=file", "x");
  CHECK(api::form_file(kType, plain).bytes == "x");
  CHECK(api::form_file(kType, plain).type.empty());
  CHECK(api::form_file("Multipart/Form-Data;charset=utf-8; Boundary=\"XyZ\"", plain).bytes == "x");
  CHECK(api::form_file(kType, plain.substr(0, plain.size() - 2)).bytes == "x");
  std::string other = plain;
  for (std::size_t at; (at = other.find("XyZ")) != std::string::npos;) other.replace(at, 3, "a 'b");
  CHECK(api::form_file("multipart/form-data; boundary=\"a 'b\"", other).bytes == "x");
}

TEST_CASE("multipart: a form that is cut short anywhere is refused") {
  const std::string whole = form(kHead, "some bytes");
  for (std::size_t size = 0; size + 2 < whole.size(); ++size) {
    CAPTURE(size);
    CHECK(refused(kType, whole.substr(0, size)));
  }
}

TEST_CASE("multipart: whatever is not a form of one file is refused") {
  const std::string good = form(kHead, "x");
  CHECK_FALSE(refused(kType, good));
  for (const char* type :
       {"multipart/form-data", "multipart/form-data; boundary=",
        "multipart/form-data; boundary=\"\"", "multipart/form-data; boundary=XyZ; boundary=XyZ",
        "multipart/form-data; boundary=\"XyZ", "multipart/form-data; boundary",
        "multipart/form-data; boundary=\"XyZ\" x", "multipart/form-data; boundary=xyz",
        "multipart/form-data; boundary=\"X\\\"yZ\"", "multipart/form-data; boundary=\"XyZ \""}) {
    CAPTURE(type);
    CHECK(refused(type, good));
  }
  CHECK(refused("multipart/form-data; boundary=" + std::string(71, 'a'), good));
  for (const std::string& head :
       {std::string("Content-Disposition: form-data; name=\"other\""),
        std::string("Content-Disposition: form-data"), std::string("Content-Type: image/png"),
        std::string("Content-Disposition: attachment; name=\"file\""),
        std::string("Content-Disposition: form-data; name=\"file\"; name=\"file\""),
        std::string("Content-Disposition: form-data; name=\"file"),
        std::string("Content-Disposition form-data"),
        kHead + "\r\nContent-Transfer-Encoding: base64",
        kHead + "\r\nContent-Disposition: form-data; name=\"file\"",
        kHead + "\r\nX: " + std::string(9000, 'x'), std::string()}) {
    CAPTURE(head.substr(0, 80));
    CHECK(refused(kType, form(head, "x")));
  }
  CHECK(refused(kType, "x" + good));
  CHECK(refused(kType, "\r\n" + good));
  CHECK(refused(kType, good + "x"));
  CHECK(refused(kType, "--XyZ--\r\n"));
  CHECK(refused(kType, ""));
  const std::string part = "--XyZ\r\n" + kHead + "\r\n\r\nx\r\n";
  CHECK(refused(kType, part + part + "--XyZ--\r\n"));
  CHECK(refused(kType, "--XyZ\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n" + good));
}

TEST_CASE("multipart: a form uploads like the file itself") {
  ApiClient api;
  const std::string token = api.token_of(api.add("mira"));
  const auto upload = [&](const std::string& head, const std::string& bytes) {
    return api.ask(http::Method::kPost, "/v1/media",
                   {.token = token, .body = form(head, bytes), .type = kType});
  };
  const Answer made = upload(kHead, png());
  CHECK(made.status() == 201);
  CHECK(made.text("/type") == "image/png");
  api.clock.advance(1);
  const std::string unsaid = "Content-Disposition: form-data; name=\"file\"";
  CHECK(upload(unsaid, png()).text("/mediaId") == made.text("/mediaId"));
  CHECK(upload(unsaid + "\r\nContent-Type: application/octet-stream", png()).status() == 200);
  CHECK(upload(unsaid + "\r\nContent-Type: image/gif", png()).status() == 415);
  CHECK(upload(unsaid, "<html>").status() == 415);
  CHECK(upload(kHead, "").status() == 400);
  CHECK(upload(unsaid, "").status() == 400);
  CHECK(upload("Content-Disposition: form-data; name=\"other\"", png()).status() == 400);
}

}  // namespace chirp::test
