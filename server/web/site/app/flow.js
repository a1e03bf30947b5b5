// The way of a post as a diagram: post, log, fan-out, timelines, merge, page. Only messages of the
// stage move it: each packet is something that the server has reported.

import { h, svg, setAttribute, prefersStillness, show } from './dom.js';
import { NO_TIMELINES } from './trace.js';
import { count, duration, exactCount, plural } from './format.js';

const WIDE = 1200;
const TALL = 330;
const BOX = { wide: 150, tall: 96, top: 60 };
const SQUARES_MAX = 24;
const MOVE_MS = 900;
const LINES_MAX = 8;

const PLACES = {
  post: { x: 90, name: 'Post' },
  log: { x: 294, name: 'Log' },
  fanout: { x: 498, name: 'Fan-out' },
  timelines: { x: 702, name: 'Timelines' },
  merge: { x: 906, name: 'Merge' },
  page: { x: 1110, name: 'Page' },
};
const WAYS = {
  'post-log': straight('post', 'log'),
  'log-fanout': straight('log', 'fanout'),
  'fanout-timelines': straight('fanout', 'timelines'),
  'timelines-merge': straight('timelines', 'merge'),
  'merge-page': straight('merge', 'page'),
  // A reader takes entries that are in no timeline from the log and from authors' posts.
  'log-merge': `M ${PLACES.log.x} ${BOX.top + BOX.tall} C ${PLACES.log.x} 300, ${PLACES.merge.x} 300, ${PLACES.merge.x} ${BOX.top + BOX.tall}`,
};

function straight(from, to) {
  const y = BOX.top + BOX.tall / 2;
  return `M ${PLACES[from].x + BOX.wide / 2} ${y} L ${PLACES[to].x - BOX.wide / 2} ${y}`;
}

// {element, log, tell(event, data)}
export function flowDiagram() {
  const ways = {};
  const boxes = {};
  const packets = svg('g', { class: 'packets' });
  const queue = svg('g', { class: 'flow-queue' });
  const picture = svg('svg', { viewBox: `0 0 ${WIDE} ${TALL}`, class: 'flow', role: 'img',
                               'aria-label': 'The path of a post: it goes into the log, fan-out puts it into timelines, readers merge timelines and logs into a page' },
    Object.entries(WAYS).map(([name, d]) => (ways[name] = svg('path', { d, class: `way way-${name}` }))),
    Object.entries(PLACES).map(([name, place]) => (boxes[name] = box(place)).element),
    svg('text', { x: (PLACES.log.x + PLACES.merge.x) / 2, y: 296, class: 'flow-note' }, 'pulled from authors’ logs, or pending'),
    queue, packets);
  const lines = h('ol', { class: 'flow-lines' });
  const log = h('div', { role: 'log', 'aria-label': 'What the engine did' }, lines);
  const totals = { log: 0, timelines: 0, pages: 0 };
  const authors = new Map();  // post id -> what is known of it, during its delivery
  const moving = Object.fromEntries(Object.keys(WAYS).map((way) => [way, []]));  // packets, the newest last

  // Moves a packet with a label along a way. If a way has several packets, only the newest has its
  // label, so that labels do not overlap.
  function send(way, kind, words) {
    const path = ways[way];
    const still = prefersStillness();
    const end = path.getPointAtLength(path.getTotalLength() * (still ? 0.5 : 1));
    const packet = svg('g', { class: `packet packet-${kind}`, transform: `translate(${end.x} ${end.y})` },
                       svg('circle', { r: '9' }), svg('text', { y: '-16' }, words));
    moving[way].at(-1)?.querySelector('text').remove();
    moving[way].push(packet);
    packets.append(packet);
    path.classList.add('busy');
    const over = () => {
      packet.remove();
      moving[way].splice(moving[way].indexOf(packet), 1);
      path.classList.toggle('busy', moving[way].length > 0);
    };
    if (still) return setTimeout(over, MOVE_MS);
    const frames = Array.from({ length: 13 }, (_, at) => {
      const { x, y } = path.getPointAtLength((path.getTotalLength() * at) / 12);
      return { transform: `translate(${x}px, ${y}px)` };
    });
    packet.animate(frames, { duration: MOVE_MS, easing: 'ease-in-out' }).finished.then(over, over);
  }

  function say(words) {
    lines.prepend(h('li', {}, words));
    while (lines.children.length > LINES_MAX) lines.lastElementChild.remove();
  }

  const tellers = {
    state: ({ policy, influencerFrom, celebrityAbove }) => {
      boxes.fanout.more(`policy ${policy}`);
      boxes.post.more(`celebrity above ${count(celebrityAbove)}`);
      setAttribute(picture, 'data-policy', policy);
      say(`The policy is ${policy}; influencers have from ${exactCount(influencerFrom)} followers, celebrities more than ${exactCount(celebrityAbove)}.`);
    },
    queue: ({ pendingEvents, queuedPosts }) => {
      drawQueue(queue, pendingEvents);
      boxes.log.more(`${count(pendingEvents)} pending`);
      boxes.fanout.value(queuedPosts > 0 ? `${count(queuedPosts)} queued` : 'idle');
    },
    post: ({ postId, username, tier, followerCount, delivery }) => {
      const who = username ? `@${username}` : 'a user';
      authors.set(postId, who);
      boxes.post.value(who);
      boxes.log.value(count(++totals.log));
      send('post-log', 'post', who);
      say(`${who}, ${tier} with ${plural(followerCount, 'follower')}, has posted: it is in every feed now, and will be ${delivery}.`);
    },
    delivery: ({ posts, timelines, workMicros }) => {
      totals.timelines += timelines;
      const words = `${plural(posts.length, 'post')} → ${plural(timelines, 'timeline')}`;
      boxes.timelines.value(count(totals.timelines));
      boxes.timelines.more(`+ ${exactCount(timelines)}`);
      send('log-fanout', 'post', plural(posts.length, 'post'));
      send('fanout-timelines', 'pushed', `× ${exactCount(timelines)}`);
      say(`Fan-out has put ${words.replace('→', 'into')} in one turn of ${duration(workMicros / 1e6)}.`);
    },
    done: ({ postId, state, timelines, tookMs }) => {
      const who = authors.get(postId) ?? 'an author';
      authors.delete(postId);
      if (state === 'pulled') send('log-fanout', 'pulled', 'not pushed');
      say(state === 'pulled' ? `The post of ${who} is not pushed: readers fetch it from the author’s log.`
        : `The post of ${who} is delivered: ${plural(timelines, 'timeline')}, ${duration(tookMs / 1000)} after it was written.${timelines === 0 ? NO_TIMELINES : ''}`);
    },
    reads: ({ pages, posts, sources, fromMemory, bySource }) => {
      totals.pages += pages;
      const timeline = bySource.pushed + bySource.backfilled;
      const pulled = bySource.pulled + bySource.below_cap;
      const fetched = [['pulled', pulled], ['pending', bySource.pending]].filter(([, number]) => number > 0);
      boxes.merge.value(sources > 0 ? plural(sources, 'source') : 'memory');
      boxes.merge.more(`${plural(posts, 'post')} of ${plural(pages, 'read')}`);
      boxes.page.value(count(totals.pages));
      if (timeline > 0) send('timelines-merge', 'pushed', `${exactCount(timeline)} pushed`);
      if (fetched.length > 0) send('log-merge', fetched[0][0], fetched.map(([kind, number]) => `${exactCount(number)} ${kind}`).join(', '));
      send('merge-page', 'page', plural(posts, 'post'));
      say(`${plural(pages, 'page')} read${fromMemory > 0 ? `, ${exactCount(fromMemory)} from memory` : ''}: ${exactCount(timeline)} pushed, ${exactCount(pulled)} pulled, ${exactCount(bySource.pending)} pending, out of ${plural(sources, 'source')}.`);
    },
  };
  return { element: picture, log, tell: (event, data) => tellers[event]?.(data) };
}

function box({ x, name }) {
  const value = svg('text', { x, y: BOX.top + 56, class: 'flow-value' }, '–');
  const more = svg('text', { x, y: BOX.top + 80, class: 'flow-more' });
  return {
    element: svg('g', { class: 'flow-box', 'data-place': name },
                 svg('rect', { x: x - BOX.wide / 2, y: BOX.top, width: BOX.wide, height: BOX.tall, rx: '14' }),
                 svg('text', { x, y: BOX.top + 26, class: 'flow-name' }, name), value, more),
    value: (words) => show(value, words),
    more: (words) => show(more, words),
  };
}

// A square for each event that is pending for fan-out, and the number of further ones.
function drawQueue(place, pending) {
  const shown = Math.min(pending, SQUARES_MAX);
  const left = PLACES.fanout.x - 66;
  show(place,
       Array.from({ length: shown }, (_, at) => svg('rect', { x: left + (at % 12) * 11, y: 168 + Math.floor(at / 12) * 12, width: '9', height: '9', rx: '2' })),
       pending > shown && svg('text', { x: PLACES.fanout.x, y: 208, class: 'flow-more' }, `and ${count(pending - shown)} more`));
  setAttribute(place, 'data-pending', pending);
}
