// The measurements of the server, out of the text format of Prometheus. A metric that is not there
// counts as unknown, and what is made of it is left out.

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

  // The samples of a name whose labels agree with `labels`.
  of(name, labels = {}) {
    const wanted = Object.entries(labels);
    return (this.samples.get(name) ?? []).filter((sample) => wanted.every(([key, value]) => sample.labels[key] === value));
  }

  // Their sum; undefined if there are none.
  sum(name, labels) {
    const found = this.of(name, labels);
    return found.length === 0 ? undefined : found.reduce((total, sample) => total + sample.value, 0);
  }

  // {label value -> sum} of a name.
  by(name, label) {
    const sums = {};
    for (const sample of this.of(name)) sums[sample.labels[label]] = (sums[sample.labels[label]] ?? 0) + sample.value;
    return sums;
  }

  // The buckets of a histogram: [{upTo, count}], each count its own and not what is below it too.
  histogram(name, labels) {
    const sums = new Map();
    for (const { labels: { le }, value } of this.of(`${name}_bucket`, labels)) {
      sums.set(numberOf(le), (sums.get(numberOf(le)) ?? 0) + value);
    }
    const rising = [...sums].sort(([a], [b]) => a - b);
    return rising.map(([upTo, count], at) => ({ upTo, count: count - (at > 0 ? rising[at - 1][1] : 0) }));
  }
}

// What happened between two readings of a counter, a second; undefined if it cannot be told. A
// counter that was not there yet stood at 0.
export function rate(earlier, later, name, labels) {
  const to = later?.sum(name, labels);
  const from = earlier?.sum(name, labels) ?? 0;
  const seconds = (later?.seconds ?? 0) - (earlier?.seconds ?? 0);
  return to === undefined || seconds <= 0 || to < from ? undefined : (to - from) / seconds;
}

// The buckets of what happened between two readings.
export function histogramBetween(earlier, later, name, labels) {
  const before = new Map(earlier.histogram(name, labels).map(({ upTo, count }) => [upTo, count]));
  return later.histogram(name, labels).map(({ upTo, count }) => ({ upTo, count: Math.max(0, count - (before.get(upTo) ?? 0)) }));
}

// The value below which a share of a histogram lies, as exactly as its buckets can say; Infinity above
// the last bound. Undefined if there are too few to say: on either side of it lies one at least.
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
