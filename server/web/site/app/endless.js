// A list that loads more as its end comes near.
//
//   label   its name for screen readers
//   role    'feed' for articles, 'list' otherwise
//   load    (cursor, signal) -> {items, nextCursor}; the first page has no cursor
//   render  item -> element, or null to leave it out
//   empty   words, or a function that makes an element, for a list without items
//   head    called with each page as it arrives
//
// Returns {element, list, reload(), prepend(element), isEmpty()}.

import { h, button, show } from './dom.js';

const AHEAD = '900px';  // loading begins this far before the end

export function endless({ label, role = 'feed', load, render, empty, signal, head, after }) {
  const list = h('div', { role, class: `items ${role}`, 'aria-label': label, 'aria-busy': 'true' });
  const foot = h('div', { class: 'list-foot' });
  const element = h('div', { class: 'endless' }, list, foot);
  let cursor;
  let ended = false;
  let loading = null;

  const near = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) more();
  }, { rootMargin: `0px 0px ${AHEAD} 0px` });
  near.observe(foot);
  signal?.addEventListener('abort', () => near.disconnect());

  function more() {
    if (ended || loading) return;
    const mine = new AbortController();
    loading = mine;
    busy(true);
    const life = signal ? AbortSignal.any([signal, mine.signal]) : mine.signal;
    load(cursor, life).then((page) => take(page, mine), (error) => fail(error, mine));
  }

  function take(page, mine) {
    if (loading !== mine) return;
    loading = null;
    cursor = page.nextCursor;
    ended = cursor === null;
    for (const item of page.items) {
      const shown = render(item);
      if (shown) list.append(role === 'list' ? listed(shown) : shown);
    }
    head?.(page);
    number();
    busy(false);
    after?.();
    // The foot may still be visible, and then the observer does not report it again.
    near.unobserve(foot);
    if (!ended) near.observe(foot);
  }

  function fail(error, mine) {
    if (loading !== mine || error.name === 'AbortError') return;
    loading = null;
    busy(false);
    show(foot, h('p', { role: 'alert' }, error.message), button('Try again', more, { kind: 'plain' }));
  }

  function busy(is) {
    list.setAttribute('aria-busy', String(is));
    if (is) return show(foot, h('p', { class: 'quiet loading' }, 'Loading…'));
    if (!ended) return show(foot);
    if (list.children.length > 0) return show(foot, h('p', { class: 'quiet the-end' }, 'End of the list.'));
    return show(foot, typeof empty === 'function' ? empty() : h('p', { class: 'quiet empty' }, empty));
  }

  function number() {
    if (role === 'feed') numberArticles(list, ended);
  }

  function reload() {
    loading?.abort();
    loading = null;
    cursor = undefined;
    ended = false;
    list.replaceChildren();
    near.unobserve(foot);
    near.observe(foot);
    more();
  }

  function prepend(item) {
    list.prepend(role === 'list' ? listed(item) : item);
    number();
    if (!loading) busy(false);
  }

  more();
  return { element, list, reload, prepend, isEmpty: () => list.children.length === 0 };
}

const listed = (element) => h('div', { role: 'listitem', class: 'item' }, element);

// The position of each article, for screen readers.
export function numberArticles(list, ended) {
  const total = ended ? list.children.length : -1;
  let place = 0;
  for (const article of list.children) {
    article.setAttribute('aria-posinset', String(++place));
    article.setAttribute('aria-setsize', String(total));
  }
}
