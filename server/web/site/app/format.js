// Numbers and times in words.

import { serverNow } from './clock.js';

const counts = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
const exact = new Intl.NumberFormat();
const days = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const years = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const moments = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' });
const months = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' });

export const count = (n) => counts.format(n);
export const exactCount = (n) => exact.format(n);
export const fullTime = (iso) => moments.format(new Date(iso));
export const month = (iso) => months.format(new Date(iso));
export const plural = (n, one, many = `${one}s`) => `${exact.format(n)} ${n === 1 ? one : many}`;

// Returns how long ago, as short as possible.
export function ago(iso, now = serverNow()) {
  const then = new Date(iso);
  const seconds = Math.max(0, (now - then) / 1000);
  if (seconds < 10) return 'now';
  if (seconds < 60) return `${Math.floor(seconds)}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)}h`;
  if (seconds < 7 * 86400) return `${Math.floor(seconds / 86400)}d`;
  return (then.getFullYear() === new Date(now).getFullYear() ? days : years).format(then);
}

// Returns a duration of any size with three significant digits.
export function duration(seconds) {
  const short = (n) => Number(n.toPrecision(n < 10 ? 2 : 3)).toString();
  if (!Number.isFinite(seconds)) return '–';
  if (seconds < 1e-3) return `${short(seconds * 1e6)} µs`;
  if (seconds < 1) return `${short(seconds * 1e3)} ms`;
  return `${short(seconds)} s`;
}

export function bytes(n) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let at = 0;
  for (; n >= 1024 && at < units.length - 1; ++at) n /= 1024;
  return `${n < 10 && at > 0 ? n.toFixed(1) : Math.round(n)} ${units[at]}`;
}

// "Ana", "Ana and Ben", "Ana, Ben and 3 others"
export function names(list, total = list.length) {
  if (total <= 1) return list[0];
  if (total === 2 && list.length >= 2) return `${list[0]} and ${list[1]}`;
  const shown = list.slice(0, 2);
  const others = total - shown.length;
  return `${shown.join(', ')} and ${others} ${others === 1 ? 'other' : 'others'}`;
}

// Counts the characters of a text like the server after it is stored: code points, with each emoji
// as one, whatever its number of code points. The rule is in core/model/emoji.h.
export function lengthOf(text) {
  const points = [...text.normalize('NFC')].map((c) => c.codePointAt(0));
  let length = 0;
  for (let at = 0; at < points.length; ++length) at = characterEnd(points, at);
  return length;
}

const EMOJI_MAX = 10;  // code points
const [JOINER, EMOJI_STYLE, KEY] = [0x200d, 0xfe0f, 0x20e3];
const PICTURES_ALONE = new Set([0xa9, 0xae, 0x203c, 0x2049, 0x2122, 0x2139, 0x3030, 0x303d, 0x3297, 0x3299]);
const within = (c, first, last) => c >= first && c <= last;
const isFlagLetter = (c) => within(c, 0x1f1e6, 0x1f1ff);
const isTone = (c) => within(c, 0x1f3fb, 0x1f3ff);
const isOnKey = (c) => c === 0x23 || c === 0x2a || within(c, 0x30, 0x39);
const isPicture = (c) => !isFlagLetter(c) && !isTone(c) &&
  (within(c, 0x2190, 0x2bff) || within(c, 0x1f000, 0x1fffd) || PICTURES_ALONE.has(c));
const belongs = (c) => c === EMOJI_STYLE || c === KEY || isTone(c) || within(c, 0xe0020, 0xe007f);

function characterEnd(points, at) {
  if (isFlagLetter(points[at]) && isFlagLetter(points[at + 1])) return at + 2;
  if (isOnKey(points[at])) {
    const key = points[at + 1] === EMOJI_STYLE ? at + 2 : at + 1;
    return points[key] === KEY ? key + 1 : at + 1;
  }
  if (!isPicture(points[at])) return at + 1;
  const most = at + EMOJI_MAX;
  for (let end = at + 1;;) {
    while (end < most && belongs(points[end])) ++end;
    if (end + 2 > most || points[end] !== JOINER || !isPicture(points[end + 1])) return end;
    end += 2;
  }
}

// Whether an id is later than another: decimal numbers of up to 19 digits.
export const isNewer = (a, b) => (a.length === b.length ? a > b : a.length > b.length);
