#!/bin/sh
# How the data directory in data/ was made, by the program that made format 1: something of each
# kind of record. data/ is not made again; the next format gets a directory and a script of its own.
# Usage: make.sh CHIRP FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
chirp=$1
CHIRP_DATA=$2
export CHIRP_DATA
unset CHIRP_CONFIG CHIRP_NO_WAIT
at() { export CHIRP_TEST_CLOCK="2026-01-$1:00Z"; }

at 10T09:00
"$chirp" init --machine 3
"$chirp" config set auth.bcrypt_cost 4
"$chirp" config set feed.cap 40
"$chirp" config set tier.influencer_from 6
"$chirp" config set tier.celebrity_above 10

# Loaded people, follows and posts, with ids of their source.
"$chirp" load graph "$here/../village/follows.csv" --names "$here/../village/names.csv"
"$chirp" load posts "$here/../village/posts.jsonl"

# People who signed up, one with everything there is to say.
at 10T10:00
printf 'correct horse' | "$chirp" user add wren --email wren@tern.example --password-stdin \
  --display-name 'Wren Ó Súilleabháin' --bio 'Mends nets.
Mends boots, too.'
"$chirp" user add passing
"$chirp" follow add wren yuki aurora tomas passing
"$chirp" follow add yuki wren
"$chirp" follow add mira wren

# Timelines: built by a read, delivered to, filled by a follow, left behind.
"$chirp" feed rebuild yuki
"$chirp" feed show wren
"$chirp" feed show mira
at 11T08:00
"$chirp" post add wren 'First morning here. The nets are in a state; the gulls are in another.'
"$chirp" post add aurora 'Somebody new on the pier, mending nets in C minor. 🎶'
"$chirp" post add passing 'Only passing through'
at 11T08:30
"$chirp" post add tomas 'Ein Brötchen für jeden, der heute „Moin“ sagt. #TernQuay'
"$chirp" follow remove yuki pearl
"$chirp" follow add yuki ines

# What was removed.
at 12T07:00
slip=$("$chirp" post add wren 'A slip of the finger' --json | sed 's/.*"postId":"\([0-9]*\)".*/\1/')
"$chirp" post remove "$slip"
"$chirp" user remove passing

# Without free space, and then a tail of the log that no consumer has taken in.
"$chirp" compact
at 13T12:00
"$chirp" --no-wait post add nell 'new kite!! it is RED'
"$chirp" --no-wait follow add nell wren

rm -rf "$CHIRP_DATA/open.lock" "$CHIRP_DATA/write.lock" "$CHIRP_DATA/fanout.lock" \
  "$CHIRP_DATA/engine/lock.mdb" "$CHIRP_DATA/media"
