// Operations: uploading and fetching files.
#include <array>
#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/media/file.h"
#include "server/api/byte_range.h"
#include "server/api/call.h"
#include "server/api/multipart.h"
#include "server/api/operations.h"
#include "server/api/request_values.h"

namespace chirp::api {
namespace {

constexpr std::string_view kForm = "multipart/form-data";
constexpr std::string_view kAnyBytes = "application/octet-stream";  // of a part without a type
constexpr std::size_t kTagDigits = 32;

Problem unsupported(std::string detail) {
  return {415, "unsupported_media_type", std::move(detail)};
}

bool is_taken(std::string_view type) {
  for (std::uint64_t number = 1; media_type_of(number); ++number) {
    if (mime_type(*media_type_of(number)) == type) return true;
  }
  return false;
}

constexpr const char* kTaken =
    "A file is image/png, image/jpeg, image/gif, image/webp or video/mp4.";

// A stored file, sent in pieces.
class FileSource final : public http::Source {
 public:
  explicit FileSource(std::shared_ptr<const MediaFile> file) : file_(std::move(file)) {}

  void read(std::uint64_t offset, std::span<char> into) const override {
    file_->read(offset, into);
  }

 private:
  std::shared_ptr<const MediaFile> file_;
};

// Returns the file of an upload, from a form or a plain body.
FormFile file_in(const http::Request& request) {
  const std::string_view header = request.header("content-type").value_or("");
  const std::string type = media_type_in(header);
  if (type != kForm) return {type, request.body};
  FormFile file = form_file(header, request.body);
  if (file.type == kAnyBytes) file.type.clear();
  if (file.type.empty()) {
    if (const auto seen = media::type_of(file.bytes)) file.type = mime_type(*seen);
  }
  return file;
}

// Throws Problem for a file that can't be accepted.
void check_file(const FormFile& file) {
  if (file.bytes.size() > chirp::limits::kMediaBytesMax) {
    throw Problem{413, "payload_too_large",
                  fmt::format("A file may have at most {} bytes.", chirp::limits::kMediaBytesMax)};
  }
  if (file.bytes.empty()) throw unreadable("The file is empty.");
  if (!is_taken(file.type)) {
    throw unsupported(kTaken);
  }
  const auto seen = media::type_of(file.bytes);
  if (seen && mime_type(*seen) == file.type) return;
  throw unsupported(fmt::format("The file was sent as {}, but it is not one.", file.type));
}

void write_media(JsonWriter& json, const Upload& upload) {
  json.begin_object();
  json.field("mediaId", upload.id);
  json.field("url", address_of(upload.id));
  json.field("type", mime_type(upload.facts.type));
  json.field("bytes", upload.bytes);
  if (upload.facts.width > 0 && upload.facts.height > 0) {
    json.field("width", upload.facts.width);
    json.field("height", upload.facts.height);
  }
  json.end_object();
}

KeptMedia kept(Call& call, const FormFile& file) {
  try {
    return call.engine().media().keep(call.me(), file.bytes);
  } catch (const Error& error) {
    // It has the signature of its type, but is damaged.
    if (error.code() == ErrorCode::kInvalidArgument) throw unsupported(error.what());
    throw;
  }
}

http::Response upload_media(Call& call) {
  const FormFile file = file_in(call.request());
  check_file(file);
  const auto [result, upload] = kept(call, file);
  JsonWriter body;
  write_media(body, upload);
  if (result == KeptMedia::Result::kThereBefore) return json(200, body);
  return created(body, address_of(upload.id));
}

// Throws Problem 404 if there is no such upload that the caller may see.
Upload upload_of(Call& call) {
  const MediaId id = call.media();
  if (auto upload = call.engine().media().shown(id)) return *std::move(upload);
  throw not_found(fmt::format("There is no file {}.", id.value));
}

// Returns the range to send; empty for the whole file. Throws Problem 416.
std::optional<ByteRange> range_of(const Call& call, const Upload& upload, std::string_view tag) {
  const http::Request& request = call.request();
  const auto header = request.header("range");
  if (!header || request.method != http::Method::kGet) return std::nullopt;
  const auto held = request.header("if-range");
  if (held && *held != tag) return std::nullopt;
  const auto range = byte_range(*header, upload.bytes);
  if (!range || range->satisfiable) return range;
  throw Problem{416,
                "invalid_argument",
                fmt::format("The range begins past the end: the file has {} bytes.", upload.bytes),
                {{"Range", "begins past the end"}},
                {{"Content-Range", fmt::format("bytes */{}", upload.bytes)}}};
}

http::Response get_media(Call& call) {
  const Upload upload = upload_of(call);
  const std::string tag = "\"" + upload.hash.substr(0, kTagDigits) + "\"";
  http::Response response;
  response.headers = {{"ETag", tag},
                      {"Cache-Control", "public, no-cache"},
                      {"Accept-Ranges", "bytes"},
                      {"Content-Security-Policy", "default-src 'none'; sandbox"}};
  const auto held = call.request().header("if-none-match");
  if (held && names_tag(*held, tag)) {
    response.status = 304;
    return response;
  }
  const auto range = range_of(call, upload, tag);
  response.type = mime_type(upload.facts.type);
  response.source = std::make_shared<FileSource>(call.engine().directory().media().open(upload));
  response.source_bytes = upload.bytes;
  if (!range) return response;
  response.status = 206;
  response.headers.push_back(
      {"Content-Range", fmt::format("bytes {}-{}/{}", range->first, range->last, upload.bytes)});
  response.source_begin = range->first;
  response.source_bytes = range->last - range->first + 1;
  return response;
}

using http::Method;

}  // namespace

std::span<const Operation> media_calls() {
  static constexpr std::array kOperations{
      writing(Method::kPost, "/v1/media", "uploadMedia", upload_media, Body::kUpload),
      reading("/media/{mediaId}", "getMedia", get_media, Access::kNobody),
  };
  return kOperations;
}

void check_upload_type(const http::Head& head) {
  const std::string type = media_type_in(head.header("content-type").value_or(""));
  if (type != kForm && !is_taken(type)) throw unsupported(kTaken);
}

}  // namespace chirp::api
