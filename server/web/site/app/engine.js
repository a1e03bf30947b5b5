// The engine at work, from the server's metrics, read each second while the panel is open and
// visible.

import { h, show } from './dom.js';
import { bytes, count, duration, exactCount, plural } from './format.js';
import { figure, histogram, sparkline } from './chart.js';
import { Metrics, histogramBetween, quantile, rate } from './metrics.js';
import { POLICIES, TIERS, tierBounds, tierWords } from './policy.js';
import { postTrace } from './trace.js';
import { on } from './bus.js';
import { getEngine, getMetrics } from './operations.js';

const SECOND_MS = 1000;
const HISTORY_MAX = 60;
const STATE_EVERY = 5;  // beats
const LATENCY = 'chirp_http_request_seconds';

export function enginePanel() {
  const history = [];  // Metrics, the oldest first
  let timer = null;
  let life = null;
  let state = null;    // EngineState
  let beats = 0;
  const early = { store: 0, memory: 0 };  // reads of this page before the first measurement

  const trace = postTrace();
  const policy = h('p', { class: 'policy' });

  const trouble = h('p', { class: 'quiet', role: 'status' });
  const chart = h('div', { class: 'chart' });
  const latency = h('div', { class: 'chart' });
  const operation = h('select', { 'aria-label': 'Operation whose latency is shown', on: { change: () => draw() } });
  const figures = {
    deliveries: figure('Deliveries', 'Entries put into timelines: since this page was opened, and in total'),
    queue: figure('Fan-out queue', 'Posts whose delivery is unfinished'),
    lag: figure('Lag', 'Events that a consumer has not processed yet. Reads include them.'),
    lanes: figure('Waiting', 'Requests that wait for a thread or for the writer'),
    hits: figure('Timeline hits', 'Share of the feed reads from the store that used a timeline, in the last minute'),
    commits: figure('Commits', 'Transactions per second, and changes in each, in the last minute'),
    streams: figure('Streams open', 'Clients that receive live events'),
    store: figure('Store', 'Folder: used part of the memory map, and reader slots in use. Database: connections in use'),
  };
  const tiers = h('dl', { class: 'figures-grid tiers' });
  const element = h('div', { class: 'engine' },
                    trouble, policy, trace.element, chart,
                    h('dl', { class: 'figures-grid' }, Object.values(figures).map((each) => each.element)),
                    h('h4', {}, 'Authors by tier'), tiers,
                    h('div', { class: 'row' }, h('h4', {}, 'Latency'), h('span', { class: 'spacer' }), operation), latency);

  async function tick() {
    timer = null;
    const mine = life;
    let wait = SECOND_MS;
    try {
      if (!document.hidden) {
        if (beats++ % STATE_EVERY === 0) state = await getEngine(mine.signal);
        const text = await getMetrics(mine.signal);
        history.push(new Metrics(text, performance.now() / 1000));
        if (history.length > HISTORY_MAX) {
          history.shift();
          Object.assign(early, { store: 0, memory: 0 });
        }
        show(trouble);
        draw();
      }
    } catch (error) {
      if (error.name === 'AbortError') return;
      wait = (error.retryAfter ?? 1) * SECOND_MS;
      show(trouble, `Can’t read the measurements: ${error.message}`);
    }
    if (life === mine) timer = setTimeout(tick, wait);
  }

  function start() {
    if (life) return;
    life = new AbortController();
    beats = 0;
    tick();
  }

  function stop() {
    clearTimeout(timer);
    life?.abort();
    life = null;
    history.length = 0;
    Object.assign(early, { store: 0, memory: 0 });
  }

  function draw() {
    const now = history.at(-1);
    if (!now) return;
    drawDeliveries(history, figures.deliveries, chart);
    drawFigures(history, figures, early);
    if (state) drawPolicy(state, policy);
    if (state) drawTiers(state, now, tiers);
    drawLatency(history, operation, latency);
  }

  on('posted', ({ post, seconds }) => {
    if (life) trace.follow(post, seconds, life.signal);
  });
  on('cost', ({ cost }) => {
    if (history.length === 0) ++early[cost.fromMemory ? 'memory' : 'store'];
  });
  for (const moment of ['delivered', 'signed-in', 'signed-out', 'policy']) on(moment, () => { beats = 0; });
  return { element, start, stop };
}

// Returns in words the time that the measurements cover.
function spanOf(history) {
  const seconds = Math.round(history.at(-1).seconds - history[0].seconds);
  return history.length < HISTORY_MAX ? `measured for ${seconds} s` : 'in the last minute';
}

const known = (value, say) => (value === undefined ? '–' : say(value));

function drawDeliveries(history, figures, chart) {
  const now = history.at(-1);
  const rates = history.slice(1).map((later, at) => rate(history[at], later, 'chirp_deliveries_total'));
  const last = rates.at(-1) ?? 0;
  // The counter appears with the first delivery.
  figures.set(`${count(Math.round(last))}/s`, `${exactCount(now.sum('chirp_deliveries_total') ?? 0)} in all`);
  show(chart, rates.length > 1 && sparkline(rates, `Deliveries per second in the last minute, now ${Math.round(last)}`));
}

function drawFigures(history, figures, early) {
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
  const held = between(then, now, 'chirp_feed_reads_total', { timeline: 'memory' });
  const reads = (hits ?? 0) + (misses ?? 0);
  figures.hits.set(reads > 0 ? `${Math.round((100 * (hits ?? 0)) / reads)} %` : '–',
                   `${plural(reads + early.store, 'read')} of the store, ${exactCount((held ?? 0) + early.memory)} from memory, ${spanOf(history)}`);

  const batches = between(then, now, 'chirp_write_batch_changes_count');
  const changes = between(then, now, 'chirp_write_batch_changes_sum');
  figures.commits.set(known(rate(then, now, 'chirp_write_batch_changes_count'), (n) => `${n.toFixed(1)}/s`),
                      [batches > 0 && changes !== undefined && `${(changes / batches).toFixed(1)} changes each, `,
                       known(now.sum('chirp_syncs_total'), (n) => `${plural(n, 'sync')} in all`)]);
  figures.streams.set(known(now.sum('chirp_streams_open'), exactCount));
  const connections = now.sum('chirp_database_connections_used');
  if (connections !== undefined) {
    figures.store.set(plural(connections, 'connection'), known(now.sum('chirp_database_connections'), (n) => `of ${exactCount(n)}`));
    return;
  }
  figures.store.set(known(now.sum('chirp_map_used_bytes'), bytes),
                    known(now.sum('chirp_map_bytes'), (n) => `of ${bytes(n)}`),
                    known(now.sum('chirp_reader_slots_used'), (n) => `, ${exactCount(n)} of ${known(now.sum('chirp_reader_slots'), exactCount)} slots`));
}

function between(then, now, name, labels) {
  const to = now.sum(name, labels);
  return to === undefined ? undefined : Math.max(0, to - (then.sum(name, labels) ?? 0));
}

function drawPolicy({ policy, caller }, place) {
  show(place, 'Policy ', h('strong', {}, policy), `: ${POLICIES[policy] ?? ''}`,
       caller && h('span', { class: 'own-tier' }, ` You are ${caller.tier === 'influencer' ? 'an' : 'a'} `, h('strong', {}, caller.tier),
                   ` with ${plural(caller.followerCount, 'follower')}: your next post is ${caller.delivery}.`));
}

function drawTiers(state, now, place) {
  const sums = now.by('chirp_authors', 'tier');
  show(place, TIERS.map((tier) => {
    const what = tierWords(state.policy, tier);
    const isOwn = state.caller?.tier === tier;
    return h('div', { class: `figure${isOwn ? ' own' : ''}`, title: tierBounds(state, tier) },
             h('dt', {}, isOwn ? `${tier}, you` : tier), h('dd', {}, known(sums[tier], count)), h('dd', { class: 'more' }, what));
  }));
}

function drawLatency(history, choice, place) {
  const now = history.at(-1);
  const names = Object.keys(now.by(`${LATENCY}_count`, 'operation')).sort();
  const offered = [...choice.options].map((option) => option.value);
  if (names.join() !== offered.join()) {
    const chosen = choice.value || (names.includes('getFeed') ? 'getFeed' : names[0]);
    show(choice, names.map((name) => h('option', { value: name, selected: name === chosen }, name)));
  }
  if (!choice.value) return show(place, h('p', { class: 'quiet' }, 'No measurements yet.'));
  const labels = { operation: choice.value };
  const recent = histogramBetween(history[0], now, LATENCY, labels);
  const isRecent = recent.some(({ count: n }) => n > 0);
  const buckets = isRecent ? recent : now.histogram(LATENCY, labels);
  const used = trimmed(buckets);
  const total = buckets.reduce((sum, bucket) => sum + bucket.count, 0);
  const shares = [['half', 0.5], ['99 %', 0.99]].map(([name, share]) => quantileWords(buckets, name, share)).filter(Boolean);
  const words = `${plural(total, 'request')} ${isRecent ? spanOf(history) : 'since the start'}${shares.length > 0 ? ': ' : ''}${shares.join(', ')}`;
  return show(place, used.length > 0 && histogram(used.map(({ upTo, count: n }) => ({ name: Number.isFinite(upTo) ? `≤ ${duration(upTo)}` : 'more', value: n })), words),
              h('p', { class: 'quiet' }, words));
}

// Returns nothing if too few values were measured.
function quantileWords(buckets, name, share) {
  const value = quantile(buckets, share);
  if (value === undefined) return null;
  return Number.isFinite(value) ? `${name} within ${duration(value)}` : `${name} within more than ${duration(buckets.at(-2)?.upTo)}`;
}

// Without the empty buckets at both ends.
function trimmed(buckets) {
  const first = buckets.findIndex((bucket) => bucket.count > 0);
  const last = buckets.findLastIndex((bucket) => bucket.count > 0);
  return first < 0 ? [] : buckets.slice(Math.max(0, first - 1), last + 2);
}
