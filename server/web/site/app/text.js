// Turns users' texts into nodes: plain text, with links for its entities.

import { h } from './dom.js';
import { webAddress } from './addresses.js';

const DOMAIN_AND_PATH_MAX = 42;

const LINKS = {
  mention: ({ text, value }) => h('a', { href: `#/@${value}` }, text),
  hashtag: ({ text, value }) => h('a', { href: `#/tag/${encodeURIComponent(value)}` }, text),
  link: ({ text, value }) => {
    const href = webAddress(value);
    return href && h('a', { href, target: '_blank', rel: 'noopener noreferrer nofollow', title: href }, shortened(text));
  },
};

// Characters that change the direction of the text after them, up to the end of the line:
// embeddings and overrides, which can disguise a link or a word. The marks and isolates that
// right-to-left texts need stay; their effect is limited.
const TURNS = /[\u202a-\u202e]/g;
// More than one blank line.
const BLANK_LINES = /\n(?:[^\S\n]*\n){2,}/g;

const calmed = (text) => text.replace(TURNS, '').replace(BLANK_LINES, '\n\n');

// Returns a text for display: without characters that change the direction of others, and with at
// most one blank line in a row.
export const calmText = (text) => calmed(text).trim();

// Builds the text of a post, a comment or a bio, with the `entities` that the server found in it.
export function richText(text, entities = []) {
  const nodes = [];
  let done = 0;
  const plain = (end) => {
    let part = calmed(text.slice(done, end));
    if (done === 0) part = part.trimStart();
    if (end === text.length) part = part.trimEnd();
    if (part !== '') nodes.push(part);
  };
  for (const { type, begin, end, value } of entities) {
    plain(begin);
    const shown = text.slice(begin, end);
    nodes.push(LINKS[type]?.({ text: shown, value }) ?? shown);
    done = end;
  }
  plain(text.length);
  return nodes;
}

function shortened(address) {
  const points = [...address.replace(/^https?:\/\/(www\.)?/i, '')];
  return points.length <= DOMAIN_AND_PATH_MAX ? points.join('') : `${points.slice(0, DOMAIN_AND_PATH_MAX - 1).join('')}…`;
}
