// The pictures and videos of a post. Each has its space before it has loaded, so that nothing moves
// when it appears.

import { h, button, show } from './dom.js';
import { icon } from './icons.js';
import { mediaAddress } from './addresses.js';
import { openDialog } from './dialog.js';
import { calmText } from './text.js';

// An address does not show the type: if it is not a picture it may be a video, and otherwise it
// becomes a link. `altTexts` are the author's descriptions, if there are any.
export function pictures(addresses, altTexts = []) {
  const items = addresses.map((address, at) => ({ address: mediaAddress(address), shows: calmText(altTexts[at] ?? '') }))
    .filter(({ address }) => address !== null);
  if (items.length === 0) return null;
  items.forEach((item, at) => { item.frame = picture(item, items, `Picture ${at + 1} of ${items.length}`); });
  return h('div', { class: `pictures of-${Math.min(items.length, 4)}` }, items.map(({ frame }) => frame));
}

function picture(item, items, place) {
  const { address, shows } = item;
  const label = shows || place;
  const image = h('img', { src: address, alt: shows, loading: 'lazy', decoding: 'async', referrerpolicy: 'no-referrer' });
  const frame = button(image, () => openLightbox(items.filter((each) => each.frame.isConnected), item),
                       { kind: 'picture', label: `${label}: enlarge` });
  if (shows) frame.title = shows;
  // Only pictures can be enlarged.
  image.addEventListener('error', () => frame.replaceWith(video(address, label)), { once: true });
  return frame;
}

function video(address, label) {
  const element = h('video', { src: address, controls: true, preload: 'metadata', class: 'picture', 'aria-label': label });
  element.addEventListener('error', () => {
    element.replaceWith(h('a', { href: address, target: '_blank', rel: 'noopener noreferrer nofollow', class: 'picture broken' },
                          'This attachment can’t be shown here'));
  }, { once: true });
  return element;
}

// The pictures of a post, one at a time and large, starting with the one clicked. The first follows
// the last.
function openLightbox(items, first) {
  let at = Math.max(items.indexOf(first), 0);
  const title = h('span', { 'aria-live': 'polite' });
  const image = h('img', { class: 'enlarged', referrerpolicy: 'no-referrer' });
  const caption = h('figcaption', { class: 'quiet', dir: 'auto' });
  const turn = (by) => {
    at = (at + by + items.length) % items.length;
    const { address, shows } = items[at];
    const place = `Picture ${at + 1} of ${items.length}`;
    show(title, place, shows && h('span', { class: 'unseen' }, `: ${shows}`));
    image.src = address;
    image.alt = shows || place;
    show(caption, shows);
  };
  const turner = (by, name, words) => items.length > 1 &&
    button(icon(name), () => turn(by), { kind: 'quiet', label: words });
  const dialog = openDialog(title, h('figure', { class: 'lightbox' },
                                     turner(-1, 'back', 'Previous picture'), image, turner(1, 'forward', 'Next picture'), caption),
                            { kind: 'wide' });
  dialog.addEventListener('keydown', (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    turn(by);
  });
  turn(0);
}
