// The engine at work, from the measurements that the server publishes, read each second while the
// panel is open and in sight.

import { h, show } from './dom.js';
import { bytes, count, duration, exactCount, plural } from './format.js';
import { figure, histogram, sparkline } from './chart.js';
import { Metrics, histogramBetween, quantile, rate } from './metrics.js';
import { on } from './bus.js';
import { getMetrics } from './operations.js';

const SECOND_MS = 1000;
const HISTORY_MAX = 60;
const TRACE_SECONDS = 30;
const LATENCY = 'chirp_http_request_seconds';
const TIERS = [['regular', 'pushed to every follower'], ['influencer', 'pushed to active followers'],
               ['celebrity', 'not pushed: readers fetch']];

export function enginePanel() {
  const history = [];  // Metrics, the oldest first
  let timer = null;
  let life = null;
  let trace = null;    // of the post that this page published last

  const trouble = h('p', { class: 'quiet', role: 'status' });
  const traced = h('div', { class: 'trace', hidden: true });
  const chart = h('div', { class: 'chart' });
  const latency = h('div', { class: 'chart' });
  const operation = h('select', { 'aria-label': 'Latency of which operation', on: { change: () => draw() } });
  const figures = {
    deliveries: figure('Deliveries', 'Entries put into timelines, from now on and in all'),
    queue: figure('Fan-out queue', 'Posts whose delivery goes on in turns'),
    lag: figure('Lag', 'Events that a consumer has yet to take in. Reads see them all the same.'),
    lanes: figure('Waiting', 'Requests that wait for a thread or for the writer'),
    hits: figure('Timeline hits', 'Feed reads that found a timeline, in the last minute'),
    commits: figure('Commits', 'Transactions a second, and changes in each, in the last minute'),
    streams: figure('Streams open', 'Readers of live events'),
    store: figure('Store', 'Used of the memory map; slots of readers in use'),
  };
  const tiers = h('dl', { class: 'figures-grid tiers' });
  const element = h('div', { class: 'engine' },
                    trouble, traced, chart,
                    h('dl', { class: 'figures-grid' }, Object.values(figures).map((each) => each.element)),
                    h('h4', {}, 'Authors by tier'), tiers,
                    h('div', { class: 'row' }, h('h4', {}, 'Latency'), h('span', { class: 'spacer' }), operation), latency);

  async function tick() {
    timer = null;
    const mine = life;
    let wait = SECOND_MS;
    try {
      if (!document.hidden) {
        const text = await getMetrics(mine.signal);
        history.push(new Metrics(text, performance.now() / 1000));
        if (history.length > HISTORY_MAX) history.shift();
        show(trouble);
        draw();
      }
    } catch (error) {
      if (error.name === 'AbortError') return;
      wait = (error.retryAfter ?? 1) * SECOND_MS;
      show(trouble, `The measurements cannot be read: ${error.message}`);
    }
    if (life === mine) timer = setTimeout(tick, wait);
  }

  function start() {
    if (life) return;
    life = new AbortController();
    tick();
  }

  function stop() {
    clearTimeout(timer);
    life?.abort();
    life = null;
    history.length = 0;
  }

  function draw() {
    const now = history.at(-1);
    if (!now) return;
    drawDeliveries(history, figures.deliveries, chart);
    drawFigures(history, figures);
    drawTiers(now, tiers);
    drawLatency(history, operation, latency);
    if (trace) drawTrace(trace, now, traced);
  }

  on('posted', ({ post, seconds }) => {
    if (!life) return;
    trace = { post, seconds, from: history.at(-1), started: performance.now() / 1000, done: null };
    draw();
  });
  return { element, start, stop };
}

const known = (value, say) => (value === undefined ? '–' : say(value));

function drawDeliveries(history, figures, chart) {
  const now = history.at(-1);
  const rates = history.slice(1).map((later, at) => rate(history[at], later, 'chirp_deliveries_total'));
  const last = rates.at(-1) ?? 0;
  // The counter appears with the first delivery.
  figures.set(`${count(Math.round(last))}/s`, `${exactCount(now.sum('chirp_deliveries_total') ?? 0)} in all`);
  show(chart, rates.length > 1 && sparkline(rates, `Deliveries a second in the last minute, now ${Math.round(last)}`));
}

function drawFigures(history, figures) {
  const now = history.at(-1);
  const then = history[0];
  const pending = now.by('chirp_events_pending', 'consumer');
  const lanes = now.by('chirp_queue_depth', 'lane');
  const listed = (sums) => Object.entries(sums).map(([name, value]) => `${name} ${exactCount(value)}`).join(', ');
  figures.queue.set(known(now.sum('chirp_fanout_queue_posts'), (n) => plural(n, 'post')));
  figures.lag.set(known(now.sum('chirp_events_pending'), (n) => plural(n, 'event')), listed(pending));
  figures.lanes.set(known(now.sum('chirp_queue_depth'), exactCount), listed(lanes));

  const hits = between(then, now, 'chirp_feed_reads_total', { timeline: 'hit' });
  const misses = between(then, now, 'chirp_feed_reads_total', { timeline: 'miss' });
  const reads = hits === undefined ? undefined : hits + (misses ?? 0);
  figures.hits.set(reads ? `${Math.round((100 * hits) / reads)} %` : '–', known(reads, (n) => `${plural(n, 'read')} in the last minute`));

  const batches = between(then, now, 'chirp_write_batch_changes_count');
  const changes = between(then, now, 'chirp_write_batch_changes_sum');
  figures.commits.set(known(rate(then, now, 'chirp_write_batch_changes_count'), (n) => `${n.toFixed(1)}/s`),
                      [batches > 0 && changes !== undefined && `${(changes / batches).toFixed(1)} changes each, `,
                       known(now.sum('chirp_syncs_total'), (n) => `${plural(n, 'sync')} in all`)]);
  figures.streams.set(known(now.sum('chirp_streams_open'), exactCount));
  figures.store.set(known(now.sum('chirp_map_used_bytes'), bytes),
                    known(now.sum('chirp_map_bytes'), (n) => `of ${bytes(n)}`),
                    known(now.sum('chirp_reader_slots_used'), (n) => `, ${exactCount(n)} of ${known(now.sum('chirp_reader_slots'), exactCount)} slots`));
}

function between(then, now, name, labels) {
  const to = now.sum(name, labels);
  return to === undefined ? undefined : Math.max(0, to - (then.sum(name, labels) ?? 0));
}

function drawTiers(now, place) {
  const sums = now.by('chirp_authors', 'tier');
  show(place, TIERS.map(([tier, what]) =>
    h('div', { class: 'figure', title: what }, h('dt', {}, tier), h('dd', {}, known(sums[tier], count)), h('dd', { class: 'more' }, what))));
}

function drawLatency(history, choice, place) {
  const now = history.at(-1);
  const names = Object.keys(now.by(`${LATENCY}_count`, 'operation')).sort();
  const offered = [...choice.options].map((option) => option.value);
  if (names.join() !== offered.join()) {
    const chosen = choice.value || (names.includes('getFeed') ? 'getFeed' : names[0]);
    show(choice, names.map((name) => h('option', { value: name, selected: name === chosen }, name)));
  }
  if (!choice.value) return show(place, h('p', { class: 'quiet' }, 'Nothing was measured yet.'));
  const labels = { operation: choice.value };
  const recent = histogramBetween(history[0], now, LATENCY, labels);
  const isRecent = recent.some(({ count: n }) => n > 0);
  const buckets = isRecent ? recent : now.histogram(LATENCY, labels);
  const used = trimmed(buckets);
  const total = buckets.reduce((sum, bucket) => sum + bucket.count, 0);
  const words = `${plural(total, 'request')} ${isRecent ? 'in the last minute' : 'since the start'}: half within ${duration(quantile(buckets, 0.5))}, 99 % within ${duration(quantile(buckets, 0.99))}`;
  return show(place, used.length > 0 && histogram(used.map(({ upTo, count: n }) => ({ name: Number.isFinite(upTo) ? `≤ ${duration(upTo)}` : 'more', value: n })), words),
              h('p', { class: 'quiet' }, words));
}

// Without the empty buckets at both ends.
function trimmed(buckets) {
  const first = buckets.findIndex((bucket) => bucket.count > 0);
  const last = buckets.findLastIndex((bucket) => bucket.count > 0);
  return first < 0 ? [] : buckets.slice(Math.max(0, first - 1), last + 2);
}

// What became of the post that was published last: durable at once, then delivered behind its back.
function drawTrace(trace, now, place) {
  const delivered = trace.from ? between(trace.from, now, 'chirp_deliveries_total') ?? 0 : undefined;
  const waiting = (now.sum('chirp_events_pending', { consumer: 'fanout' }) ?? 0) + (now.sum('chirp_fanout_queue_posts') ?? 0);
  const passed = now.seconds - trace.started;
  if (trace.done === null && passed > 0 && (waiting === 0 || passed > TRACE_SECONDS)) trace.done = { delivered, passed };
  const { delivered: so, passed: far } = trace.done ?? { delivered, passed };
  place.hidden = false;
  show(place,
       h('h4', {}, 'Your last post'),
       h('p', {}, 'Durable and in every feed after ', h('strong', {}, duration(trace.seconds)), '.'),
       h('p', { class: 'quiet' },
         so === undefined ? '' : so > 0 ? `${plural(so, 'delivery', 'deliveries')} since` : 'Nothing delivered: readers fetch it',
         trace.done ? `; the queue was empty after ${duration(Math.max(far, 0))}.` : '; delivering…'));
}
