// Chooses the view: the part of the address after `#` names it, so the server has only one page.
//
// A view that was left is kept for a while, and reappears with its scroll position when the reader
// returns.

import { show } from './dom.js';
import { announce } from './notice.js';
import { on } from './bus.js';

const KEPT_MAX = 6;

const routes = [];
const kept = new Map();  // key of a history entry -> view, the least recently seen first
let place = null;        // the element that views are shown in
let current = null;
let lastKey = 0;
let hasArrived = false;  // at the first page view, the browser sets the focus itself
let last = '/';          // the last path that is not a sign-in

// `pattern` must match the whole path; `make(match, signal)` returns {title, element}, and may add
// `onShow()`, called whenever the view is shown (again).
export function route(pattern, make) {
  routes.push({ pattern, make });
}

export const path = () => location.hash.slice(1) || '/';

// Decodes a part of a path.
export function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;  // a percent sign without a code
  }
}

export function start(element) {
  place = element;
  history.scrollRestoration = 'manual';
  addEventListener('popstate', popped);
  arrive();
}

export function go(to) {
  if (uncovering > 0) {
    addEventListener('popstate', () => go(to), { once: true });
  } else {
    // A cover over this view leaves no history entry once another view follows.
    history[history.state?.isCover ? 'replaceState' : 'pushState'](null, '', `#${to}`);
    uncover();
    arrive();
  }
}

// A cover over the view (such as a dialog) has a history entry, so that Back closes only the cover.
const covers = [];   // functions that close the covers, the topmost last
let uncovering = 0;  // history entries that the page itself is leaving

// `takeAway` is called when the user goes back. Returns the function to call when the cover closes for another reason.
export function cover(takeAway) {
  covers.push(takeAway);
  history.pushState({ ...history.state, isCover: true }, '', location.href);
  return () => {
    const at = covers.lastIndexOf(takeAway);
    if (at < 0) return;
    covers.splice(at, 1);
    if (!history.state?.isCover) return;
    ++uncovering;
    history.back();
  };
}

function uncover() {
  for (const takeAway of covers.splice(0)) takeAway();
}

function popped() {
  const isNew = history.state === null;  // a typed address or a followed link
  if (uncovering > 0) {
    --uncovering;
  } else if (covers.length > 0 && !isNew) {
    covers.pop()();
  } else {
    uncover();
    arrive();
  }
}

// Whether a click should open a new tab: with Control, with Command, or with the middle button.
export const wantsTab = (event) => event.ctrlKey || event.metaKey || event.button === 1;

// Opens a view in a new tab. The page opens it, so that the browser copies this tab's session: the
// same user is signed in there.
export function openTab(to) {
  open(`${location.pathname}#${to}`, '_blank');
}

// Replaces this view with another, in the history too.
export function replace(to) {
  if (!place) return;
  history.replaceState(null, '', `#${to}`);
  arrive();
}

// Changes the address of the current view.
export function rename(to) {
  history.replaceState(history.state, '', `#${to}`);
  current.path = path();
}

// Rebuilds the view of this address.
export function reload() {
  if (!place) return;
  if (current) drop(current.key);
  current = null;
  history.replaceState(null, '', location.href);
  arrive();
}

// Returns from a sign-in to the view before it; otherwise rebuilds the current view.
export function comeBack() {
  if (path().startsWith('/sign-')) replace(last);
  else reload();
}

// Rebuilds all other views when they are next shown, because what they have in common has changed.
export function forgetOthers() {
  for (const key of [...kept.keys()]) if (key !== current?.key) drop(key);
}

// Rebuilds every view when it is next shown, because the user has changed.
export function forgetViews() {
  for (const key of [...kept.keys()]) drop(key);
  current = null;
}

export function setTitle(title) {
  if (current) current.title = title;
  const unread = unreadCount > 0 ? `(${unreadCount}) ` : '';
  document.title = unread + (title === 'chirp' ? title : `${title} · chirp`);
}

let unreadCount = 0;
on('unread', ({ count }) => {
  unreadCount = count;
  setTitle(current?.title ?? 'chirp');
});

function arrive() {
  leave();
  if (!path().startsWith('/sign-')) last = path();
  const key = history.state?.key ?? newKey();
  const known = kept.get(key);
  if (known && known.path === path()) {
    kept.delete(key);
    kept.set(key, known);
    enter(known);
    scrollTo({ top: known.scroll, behavior: 'instant' });
    const focus = known.focused?.isConnected ? known.focused : known.element.querySelector('h1');
    focus?.focus({ preventScroll: true });
    hasArrived = true;
    return;
  }
  const view = make(key);
  kept.set(key, view);
  while (kept.size > KEPT_MAX) drop(kept.keys().next().value);
  enter(view);
  scrollTo({ top: 0, behavior: 'instant' });
  announce(view.title);
  const heading = view.element.querySelector('h1');
  heading?.setAttribute('tabindex', '-1');
  if (hasArrived) heading?.focus({ preventScroll: true });
  hasArrived = true;
}

function newKey() {
  const key = `${++lastKey}-${Math.random().toString(36).slice(2)}`;
  history.replaceState({ key }, '', location.href);
  return key;
}

function leave() {
  if (current === null) return;
  current.scroll = scrollY;
  const focused = document.activeElement;
  current.focused = current.element.contains(focused) ? focused : null;
}

function make(key) {
  const life = new AbortController();
  const here = path();
  for (const { pattern, make: build } of routes) {
    const match = pattern.exec(here);
    if (match) return { key, path: here, life, scroll: 0, focused: null, ...build(match, life.signal) };
  }
  throw new Error('The last route takes every path.');
}

function enter(view) {
  current = view;
  show(place, view.element);
  setTitle(view.title);
  place.dispatchEvent(new CustomEvent('view', { detail: { path: view.path } }));
  view.onShow?.();
}

function drop(key) {
  kept.get(key)?.life.abort();
  kept.delete(key);
}
