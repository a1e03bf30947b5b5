// What users write, as nodes: text is text, and what is an entity of it becomes a link.

import { h } from './dom.js';
import { partsOf } from './entities.js';

const DOMAIN_AND_PATH_MAX = 42;

const LINKS = {
  mention: ({ text, value }) => h('a', { href: `#/@${value}` }, text),
  hashtag: ({ text, value }) => h('a', { href: `#/tag/${encodeURIComponent(value)}` }, text),
  link: ({ text, value }) =>
    h('a', { href: value, target: '_blank', rel: 'noopener noreferrer nofollow', title: value }, shortened(text)),
};

// The text of a post or comment.
export const richText = (text) => partsOf(text).map((part) => LINKS[part.kind]?.(part) ?? part.text);

function shortened(address) {
  const points = [...address.replace(/^https?:\/\/(www\.)?/i, '')];
  return points.length <= DOMAIN_AND_PATH_MAX ? points.join('') : `${points.slice(0, DOMAIN_AND_PATH_MAX - 1).join('')}…`;
}
