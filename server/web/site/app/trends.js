// Trending hashtags, and the posts that carry one.

import { h, button, show } from './dom.js';
import { icon } from './icons.js';
import { plural } from './format.js';
import { followPosts, postCard } from './post.js';
import { loadInto } from './loading.js';
import { complain } from './notice.js';
import { endless, numberArticles } from './endless.js';
import { on } from './bus.js';
import * as operations from './operations.js';
import { me } from './session.js';

const WINDOWS = [['1h', 'Last hour'], ['24h', 'Last day'], ['7d', 'Last week']];
const PAGES_A_STEP = 5;  // of 100 posts, searched for a tag before asking whether to continue

function trendList(trends) {
  if (trends.length === 0) return h('p', { class: 'quiet' }, 'No trending hashtags.');
  const top = trends[0].score || 1;
  return h('ol', { class: 'trends' }, trends.map((trend) =>
    h('li', {}, h('a', { href: `#/tag/${encodeURIComponent(trend.tag)}` },
                  h('strong', {}, h('bdi', {}, `#${trend.tag}`)), h('span', { class: 'quiet' }, plural(trend.postCount, 'post')),
                  h('meter', { min: '0', max: top, value: trend.score, 'aria-hidden': 'true' })))));
}

// The panel beside the feed.
export function trendsPanel() {
  const place = h('div');
  const refresh = () => loadInto(place, () => operations.listTrends({ limit: 8 }), ({ trends }) => trendList(trends));
  refresh();
  return {
    element: h('section', { class: 'card', 'aria-labelledby': 'trends-title' }, h('h2', { id: 'trends-title' }, 'Trends'), place),
    refresh,
  };
}

// #/trends
export function trendsView(signal) {
  const place = h('div', { class: 'card' });
  let life = null;
  const load = () => {
    life?.abort();
    life = new AbortController();
    const loading = AbortSignal.any([signal, life.signal]);
    place.replaceChildren();
    loadInto(place, () => operations.listTrends({ window: choice.value, limit: 50 }, loading), ({ trends }) => trendList(trends));
  };
  const choice = h('select', { 'aria-label': 'Time window', on: { change: load } },
                   WINDOWS.map(([value, words]) => h('option', { value, selected: value === '24h' }, words)));
  load();
  return {
    title: 'Trends',
    element: h('div', {},
               h('div', { class: 'view-head' }, h('h1', {}, 'Trends'), h('span', { class: 'spacer' }), choice), place),
  };
}

// #/tag/NAME: public posts of the last week with the tag; then, on request, older ones from the
// reader's own feed.
export function tagView(name, signal) {
  const tag = foldedTag(name);
  const figure = h('p', { class: 'quiet' });
  operations.listTrends({ window: '7d', limit: 100 }, signal).then(({ trends }) => {
    const trend = trends.find((each) => each.tag === tag);
    if (trend) show(figure, `${plural(trend.postCount, 'public post')} in the last week`);
  }, () => {});

  const list = endless({
    label: `Posts with #${tag}`, signal, empty: 'No public post of the last week has this hashtag.',
    load: async (cursor, loading) => {
      const page = await operations.listTaggedPosts(tag, { cursor }, loading);
      return { items: page.posts, nextCursor: page.pagination.nextCursor };
    },
    render: (post) => (isShown(list, post) ? null : postCard(post)),
  });
  followPosts(list.list, signal);
  on('posted', ({ post }) => {
    if (post.privacy === 'public' && carries(post, tag)) list.prepend(postCard(post));
  }, signal);
  return {
    title: `#${tag}`,
    element: h('div', {},
               h('div', { class: 'view-head' },
                 h('a', { href: '#/trends', class: 'button quiet', 'aria-label': 'All trends' }, icon('back')),
                 h('h1', {}, h('bdi', {}, `#${tag}`)), figure),
               list.element, me() && feedWithTag(tag, list, signal)),
  };
}

const isShown = ({ list }, post) => list.querySelector(`article[data-post-id="${post.postId}"]`) !== null;

// Searches the reader's own feed, step by step, for posts that `above` does not show.
function feedWithTag(tag, above, signal) {
  const list = h('div', { role: 'feed', class: 'items feed', hidden: true, 'aria-label': `Posts with #${tag} in your feed` });
  const foot = h('div', { class: 'list-foot' }, button('Also search your feed', look));
  let cursor;
  let looked = 0;

  async function look() {
    list.setAttribute('aria-busy', 'true');
    show(foot, h('p', { class: 'quiet loading' }, 'Looking…'));
    try {
      for (let pages = 0; pages < PAGES_A_STEP && cursor !== null; ++pages) {
        const page = await operations.getFeed({ limit: 100, cursor }, signal);
        cursor = page.pagination.nextCursor;
        looked += page.posts.length;
        const found = page.posts.filter((post) => carries(post, tag) && !isShown(above, post) && !isShown({ list }, post));
        list.append(...found.map((post) => postCard(post)));
        list.hidden = list.children.length === 0;
      }
      numberArticles(list, cursor === null);
      show(foot, h('p', { class: 'quiet' }, `${plural(list.children.length, 'more post')} among ${plural(looked, 'post')} of your feed`),
           cursor !== null && button('Search older posts', look));
    } catch (error) {
      show(foot, button('Try again', look));
      complain(error);
    }
    list.setAttribute('aria-busy', 'false');
  }
  followPosts(list, signal);
  return h('div', {}, list, foot);
}

const carries = (post, tag) =>
  (post.entities ?? []).some(({ type, value }) => type === 'hashtag' && value === tag);

// Folds case as the server does for tags.
const foldedTag = (tag) => tag.toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
