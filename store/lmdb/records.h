// The contents of each table's records. `encode_…` appends the payload and returns the flags. Keys
// are in store/lmdb/codecs.h.
#pragma once

#include <cstdint>
#include <string>

#include "core/ports/tables.h"
#include "store/lmdb/record.h"
#include "store/lmdb/txn.h"

namespace chirp::lmdb {

// ---- people (people_records.cpp)

[[nodiscard]] AuthorCard decode_card(Bytes key, Bytes value);
std::uint8_t encode_card(RecordWriter& out, const AuthorCard& card);
// Reads only this part of the card.
[[nodiscard]] Presence presence_of(const Item& card);

// For blocks, mutes and switched-off reposts.
[[nodiscard]] Time decode_since(Bytes key, Bytes value);
std::uint8_t encode_since(RecordWriter& out, Time since);

[[nodiscard]] UserCounters decode_counters(Bytes key, Bytes value);
std::uint8_t encode_counters(RecordWriter& out, const UserCounters& counters);
[[nodiscard]] feed::AuthorMark decode_mark(Bytes key, Bytes value);
std::uint8_t encode_mark(RecordWriter& out, const feed::AuthorMark& mark);

[[nodiscard]] events::Notification decode_notification(Bytes key, Bytes value);
std::uint8_t encode_notification(RecordWriter& out, const events::Notification& told);
[[nodiscard]] tables::Readers::Row decode_reader(Bytes key, Bytes value);
std::uint8_t encode_reader(RecordWriter& out, const tables::Readers::Row& reader);

// Free-form settings.
[[nodiscard]] std::string decode_setting(Bytes key, Bytes value);
std::uint8_t encode_setting(RecordWriter& out, const std::string& value);

// ---- contents (content_records.cpp)

[[nodiscard]] Post decode_post(Bytes key, Bytes value);
std::uint8_t encode_post(RecordWriter& out, const Post& post);
[[nodiscard]] Comment decode_comment(Bytes key, Bytes value);
std::uint8_t encode_comment(RecordWriter& out, const Comment& comment);
// On a post or a comment.
[[nodiscard]] Reaction decode_reaction(Bytes key, Bytes value);
std::uint8_t encode_reaction(RecordWriter& out, const Reaction& reaction);
[[nodiscard]] ContentCounters decode_content_counters(Bytes key, Bytes value);
std::uint8_t encode_content_counters(RecordWriter& out, const ContentCounters& counters);

// ---- the log (log.cpp)

[[nodiscard]] events::Event decode_event(Bytes key, Bytes value);
std::uint8_t encode_event(RecordWriter& out, const events::Event& event);
[[nodiscard]] FanOutRow decode_fan_out_row(Bytes key, Bytes value);
std::uint8_t encode_fan_out_row(RecordWriter& out, const FanOutRow& row);

}  // namespace chirp::lmdb
