#!/bin/sh
# How the data directories of formats 2 to 6 were made, each by the last program of its format:
# something of each kind of record that the format has. FOLDER, format-N/ beside this script, gets
# data/; the token that wren has; and answers.txt, what that program answers to whoever asks a copy
# of it. None of them is made again.
# Usage: make.sh CHIRP FORMAT FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
PATH=$(cd "$(dirname "$1")" && pwd):$PATH
format=$2
mkdir -p "$3"
folder=$(cd "$3" && pwd)
has() { [ "$format" -ge "$1" ]; }
CHIRP_DATA=$folder/data
export PATH CHIRP_DATA
unset CHIRP_CONFIG CHIRP_NO_WAIT
at() { export CHIRP_TEST_CLOCK="2026-01-$1:00Z"; }
id_of() { sed "s/.*\"$1\":\"\([0-9]*\)\".*/\1/"; }
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

at 10T09:00
chirp init --machine 5
chirp config set auth.bcrypt_cost 4
chirp config set feed.cap 40
chirp config set tier.influencer_from 6
chirp config set tier.celebrity_above 10
chirp config set log.keep 20d
chirp config set trend.half_life 12h
chirp config set rank.affinity 30
chirp config set http.rate_limit 300
chirp config set http.cors_origins https://tern.example

# Loaded people, follows of all tiers, posts, reposts, comments and likes, with ids of their source.
chirp load graph "$here/village/follows.csv" --names "$here/village/names.csv"
chirp load posts "$here/village/posts.jsonl" "$here/village/talk.jsonl"
chirp load events "$here/village/likes.csv"

# People who signed up, one with everything there is to say, a picture and tokens among it.
at 10T10:00
echo iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg== |
  base64 -d > "$place/dot.png"
echo R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7 | base64 -d > "$place/dot.gif"
printf 'correct horse' | chirp user add wren --email wren@tern.example --password-stdin \
  --display-name 'Wren Ó Súilleabháin' --bio 'Mends nets.
Mends boots, too.'
chirp user edit wren --picture "$place/dot.png"
chirp user token wren > "$folder/token"
chirp user token wren --expires 30d > /dev/null
chirp user add passing
chirp user add grudge
chirp follow add wren yuki aurora tomas passing
chirp follow add yuki wren
chirp follow add grudge wren
chirp follow add mira wren --no-reposts
chirp follow remove yuki pearl

# Blocks and mutes.
chirp user block wren grudge
chirp user mute yuki pearl

# Posts of each privacy, with media, hashtags and mentions.
at 11T08:00
first=$(chirp post add wren 'First morning here, @yuki. #nets #TernQuay' --json | id_of postId)
chirp post add wren 'For those who follow' --privacy followers
chirp post add wren 'For nobody' --privacy private
chirp post add wren '' --media "$place/dot.png" --media "$place/dot.gif"
chirp post add aurora 'Somebody new on the pier, mending #nets in C minor. 🎶'
chirp post add passing 'Only passing through'
tomas=tomas
if has 3; then
  # What the grammar of format 3 read otherwise than that of format 4.
  chirp post add aurora '#می‌خواهم #sea‌wall ＃夜空'
  chirp post add aurora '昨日@wren は港で https://tern.example/wiki/Tern_(bird)'
  # An old name, a suspension, and what a picture shows.
  tomas=tomas_q
  chirp user rename tomas $tomas
  chirp user suspend pearl
  chirp post add wren 'Two dots' --media "$place/dot.png" --alt 'A dot'
fi
at 11T08:30
chirp post repost yuki "$first"
chirp post repost wren "$(chirp post list aurora --json | grep -o '"postId":"[0-9]*"' | head -1 | id_of postId)"
chirp post react mira "$first" --type laugh
chirp post react yuki "$first" --type love
comment=$(chirp comment add mira "$first" 'Mind the gulls, @wren' --json | id_of commentId)
chirp comment add wren "$first" 'They mind me' --parent "$comment"
chirp comment like wren "$comment"
chirp comment remove "$(chirp comment add yuki "$first" 'A slip' --json | id_of commentId)"
asked=$(chirp comment add yuki "$first" 'Which gulls?' --json | id_of commentId)
chirp comment add mira "$first" 'All of them' --parent "$asked"
chirp comment remove "$asked"

# Comments and hashtags that are hidden: by a block between a comment's author and the post's, one of
# which is lifted again, and by a suspension.
if has 4; then
  chirp user add gull
  chirp user add tern
  chirp user add herald
  for name in gull tern herald; do chirp comment add $name "$first" "Squawk, says $name"; done
  chirp comment add bram "$first" 'Hush' \
    --parent "$(chirp comment add gull "$first" 'Again' --json | id_of commentId)"
  chirp post add herald 'Hear, hear #nets'
  chirp user block wren gull
  chirp user block tern wren
  chirp user suspend herald
  chirp user unblock tern wren
fi

# Reading: timelines, and how far somebody has read.
chirp feed rebuild yuki
chirp feed show wren
chirp feed mark yuki "$first"
chirp notify read wren

# What was removed.
at 12T07:00
chirp post remove "$(chirp post add wren 'A slip of the finger' --json | id_of postId)"
gone=$(chirp post add sanna 'The water is warm' --json | id_of postId)
chirp post react bram "$gone" --type angry
chirp comment add bram "$gone" 'It is not'
chirp user remove passing

# Without free space, and then a tail of the log that no consumer has taken in.
chirp compact
at 13T12:00
chirp --no-wait post add nell 'new kite!! it is RED #kites'
chirp --no-wait follow add nell wren
chirp --no-wait post react odile "$first"
chirp --no-wait comment add bram "$first" 'Welcome, @wren'
chirp --no-wait post add $tomas 'Once, whatever the line does' --media "$place/dot.gif" \
  --idempotency-key once-more
chirp --no-wait post remove "$gone"
rm -rf "$CHIRP_DATA/open.lock" "$CHIRP_DATA/write.lock" "$CHIRP_DATA/fanout.lock" \
  "$CHIRP_DATA/media.lock" "$CHIRP_DATA/engine/lock.mdb"

# What it answers. Left out is what later programs say besides: tiers among the counts, the ids of
# sources of who is shown, how far notifications are read in an export, entities of texts.
# Hashtags are read otherwise, so trends are asked for in format 2 alone.
questions() {
  cat << 'END'
chirp stats | grep -v ' users\|bytes'
chirp config list --json
chirp user list --limit 100 --json | sed 's/,"entities":\[[^]]*\]//g'
chirp user list --limit 100 --json | grep -o '"username":"[a-z]*"' | cut -d'"' -f4 > people
wc -l < people
for name in $(cat people); do chirp user show $name --json; done | sed 's/,"sourceId":"[0-9]*"//' | sed 's/,"entities":\[[^]]*\]//g' | sha256sum
chirp user show wren --json | sed 's/,"entities":\[[^]]*\]//g'
chirp user list --match SÚILL --json | sed 's/,"entities":\[[^]]*\]//g'
chirp user list --match na --json | sed 's/,"entities":\[[^]]*\]//g'
chirp user list --email WREN@tern.example --json | sed 's/,"entities":\[[^]]*\]//g'
chirp user sessions wren --json
chirp follow following wren --json
chirp follow followers wren --json
for name in $(cat people); do chirp follow following $name --limit 100 --json; chirp follow followers $name --limit 100 --json; done | sha256sum
chirp follow check mira wren --json
chirp follow check yuki pearl --json
chirp follow check wren grudge --json
chirp follow check grudge wren --json
chirp feed show yuki --limit 12 --json --explain | sed 's/,"entities":\[[^]]*\]//g'
chirp feed show wren --limit 4 --json --explain | sed 's/,"entities":\[[^]]*\]//g'
chirp feed show grudge --json | sed 's/,"entities":\[[^]]*\]//g'
chirp feed show yuki --unread --limit 4 --json | sed 's/,"entities":\[[^]]*\]//g'
chirp feed show yuki --ranked --limit 4 --json | sed 's/,"entities":\[[^]]*\]//g'
chirp feed refresh yuki --since 2026-01-12 --json | sed 's/,"entities":\[[^]]*\]//g'
for name in $(cat people); do chirp feed show $name --limit 100 --json; done | sed 's/,"entities":\[[^]]*\]//g' | sha256sum
for name in $(cat people); do for policy in push pull hybrid cost; do chirp feed show $name --limit 100 --policy $policy --json; done; done | sed 's/,"entities":\[[^]]*\]//g' | sha256sum
for name in $(cat people); do chirp feed show $name --ranked --limit 100 --json; done | sed 's/,"entities":\[[^]]*\]//g' | sha256sum
chirp post list wren --json | sed 's/,"entities":\[[^]]*\]//g'
for name in $(cat people); do chirp post list $name --limit 100 --json; done | grep -o '{"postId":"[0-9]*"' | cut -d'"' -f4 | sort -u > posts
wc -l < posts
for id in $(tail -12 posts); do chirp post show $id --json; done | sed 's/,"entities":\[[^]]*\]//g'
for id in $(cat posts); do chirp post show $id --json; done | sed 's/,"entities":\[[^]]*\]//g' | sha256sum
for id in $(tail -12 posts); do chirp post reactions $id --json; chirp comment list $id --json; done | sed 's/,"entities":\[[^]]*\]//g'
for id in $(cat posts); do chirp post reactions $id --json; chirp comment list $id --sort popular --json; done | sed 's/,"entities":\[[^]]*\]//g' | sha256sum
chirp notify list wren --json
chirp notify list yuki --unread --json
for name in $(cat people); do chirp notify list $name --limit 100 --json; done | sha256sum
END
  has 3 || printf '%s\n' 'chirp trend list --json' 'chirp trend list --window 7d --json'
  cat << 'END'
chirp log tail --limit 100 --json
chirp export out --quiet > /dev/null
ls out
sed 's/,"notificationsReadTo":"[0-9]*"//' out/[!e]*.json* | sha256sum
sed 's/,"notificationsReadTo":"[0-9]*"//' out/users.jsonl | head -4
cat out/relations.jsonl out/reactions.jsonl out/comments.jsonl out/settings.json
cd out/media && sha256sum *
chirp feed verify --all --json
chirp stats | grep -v ' users\|bytes'
END
}
at 13T13:00
mkdir "$place/asked"
cp -r "$CHIRP_DATA" "$place/asked/world"
{
  echo '# What the program that made data/ answered, as make.sh says, is what is answered after a migration.'
  echo "@ $CHIRP_TEST_CLOCK"
  echo "\$ cp -r \$TESTDATA/format-$format/data world && chirp migrate > /dev/null"
  questions | while read -r question; do
    echo "\$ $question"
    status=0
    (cd "$place/asked" && CHIRP_DATA=world sh -c "$question") > "$place/said" 2> "$place/noted" < /dev/null ||
      status=$?
    cat "$place/said"
    sed 's/^/! /' "$place/noted"
    [ $status = 0 ] || echo "? $status"
  done
} > "$folder/answers.txt"
