// Keyboard shortcuts. Everything also works with Tab and Enter.

import { h, isTyping, show } from './dom.js';
import { isDialogOpen, openDialog } from './dialog.js';
import { openComposer } from './compose.js';
import { cardOf } from './post.js';
import { tell } from './bus.js';
import { toggle as toggleXray } from './xray.js';
import { ofBrowser } from './storage.js';
import * as router from './router.js';

const KEY = 'chirp.shortcuts';
const KEYS = [
  ['j', 'Next post', () => step(1)],
  ['k', 'Previous post', () => step(-1)],
  ['Enter', 'Open the post', null],
  ['n', 'New post', () => openComposer()],
  ['l', 'Like the post, or undo it', () => cardHere()?.react()],
  ['t', 'Repost the post, or undo it', () => cardHere()?.repost()],
  ['r', 'Comment on the post', reply],
  ['.', 'Show new posts', () => tell('again')],
  ['/', 'Find people', () => { router.go('/people'); document.getElementById('find')?.focus(); }],
  ['h', 'Home', () => router.go('/')],
  ['x', 'X-ray on or off', () => { if (router.path() !== '/stage') toggleXray(); }],
  ['?', 'These keys', () => openHelp()],
];
const ACTIONS = new Map(KEYS.filter(([, , run]) => run).map(([key, , run]) => [key, run]));

export const shortcutsOn = () => ofBrowser.get(KEY) !== 'off';
export function switchShortcuts(on) {
  if (on) ofBrowser.remove(KEY);
  else ofBrowser.set(KEY, 'off');
}

export function listen() {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target) || isDialogOpen()) return;
    if (inFeed(event)) return;
    const run = shortcutsOn() && ACTIONS.get(keyOf(event));
    if (!run) return;
    event.preventDefault();
    run();
  });
}

// Returns the character of a key. Layouts of other scripts have other letters on the keys used above. There, the
// position of the key decides.
const PLACES = { Period: '.', Slash: '/' };
function keyOf({ key, code, shiftKey }) {
  const isForeign = /^\p{L}\p{M}*$/u.test(key) && !/^\p{Script=Latin}/u.test(key);
  if (!isForeign || shiftKey) return key;
  return PLACES[code] ?? /^Key([A-Z])$/.exec(code)?.[1].toLowerCase() ?? key;
}

// In a feed, the keys that screen readers expect: Page Up and Page Down move from article to
// article, Enter opens the one with the focus.
function inFeed(event) {
  const article = event.target.closest?.('[role=feed] > article');
  if (!article) return false;
  if (event.key === 'PageDown' || event.key === 'PageUp') {
    event.preventDefault();
    step(event.key === 'PageDown' ? 1 : -1);
    return true;
  }
  if (event.key === 'Enter' && event.target === article) {
    event.preventDefault();
    router.go(`/post/${article.dataset.postId}`);
    return true;
  }
  return false;
}

const articles = () => [...document.querySelectorAll('main article.post')];
const here = () => document.activeElement?.closest('article.post');

function step(by) {
  const list = articles();
  const at = list.indexOf(here());
  const next = at >= 0 ? list[at + by] : by > 0 ? list.find((article) => article.getBoundingClientRect().bottom > 120) : null;
  if (!next) return;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: 'nearest', behavior: 'instant' });
}

function cardHere() {
  const article = here() ?? document.querySelector('main article.post.whole');
  return article ? cardOf(article) : null;
}

function reply() {
  const card = cardHere();
  if (!card) return;
  if (`${router.path()}/`.startsWith(`/post/${card.post.postId}/`)) tell('write-comment');
  else router.go(`/post/${card.post.postId}`);
}

export function openHelp() {
  const rows = h('dl', { class: 'keys' });
  show(rows, KEYS.map(([key, words]) => h('div', {}, h('dt', {}, h('kbd', {}, key)), h('dd', {}, words))));
  openDialog('Keys', [rows, h('p', { class: 'quiet' }, 'You can switch them off in the settings.')], { kind: 'narrow' });
}
