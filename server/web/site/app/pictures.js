// The pictures and videos of a post. Each has its place before it has loaded, so that nothing moves
// when it comes.

import { h, button } from './dom.js';
import { mediaAddress } from './entities.js';
import { openDialog } from './dialog.js';

// An address does not say what it leads to: what is no picture may be a video, and what is neither
// becomes a link. `altTexts` say what each shows, as far as its author has said it.
export function pictures(addresses, altTexts = []) {
  const safe = addresses.map((address, at) => ({ address: mediaAddress(address), shows: altTexts[at] ?? '' }))
    .filter(({ address }) => address !== null);
  if (safe.length === 0) return null;
  return h('div', { class: `pictures of-${Math.min(safe.length, 4)}` },
           safe.map(({ address, shows }, at) => picture(address, shows, `Picture ${at + 1} of ${safe.length}`)));
}

function picture(address, shows, place) {
  const label = shows || place;
  const image = h('img', { src: address, alt: shows, loading: 'lazy', decoding: 'async', referrerpolicy: 'no-referrer' });
  const frame = button(image, () => enlarge(address, place, label), { kind: 'picture', label: `${label}: enlarge` });
  if (shows) frame.title = shows;
  image.addEventListener('error', () => frame.replaceWith(video(address, label)), { once: true });
  return frame;
}

function video(address, label) {
  const element = h('video', { src: address, controls: true, preload: 'metadata', class: 'picture', 'aria-label': label });
  element.addEventListener('error', () => {
    element.replaceWith(h('a', { href: address, target: '_blank', rel: 'noopener noreferrer nofollow', class: 'picture broken' },
                          'An attachment that does not show here'));
  }, { once: true });
  return element;
}

function enlarge(address, place, label) {
  openDialog(place, h('img', { src: address, alt: label, class: 'enlarged', referrerpolicy: 'no-referrer' }),
             { kind: 'wide' });
}
