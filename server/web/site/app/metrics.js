// Parses the server's metrics in Prometheus' text format. A missing metric counts as unknown, and
// figures based on it are left out.

const SAMPLE = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)(?:\s+-?\d+)?$/;
const LABEL = /([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"/g;
const ESCAPES = { n: '\n', '"': '"', '\\': '\\' };

export class Metrics {
  constructor(text, seconds) {
    this.seconds = seconds;      // when they were read
    this.samples = new Map();    // name -> [{labels, value}]
    for (const line of text.split('\n')) {
      const match = line.startsWith('#') ? null : SAMPLE.exec(line.trim());
      if (!match) continue;
      const [, name, labels, value] = match;
      if (!this.samples.has(name)) this.samples.set(name, []);
      this.samples.get(name).push({ labels: labelsOf(labels ?? ''), value: numberOf(value) });
    }
  }

  has(name) {
    return this.samples.has(name);
  }

  // Returns the samples of a name whose labels match `labels`.
  of(name, labels = {}) {
    const wanted = Object.entries(labels);
    return (this.samples.get(name) ?? []).filter((sample) => wanted.every(([key, value]) => sample.labels[key] === value));
  }

  // Returns their sum; undefined if there are none.
  sum(name, labels) {
    const found = this.of(name, labels);
    return found.length === 0 ? undefined : found.reduce((total, sample) => total + sample.value, 0);
  }

  // Returns {label value -> sum} of a name.
  by(name, label) {
    const sums = {};
    for (const sample of this.of(name)) sums[sample.labels[label]] = (sums[sample.labels[label]] ?? 0) + sample.value;
    return sums;
  }

  // Returns the buckets of a histogram: [{upTo, count}], each with only its own count.
  histogram(name, labels) {
    const sums = new Map();
    for (const { labels: { le }, value } of this.of(`${name}_bucket`, labels)) {
      sums.set(numberOf(le), (sums.get(numberOf(le)) ?? 0) + value);
    }
    const rising = [...sums].sort(([a], [b]) => a - b);
    return rising.map(([upTo, count], at) => ({ upTo, count: count - (at > 0 ? rising[at - 1][1] : 0) }));
  }
}

// Returns a counter's increase per second between two readings; undefined if unknown. A counter
// that was missing had the value 0.
export function rate(earlier, later, name, labels) {
  const to = later?.sum(name, labels);
  const from = earlier?.sum(name, labels) ?? 0;
  const seconds = (later?.seconds ?? 0) - (earlier?.seconds ?? 0);
  return to === undefined || seconds <= 0 || to < from ? undefined : (to - from) / seconds;
}

// Returns the buckets of the events between two readings.
export function histogramBetween(earlier, later, name, labels) {
  const before = new Map(earlier.histogram(name, labels).map(({ upTo, count }) => [upTo, count]));
  return later.histogram(name, labels).map(({ upTo, count }) => ({ upTo, count: Math.max(0, count - (before.get(upTo) ?? 0)) }));
}

// Returns a quantile of a histogram, as exactly as its buckets allow; Infinity above the last
// bound. Undefined if there are too few values: at least one must be on each side.
export function quantile(buckets, share) {
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  if (total * Math.min(share, 1 - share) < 1 - 1e-9) return undefined;
  let seen = 0;
  let from = 0;
  for (const { upTo, count } of buckets) {
    if (seen + count >= share * total && count > 0) {
      return Number.isFinite(upTo) ? from + (upTo - from) * ((share * total - seen) / count) : Infinity;
    }
    seen += count;
    from = upTo;
  }
  return from;
}

function labelsOf(text) {
  const labels = {};
  for (const [, name, value] of text.matchAll(LABEL)) {
    labels[name] = value.replace(/\\(.)/g, (whole, c) => ESCAPES[c] ?? whole);
  }
  return labels;
}

const numberOf = (text) => ({ '+Inf': Infinity, '-Inf': -Infinity }[text] ?? Number(text));
