// Why a post is in a feed, and how it got there: the x-ray's line under a post.

import { h } from './dom.js';
import { isMe } from './session.js';

// The ways onto a page, in the order in which the x-ray counts them.
export const SOURCES = {
  pushed: ['pushed', 'Delivered to your timeline after it was posted'],
  pulled: ['pulled', 'Fetched from its author’s posts for this read'],
  pending: ['pending', 'Found in the event log: it is not delivered yet'],
  backfilled: ['backfilled', 'Put into your timeline later, by a follow or a rebuild'],
  below_cap: ['below the cap', 'Older than what your timeline keeps: fetched from its author’s posts'],
};
const PARTS = ['recency', 'engagement', 'affinity', 'variety'];

export const sourceName = (source) => SOURCES[source]?.[0] ?? source;

export function sourceChip(source) {
  return h('span', { class: `chip source-${source}`, title: SOURCES[source]?.[1] }, sourceName(source));
}

// Returns the nodes of the line. `score` is set for a ranked feed, with the `weights` of its parts.
export function explanationOf({ reason, via, source, scoreParts, weights }, score, post) {
  return [
    h('span', { class: 'why' }, h('span', { class: 'unseen' }, 'Why it is here: '), reasonOf(reason, via, post)),
    sourceChip(source),
    h('span', { class: 'how' }, SOURCES[source]?.[1] ?? ''),
    scoreParts && scoreOf(score, scoreParts, weights),
  ];
}

function reasonOf(reason, via, post) {
  const name = via && h('a', { href: `#/@${via.username}` }, `@${via.username}`);
  if (reason === 'follow') return ['You follow ', name];
  if (reason === 'repost') return ['Reposted by ', name, ', an account you follow'];
  return isMe(post.userId) ? 'Your own post' : 'Your own repost';
}

// The score is the weighted mean of its parts.
function scoreOf(score, parts, weights) {
  const all = weights ? PARTS.reduce((sum, part) => sum + weights[part], 0) : 0;
  return h('dl', { class: 'score' },
           h('div', { class: 'total' }, h('dt', {}, 'score'), h('dd', {}, score.toFixed(3))),
           PARTS.map((part) => h('div', {}, h('dt', {}, part), h('dd', {},
                                 h('meter', { min: '0', max: '1', value: parts[part], 'aria-hidden': 'true' }),
                                 parts[part].toFixed(2),
                                 all > 0 && h('span', { class: 'weight' }, ` × ${percent(weights[part] / all)}`)))));
}

const percent = (share) => `${Number((share * 100).toPrecision(3))} %`;
