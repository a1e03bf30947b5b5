// The home feed. New posts wait behind a button until the reader asks for them, so nothing moves
// during reading.

import { h, button, isTyping, prefersStillness, scrollToTop, show } from './dom.js';
import { isDialogOpen } from './dialog.js';
import { icon } from './icons.js';
import { plural } from './format.js';
import { composer } from './compose.js';
import { announce } from './notice.js';
import { Timeline } from './timeline.js';
import { on, tell } from './bus.js';
import { suggestions } from './people.js';
import { refreshFeed } from './operations.js';
import { isMe } from './session.js';
import { ofBrowser } from './storage.js';
import { isOn, showCost } from './xray.js';

const COUNT_MAX = 1000;
const ORDER = 'chirp.order';  // the chosen order, stored in this browser
const PENDING_MS = 500;
const PENDING_MAX_MS = 32_000;
const TO_TOP_SCREENS = 3;  // screens scrolled before a button to the top appears
const NEAR_TOP = 400;  // pixels: a reader above this sees what is added at the top

// #/
export function homeView(signal) {
  let algorithm = ofBrowser.get(ORDER) === 'ranked' ? 'ranked' : 'chronological';
  const waiting = new Set();  // ids of posts that have arrived and are not shown yet
  let more = 0;               // further posts of which only the number is known
  const bell = button('', () => showNew(), { kind: 'new-posts', hidden: true });

  const timeline = new Timeline({
    query: () => ({ ...(isOn() && { explain: true }), ...(algorithm === 'ranked' && { algorithm }) }),
    onPage: (page, asked) => {
      for (const post of page.posts) waiting.delete(post.postId);
      showWaiting();
      showCost(page, asked);
      if (isOn()) explainLater(page);
    },
    empty: () => emptyFeed(signal, () => timeline.restart()), signal,
  });
  const place = h('div', { class: 'new-posts-place' }, bell);
  const writing = composer({ done: () => {}, signal });

  function count() {
    return Math.min(waiting.size + more, COUNT_MAX);
  }

  function showWaiting() {
    const number = count();
    bell.hidden = number === 0;
    tell('waiting', { count: number });
    if (number === 0) return show(bell);
    const words = `${plural(number, 'new post')}`;
    if (bell.textContent !== words) announce(words);
    return show(bell, icon('up'), words);
  }

  async function showNew(focus = true) {
    waiting.clear();
    more = 0;
    showWaiting();
    if (timeline.top) await timeline.readFresh();
    else await timeline.restart();
    scrollToTop();
    if (focus) timeline.list.firstElementChild?.focus({ preventScroll: true });
  }

  // A post is pending only for moments: its explanation is requested again, less and less often.
  let asking = null;
  let wait = PENDING_MS;
  function explainLater(page) {
    const isPending = page.posts.some(({ explanation }) => explanation?.source === 'pending');
    if (!isPending && asking === null) wait = PENDING_MS;
    if (!isPending || asking !== null) return;
    asking = setTimeout(() => {
      asking = null;
      if (isOn() && element.isConnected) timeline.explain();
    }, wait);
    wait = Math.min(2 * wait, PENDING_MAX_MS);
  }
  signal.addEventListener('abort', () => clearTimeout(asking));

  // Posts that arrived while the stream was closed.
  async function catchUp() {
    await timeline.turn;
    const newest = timeline.newest();
    if (newest === null || algorithm === 'ranked') {
      if (timeline.list.children.length === 0) await timeline.restart();
      return;
    }
    const { newPostsCount } = await refreshFeed(newest, signal).catch(() => ({ newPostsCount: null }));
    if (newPostsCount === null) return;
    more = Math.max(0, newPostsCount - waiting.size);
    showWaiting();
  }

  on('post', (item) => {
    const ownRepost = item.repostedBy && isMe(item.repostedBy[0].userId);
    if (ownRepost || timeline.hasEntry(item)) return;
    waiting.add(item.postId);
    showWaiting();
  }, signal);
  on('post_removed', ({ postId }) => {
    if (waiting.delete(postId)) showWaiting();
  }, signal);
  on('live-open', ({ fresh }) => { if (fresh) catchUp(); }, signal);
  on('xray', () => (isOn() ? timeline.explain() : timeline.forgetExplanations()), signal);
  on('delivered', () => { if (isOn() && element.isConnected) timeline.explain(); }, signal);
  on('posted', () => {
    if (element.isConnected && scrollY < NEAR_TOP) showNew(false);
  }, signal);
  on('relation', ({ userId, change }) => {
    if (!element.isConnected) timeline.restart();
    else if (change.muting || change.blocking) timeline.dropAuthor(userId);
  }, signal);
  on('again', () => {
    if (!element.isConnected) return;
    if (count() > 0 || !timeline.top) showNew();
    else scrollToTop();
  }, signal);

  // Far down, the posts above have left the document. So the key that leads to the top loads the newest posts.
  document.addEventListener('keydown', (event) => {
    const isAway = !element.isConnected || timeline.top || event.defaultPrevented;
    if (event.key !== 'Home' || isAway || event.shiftKey || isTyping(event.target) || isDialogOpen()) return;
    event.preventDefault();
    showNew();
  }, { signal });
  const upward = button(icon('up'), () => (timeline.top ? scrollToTop() : showNew()), { kind: 'primary to-top', label: 'To the top', hidden: true });
  document.addEventListener('scroll', () => { upward.hidden = scrollY < TO_TOP_SCREENS * innerHeight && timeline.top; }, { signal, passive: true });

  const order = (name, words) => button(words, (event) => {
    algorithm = name;
    ofBrowser.set(ORDER, name);
    for (const tab of event.currentTarget.parentElement.children) {
      tab.setAttribute('aria-pressed', String(tab === event.currentTarget));
    }
    scrollTo({ top: 0, behavior: prefersStillness() ? 'instant' : 'auto' });
    timeline.restart();
  }, { kind: 'tab', 'aria-pressed': String(name === algorithm) });

  const element = h('div', {},
                    h('div', { class: 'view-head' }, h('h1', {}, 'Home'), h('span', { class: 'spacer' }),
                      h('div', { class: 'tabs small', role: 'group', 'aria-label': 'Order' },
                        order('chronological', 'Latest'), order('ranked', 'Ranked'))),
                    h('div', { class: 'card wide-only' }, writing.element),
                    place, timeline.element, upward);
  timeline.restart();
  return { title: 'Home', element };
}

// The content of a feed without posts: suggestions, and the feed again after the first follow.
function emptyFeed(signal, restart) {
  const ready = button('Show my feed', restart, { kind: 'primary', hidden: true });
  on('relation', ({ change }) => { if (change.following) ready.hidden = false; }, signal);
  return h('div', { class: 'empty' },
           h('h2', {}, 'Your feed is empty.'),
           h('p', {}, 'Your feed shows your own posts and those of the people you follow.'),
           ready, suggestions(signal),
           h('a', { href: '#/people', class: 'button plain' }, 'Find people'));
}
