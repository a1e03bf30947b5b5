// The x-ray: a switch that shows why each post is here, what the page cost, and the engine at work.

import { h, button, show } from './dom.js';
import { icon } from './icons.js';
import { exactCount, plural } from './format.js';
import { announce } from './notice.js';
import { shares } from './chart.js';
import { SOURCES, sourceChip, sourceName } from './explanation.js';
import { enginePanel } from './engine.js';
import { on, tell } from './bus.js';
import { ofTab } from './storage.js';

const KEY = 'chirp.xray';
const READS_MAX = 8;
const NARROW = '(max-width: 940px)';  // where the panel is above the page and not beside it

let state = ofTab.get(KEY) === 'on';
const reads = [];  // of the feed: {cost, posts, sources, kind}, the newest first

export const isOn = () => state;

export function toggle() {
  state = !state;
  if (state) ofTab.set(KEY, 'on');
  else ofTab.remove(KEY);
  reads.length = 0;
  announce(state ? 'The x-ray is on.' : 'The x-ray is off.');
  tell('xray', { on: state });
}

// The switch in the bar at the top.
export function xraySwitch() {
  const element = button([icon('xray'), h('span', { class: 'words' }, 'X-ray')], toggle,
                         { kind: 'xray-switch', label: 'X-ray', 'aria-keyshortcuts': 'x' });
  const update = () => element.setAttribute('aria-pressed', String(state));
  update();
  on('xray', update);
  return element;
}

// The kind of read, by its parameters: a part above a page is not a page.
const kindOf = (asked) => ('after' in asked ? 'new posts' : 'cursor' in asked ? 'further page' : 'first page');

// Records the cost of a page of the feed.
export function showCost(page, asked) {
  if (!page.cost) return;
  const sources = {};
  for (const { explanation } of page.posts) {
    if (explanation) sources[explanation.source] = (sources[explanation.source] ?? 0) + 1;
  }
  reads.unshift({ cost: page.cost, posts: page.posts.length, sources, kind: kindOf(asked) });
  if (reads.length > READS_MAX) reads.pop();
  tell('cost', { cost: page.cost });
}

// The panel beside the page, shown while the x-ray is on.
export function xrayPanel() {
  const page = h('div', { class: 'xray-page' });
  const engine = enginePanel();
  const element = h('section', { class: 'card xray-panel', 'aria-labelledby': 'xray-title', hidden: !state },
                    h('div', { class: 'row' }, h('h2', { id: 'xray-title' }, 'X-ray'), h('span', { class: 'spacer' }),
                      button(icon('close'), toggle, { kind: 'quiet small', label: 'Switch off the x-ray' })),
                    page,
                    h('details', { class: 'engine-fold', open: !matchMedia(NARROW).matches },
                      h('summary', {}, 'The engine, live'), engine.element));

  const update = () => {
    element.hidden = !state;
    if (state) engine.start();
    else engine.stop();
    show(page, costOf());
  };
  on('xray', update);
  on('cost', () => show(page, costOf()));
  update();
  return element;
}

function costOf() {
  if (reads.length === 0) return h('p', { class: 'quiet' }, 'Open your feed to see what its pages cost.');
  const last = reads.find(({ kind }) => kind !== 'new posts') ?? reads[0];
  const others = reads.filter((read) => read !== last);
  const { cost, posts, sources, kind } = last;
  const list = Object.keys(SOURCES).map((source) => ({ kind: source, name: sourceName(source), value: sources[source] ?? 0 }));
  const spoken = list.filter(({ value }) => value > 0).map(({ name, value }) => `${value} ${name}`).join(', ');
  return [
    h('h3', {}, kind === 'new posts' ? 'The latest new posts' : 'The latest page'),
    h('p', { class: 'cost', id: 'page-cost' },
      h('strong', {}, `${exactCount(cost.micros)} µs`), ' for ', plural(posts, 'post'), ': ',
      cost.fromMemory ? 'from memory, ' : `${plural(cost.sources, 'source')} merged, `, plural(cost.examined, 'entry', 'entries'), ' examined'),
    shares(list, `How the posts of the page were found: ${spoken || 'it has none'}`),
    h('ul', { class: 'legend' }, list.map(({ kind, value }) =>
      h('li', { title: SOURCES[kind][1], class: value === 0 ? 'absent' : null }, sourceChip(kind), h('span', {}, value)))),
    others.length > 0 && h('table', { class: 'reads' },
      h('caption', {}, 'Other reads, newest first'),
      h('thead', {}, h('tr', {}, ['what', 'posts', 'sources', 'entries', 'µs'].map((name) => h('th', { scope: 'col' }, name)))),
      h('tbody', {}, others.map((read) =>
        h('tr', {}, h('th', { scope: 'row' }, read.kind),
          [read.posts, read.cost.sources, read.cost.examined, read.cost.micros].map((value) => h('td', {}, exactCount(value))))))),
  ];
}
