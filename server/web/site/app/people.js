// Users: lists of them, followees and followers, and finding users by name.

import { h, append, show } from './dom.js';
import { icon } from './icons.js';
import { names, plural } from './format.js';
import { avatar } from './avatar.js';
import { calmText } from './text.js';
import { endless } from './endless.js';
import { followButton } from './relation.js';
import { on } from './bus.js';
import * as operations from './operations.js';
import * as router from './router.js';
import { me } from './session.js';

const TYPING_PAUSE_MS = 200;
const SUGGESTED = 5;

// A row for one user. `mark` is a picture next to the name, with the label `markLabel`; `note` is
// below it, `control` at the end.
export function personRow(user, { mark, markLabel, note, control, signal } = {}) {
  const link = h('a', { href: `#/@${user.username}`, class: 'person-link' },
                 avatar(user),
                 h('span', { class: 'person-names' },
                   h('bdi', { class: 'display-name' }, user.displayName),
                   h('span', { class: 'username' }, `@${user.username}`),
                   user.bio && h('span', { class: 'quiet bio', dir: 'auto' }, calmText(user.bio)),
                   note && h('span', { class: 'quiet note' }, note)));
  const row = h('div', { class: 'person' }, link,
                mark && h('span', { role: 'img', 'aria-label': markLabel }, mark));
  link.addEventListener('click', () => row.closest('dialog')?.close());
  append(row, control === undefined ? followButton(user, signal) : control);
  return row;
}

// Users whom the reader may want to follow, with the reason; empty without suggestions.
export function suggestions(signal) {
  const place = h('div');
  operations.listSuggestions({ limit: SUGGESTED }, signal).then(({ suggestions: found }) => {
    if (found.length === 0) return;
    const rows = found.map((user) => h('div', { role: 'listitem', class: 'item' }, personRow(user, { note: reasonFor(user), signal })));
    append(place, h('section', { class: 'card suggestions', 'aria-labelledby': 'suggestions-title' },
                    h('h2', { id: 'suggestions-title' }, 'Accounts to follow'),
                    h('div', { role: 'list', class: 'items list', 'aria-labelledby': 'suggestions-title' }, rows)));
  }, () => {});
  return place;
}

function reasonFor({ followedBy, followedByCount, followerCount }) {
  const followers = plural(followerCount, 'follower');
  if (followedByCount === 0) return followers;
  return `Followed by ${names(followedBy.map((user) => `@${user.username}`), followedByCount)} · ${followers}`;
}

// #/people and #/people/WORDS
export function peopleView(words, signal) {
  const place = h('div');
  const above = h('div');
  const suggested = me() ? suggestions(signal) : null;
  const field = h('input', { type: 'search', id: 'find', name: 'find', maxlength: '50', value: words, autocomplete: 'off',
                             placeholder: 'A name, or a part of it', spellcheck: 'false' });
  let life = null;
  let timer;
  let openWhenFound = false;

  const results = () => [...place.querySelectorAll('a.person-link, a.tag-link')];
  const open = () => {
    const [first] = results();
    openWhenFound = !first;
    first?.click();
  };

  const search = (typed) => {
    life?.abort();
    life = new AbortController();
    openWhenFound = false;
    const lifetime = AbortSignal.any([signal, life.signal]);
    const tag = /^[#＃](\S+)/u.exec(typed)?.[1];
    show(above, typed === '' && suggested);
    if (tag) {
      place.replaceChildren(h('p', { class: 'card' },
        h('a', { href: `#/tag/${encodeURIComponent(tag)}`, class: 'tag-link' }, 'Posts with ', h('bdi', {}, `#${tag}`))));
      return;
    }
    const match = typed.replace(/^[@＠]/u, '');
    const list = endless({
      label: match ? `People matching ${match}` : 'All people', role: 'list', signal: lifetime,
      after: () => openWhenFound && open(),
      empty: match ? 'No account matches this.' : 'There are no accounts yet.',
      load: async (cursor, loading) => {
        const page = await operations.listUsers({ match: match || undefined, cursor, limit: 30 }, loading).catch(inWords);
        return { items: page.users, nextCursor: page.pagination.nextCursor };
      },
      render: (user) => personRow(user, { signal: lifetime }),
    });
    place.replaceChildren(list.element);
  };
  const searchTyped = () => {
    timer = undefined;
    const typed = field.value.trim();
    // Another view may be shown by now, and the address belongs to it.
    if (field.isConnected) router.rename(typed ? `/people/${encodeURIComponent(typed)}` : '/people');
    search(typed);
  };
  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(searchTyped, TYPING_PAUSE_MS);
  });
  // Enter opens the first result as soon as it is loaded.
  const submit = (event) => {
    event.preventDefault();
    if (field.value.trim() === '') return;
    if (timer !== undefined) {
      clearTimeout(timer);
      searchTyped();
    }
    open();
  };
  // The arrow keys move from the field into the results and back.
  const move = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const stops = [field, ...results()];
    const at = stops.indexOf(document.activeElement);
    if (!step || at < 0 || !stops[at + step]) return;
    event.preventDefault();
    stops[at + step].focus();
  };
  search(words.trim());

  return {
    title: 'People',
    element: h('div', { on: { keydown: move } },
               h('div', { class: 'view-head' }, h('h1', {}, 'People')),
               h('form', { role: 'search', class: 'search', on: { submit } },
                 h('label', { for: 'find', class: 'unseen' }, 'Find people'), icon('search'), field),
               above, place),
  };
}

// The server's error names its parameter, which users do not see here.
function inWords(error) {
  if (error.status === 400) error.message = 'Too many names match this. Type more of the name.';
  throw error;
}

const LISTS = {
  followers: { title: 'Followers', load: operations.listFollowers, items: 'followers', empty: 'No followers yet.' },
  following: { title: 'Following', load: operations.listFollowing, items: 'following', empty: 'Follows no accounts yet.' },
};

// #/@name/followers and #/@name/following
export function followsView(name, side, signal) {
  const { title, load, items, empty } = LISTS[side];
  const total = h('p', { class: 'quiet' });
  const showTotal = (page) => total.replaceChildren(
    plural(page.totalCount, side === 'followers' ? 'follower' : 'account followed',
           side === 'followers' ? 'followers' : 'accounts followed'));
  on('relation', () => load(`@${name}`, { limit: 1 }, signal).then(showTotal, () => {}), signal);
  const list = endless({
    label: `${title} of @${name}`, role: 'list', empty, signal,
    load: async (cursor, loading) => {
      const page = await load(`@${name}`, { cursor }, loading);
      showTotal(page);
      return { items: page[items], nextCursor: page.pagination.nextCursor };
    },
    render: (user) => personRow(user, { signal }),
  });
  const choose = (event, which) => {
    if (router.wantsTab(event)) return;
    event.preventDefault();
    router.replace(`/@${name}/${which}`);
  };
  const tab = (which) => h('a', { href: `#/@${name}/${which}`, class: 'tab', 'aria-current': which === side ? 'page' : null,
                                  on: { click: (event) => choose(event, which) } },
                           LISTS[which].title);
  return {
    title: `${title} of @${name}`,
    element: h('div', {},
               h('div', { class: 'view-head' },
                 h('a', { href: `#/@${name}`, class: 'button quiet', 'aria-label': `Back to @${name}` }, icon('back')),
                 h('h1', {}, `@${name}`), total),
               h('nav', { class: 'tabs', 'aria-label': 'Followers and following' }, tab('followers'), tab('following')),
               list.element),
  };
}
