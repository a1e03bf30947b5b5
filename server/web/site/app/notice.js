// Messages of the page: announcements for screen readers, short messages for everybody, and a band
// while the server is unreachable.

import { h, button, freshId, show } from './dom.js';
import { icon } from './icons.js';

const SECONDS = 6;
const MESSAGES_MAX = 3;

const spoken = h('div', { class: 'unseen', 'aria-live': 'polite', role: 'status', id: freshId('spoken') });
const messages = h('div', { class: 'messages', role: 'region', 'aria-label': 'Messages' });
const band = h('div', { class: 'offline-band', role: 'alert', hidden: true });

const seconds = h('span', { 'aria-hidden': 'true' });
const pause = h('div', { class: 'offline-band', hidden: true }, 'Too many requests. Trying again in ', seconds, '.');

export const places = () => [spoken, messages];
// Bands are above everything else and push it down, so that they cover nothing.
export const bands = () => [band, pause];

// What is being read stays in place on the screen when a band appears or disappears above it.
function showBand(element, shown) {
  if (element.hidden !== shown) return;
  const height = element.offsetHeight;
  element.hidden = !shown;
  if (shown && scrollY > 0) scrollBy({ top: element.offsetHeight, behavior: 'instant' });
  else if (!shown && scrollY > height) scrollBy({ top: -height, behavior: 'instant' });
}

// A screen reader reads this when it has finished its current text.
export function announce(words) {
  // A text equal to the last one would not be read again.
  show(spoken, spoken.textContent === words ? `${words}\u00a0` : words);
}

// Shows a message that disappears by itself unless `stays`, with an optional action {label, run}. It replaces the
// message with the same subject; default: the same words. Returns a function that removes it.
export function message(words, { action, tone = 'calm', stays = false, subject = words } = {}) {
  announce(words);
  let timer;
  const gone = () => {
    clearTimeout(timer);
    note.remove();
  };
  const wait = () => {
    clearTimeout(timer);
    if (!stays) timer = setTimeout(gone, SECONDS * 1000);
  };
  const note = h('div', { class: `message ${tone}`,
                          on: { pointerenter: () => clearTimeout(timer), pointerleave: wait,
                                focusin: () => clearTimeout(timer), focusout: wait } },
                 h('span', {}, words),
                 action && button(action.label, () => { gone(); action.run(); }, { kind: 'link-like' }),
                 button(icon('close'), gone, { kind: 'quiet small', label: 'Dismiss' }));
  note.dataset.subject = subject;
  [...messages.children].find((other) => other.dataset.subject === subject)?.remove();
  while (messages.children.length >= MESSAGES_MAX) messages.firstElementChild.remove();
  messages.append(note);
  wait();
  return gone;
}

// Shows an error with the server's message.
export function complain(error) {
  if (error.name === 'AbortError' || error.status === 401) return;
  message(error.message, { tone: 'alarm' });
}

// The server has deferred the request; the page retries after so many seconds.
let pauseEnds = 0;
export function putOff(wait) {
  pauseEnds = Math.max(pauseEnds, performance.now() + wait * 1000);
  if (!pause.hidden) return;
  announce(`Too many requests. Trying again in ${Math.ceil(wait)} seconds.`);
  const tick = () => {
    const left = Math.ceil((pauseEnds - performance.now()) / 1000);
    showBand(pause, left > 0);
    show(seconds, `${left} s`);
    if (left > 0) setTimeout(tick, 1000);
  };
  tick();
}

export function offline() {
  if (!band.hidden) return;
  show(band, 'Can’t reach the server. Trying again…');
  showBand(band, true);
}

export function online() {
  if (band.hidden) return;
  showBand(band, false);
  show(band);
  announce('Connected to the server again.');
}
