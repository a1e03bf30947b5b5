// The picture of an account: its own, or its initial on a colour derived from its id.

import { h, svg } from './dom.js';
import { mediaAddress } from './addresses.js';

const HUES = 12;

// FNV-1a of an id. The low bits of ids are equal, so using the ids themselves would give few hues.
function hashOf(id) {
  let hash = 0x811c9dc5;
  for (const digit of id) hash = Math.imul(hash ^ digit.charCodeAt(0), 0x01000193) >>> 0;
  return hash;
}

// `user` has userId, displayName, username and perhaps profileImageUrl. Decorative: the name is
// always next to it.
export function avatar(user, size = 'normal') {
  const address = user.profileImageUrl && mediaAddress(user.profileImageUrl);
  if (!address) return drawn(user, size);
  const picture = h('img', { src: address, alt: '', class: `avatar ${size}`, loading: 'lazy', decoding: 'async',
                             referrerpolicy: 'no-referrer' });
  picture.addEventListener('error', () => picture.replaceWith(drawn(user, size)), { once: true });
  return picture;
}

function drawn(user, size) {
  const name = user.displayName || user.username || '?';
  const initial = new Intl.Segmenter().segment(name)[Symbol.iterator]().next().value.segment;
  const hue = hashOf(user.userId) % HUES;
  return svg('svg', { viewBox: '0 0 40 40', class: `avatar ${size} hue-${hue}`, 'aria-hidden': 'true' },
             svg('rect', { width: '40', height: '40' }),
             svg('text', { x: '20', y: '21', 'text-anchor': 'middle', 'dominant-baseline': 'central' },
                 initial.toUpperCase()));
}
