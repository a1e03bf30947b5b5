// Numbers and times in words for people.

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

// How long ago, as short as it can be said.
export function ago(iso, now = Date.now()) {
  const then = new Date(iso);
  const seconds = Math.max(0, (now - then) / 1000);
  if (seconds < 10) return 'now';
  if (seconds < 60) return `${Math.floor(seconds)}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)}h`;
  if (seconds < 7 * 86400) return `${Math.floor(seconds / 86400)}d`;
  return (then.getFullYear() === new Date(now).getFullYear() ? days : years).format(then);
}

// A duration of any size with three digits that matter.
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

// The code points a text has once it is stored.
export const lengthOf = (text) => [...text.normalize('NFC')].length;

// Whether an id was given later than another: decimal numbers of up to 19 digits.
export const isNewer = (a, b) => (a.length === b.length ? a > b : a.length > b.length);
