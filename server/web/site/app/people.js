// People: rows of them, whom somebody follows and who follows, and finding them by name.

import { h, append } from './dom.js';
import { icon } from './icons.js';
import { plural } from './format.js';
import { avatar } from './avatar.js';
import { endless } from './endless.js';
import { followButton } from './relation.js';
import { on } from './bus.js';
import * as operations from './operations.js';
import * as router from './router.js';

const TYPING_PAUSE_MS = 200;

// One person. `mark` is a picture beside the name, said as `markLabel`; `control` stands at the end.
export function personRow(user, { mark, markLabel, control, signal } = {}) {
  const link = h('a', { href: `#/@${user.username}`, class: 'person-link' },
                 avatar(user),
                 h('span', { class: 'person-names' },
                   h('bdi', { class: 'display-name' }, user.displayName),
                   h('span', { class: 'username' }, `@${user.username}`),
                   user.bio && h('span', { class: 'quiet bio', dir: 'auto' }, user.bio)));
  const row = h('div', { class: 'person' }, link,
                mark && h('span', { role: 'img', 'aria-label': markLabel }, mark));
  link.addEventListener('click', () => row.closest('dialog')?.close());
  append(row, control === undefined ? followButton(user, signal) : control);
  return row;
}

// #/people and #/people/WORDS
export function peopleView(words, signal) {
  const place = h('div');
  const field = h('input', { type: 'search', id: 'find', name: 'find', maxlength: '50', value: words, autocomplete: 'off',
                             placeholder: 'A name, or part of one', spellcheck: 'false' });
  let life = null;
  let timer;

  const search = (match) => {
    life?.abort();
    life = new AbortController();
    const lifetime = AbortSignal.any([signal, life.signal]);
    const list = endless({
      label: match ? `People matching ${match}` : 'Everybody', role: 'list', signal: lifetime,
      empty: match ? 'Nobody has a name like that.' : 'Nobody is here yet.',
      load: async (cursor, loading) => {
        const page = await operations.listUsers({ match: match || undefined, cursor, limit: 30 }, loading);
        return { items: page.users, nextCursor: page.pagination.nextCursor };
      },
      render: (user) => personRow(user, { signal: lifetime }),
    });
    place.replaceChildren(list.element);
  };
  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const match = field.value.trim();
      router.rename(match ? `/people/${encodeURIComponent(match)}` : '/people');
      search(match);
    }, TYPING_PAUSE_MS);
  });
  search(words);

  return {
    title: 'People',
    element: h('div', {},
               h('div', { class: 'view-head' }, h('h1', {}, 'People')),
               h('form', { role: 'search', class: 'search', on: { submit: (event) => event.preventDefault() } },
                 h('label', { for: 'find', class: 'unseen' }, 'Find people'), icon('search'), field),
               place),
  };
}

const LISTS = {
  followers: { title: 'Followers', load: operations.listFollowers, items: 'followers', empty: 'Nobody follows yet.' },
  following: { title: 'Following', load: operations.listFollowing, items: 'following', empty: 'Follows nobody yet.' },
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
  const tab = (which) => h('a', { href: `#/@${name}/${which}`, class: 'tab', 'aria-current': which === side ? 'page' : null,
                                  on: { click: (event) => { event.preventDefault(); router.replace(`/@${name}/${which}`); } } },
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
