// The tables of users and of their tokens and uploads.
//
//   users_state  one row: the number of the last change to a user or token (`version`), the last
//                live id, number and due card given, the number of users, when media were last
//                swept
//   users        one row per user; searches for parts of names use `searched`
//   tokens       one row per API token: its hash, user and expiry
//   media        one row per upload and owner: hash, type, size, since when it is unreferenced
//   media_bytes  the bytes of uploads by hash, in parts of 256 KiB
//   due_cards    users whose card in the engine may be older than their row
//   leaving      users whose removal has begun
//   retired_ids  ids of removed users above the floor of live ids, which must not be reissued
//
// Names are compared by the bytes of their ASCII lower case, in any database locale. chirp makes
// trigrams of plain characters itself: pg_trgm treats characters that are not letters in the locale
// as blanks, and then finds no name beyond ASCII.
#include "store/postgres/cluster/schema.h"

namespace chirp::postgres {
namespace {

constexpr const char* kTables = R"sql(
create table if not exists users_state (
  only_row boolean primary key default true check (only_row),
  version int8 not null default 1,
  last_id int8 not null default 0,
  last_number int8 not null default 0,
  last_due int8 not null default 0,
  present int8 not null default 0,
  media_swept int8 not null default 0
);
insert into users_state default values on conflict do nothing;

create table if not exists users (
  number int8 primary key check (number between 1 and 4294967295),
  id int8 not null,
  created_at int8 not null,
  source_id int8,
  picture int8,
  old_name_until int8,
  name_origin int2 not null,
  suspended boolean not null,
  username text collate "C" not null,
  searched text collate "C" not null,
  bio text not null,
  email text collate "C",
  password text,
  display_name text,
  source_word text collate "C",
  old_name text collate "C"
);

create table if not exists tokens (
  usr int8 not null references users on delete cascade,
  created_at int8 not null,
  expires_at int8,
  hash text collate "C" primary key check (length(hash) = 64)
);

create table if not exists media (
  id int8 primary key check (id > 0),
  owner int8 not null references users on delete cascade,
  bytes int8 not null,
  created_at int8 not null,
  idle_since int8 not null,
  width int8 not null,
  height int8 not null,
  type int2 not null,
  hash text collate "C" not null check (length(hash) = 64),
  unique (owner, hash)
);

create table if not exists media_bytes (
  part int4 not null,
  hash text collate "C" not null,
  bytes bytea not null,
  primary key (hash, part)
);
alter table media_bytes alter column bytes set storage external;

create table if not exists due_cards (
  due int8 primary key,
  number int8 not null unique references users on delete cascade
);
create table if not exists leaving (number int8 primary key references users on delete cascade);
create table if not exists retired_ids (id int8 primary key);
)sql";

// The index merges its pending list at 256 KiB, so that a search scans little of it.
constexpr const char* kIndexes = R"sql(
create or replace function chirp_trigrams(searched text) returns text[]
  language sql immutable strict parallel safe cost 1000
  return array(select substr(searched, i, 3) from generate_series(1, char_length(searched) - 2) i);

create unique index if not exists users_id on users (id);
create unique index if not exists users_username on users (lower(username));
create unique index if not exists users_email on users (lower(email)) where email is not null;
create unique index if not exists users_source_id on users (source_id)
  where source_id is not null;
create unique index if not exists users_source_word on users (source_word)
  where source_word is not null;
create unique index if not exists users_old_name on users (lower(old_name))
  where old_name is not null;
create index if not exists users_created_at on users (created_at);
create index if not exists users_picture on users (picture) where picture is not null;
create index if not exists users_suspended on users (lower(username)) where suspended;
create index if not exists users_trigrams on users using gin (chirp_trigrams(searched))
  with (gin_pending_list_limit = 256);
create index if not exists tokens_usr on tokens (usr);
create index if not exists media_hash on media (hash);
create index if not exists media_idle_since on media (idle_since);
)sql";

}  // namespace

std::string users_schema() { return std::string(kTables) + kIndexes; }

}  // namespace chirp::postgres
