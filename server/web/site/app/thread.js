// The page of one post: the post, and what was said about it.

import { h, button, show } from './dom.js';
import { icon } from './icons.js';
import { plural } from './format.js';
import { calmText } from './text.js';
import { commentSection } from './comments.js';
import { cardOf, followPosts, postCard } from './post.js';
import { on } from './bus.js';
import { getPost } from './operations.js';
import * as router from './router.js';

// #/post/ID
export function threadView(postId, signal) {
  const place = h('div', { 'aria-busy': 'true' }, h('p', { class: 'quiet loading' }, 'Loading…'));
  const element = h('div', {},
                    h('div', { class: 'view-head' },
                      button(icon('back'), () => (history.length > 1 ? history.back() : router.go('/')),
                             { kind: 'quiet', label: 'Back' }),
                      h('h1', {}, 'Post')),
                    place);
  getPost(postId, signal).then((post) => fill(place, post.repostOf ?? post, signal), (error) => {
    if (error.name === 'AbortError') return;
    place.setAttribute('aria-busy', 'false');
    show(place, h('div', { class: 'empty' }, h('h2', {}, error.status === 404 ? 'This post is not here.' : 'That did not work.'),
                  h('p', {}, error.message)));
  });
  return { title: 'Post', element };
}

function fill(place, post, signal) {
  place.setAttribute('aria-busy', 'false');
  const card = postCard(post, { whole: true });
  const holder = h('div', {}, card);
  const comments = commentSection(post, signal);
  const fresh = button('', () => {
    fresh.hidden = true;
    known = cardOf(card).post.commentCount;
    comments.reload();
  }, { kind: 'new-posts', hidden: true });
  show(place, holder, fresh, comments.element);
  router.setTitle(`${post.displayName}: ${calmText(post.content).slice(0, 60) || 'a picture'}`);

  let known = post.commentCount ?? 0;
  on('commented', ({ postId, step }) => {
    if (postId === post.postId) known += step;
  }, signal);
  on('counts', ({ postId, commentCount }) => {
    if (postId !== post.postId || commentCount === undefined) return;
    fresh.hidden = commentCount <= known;
    if (!fresh.hidden) show(fresh, plural(commentCount - known, 'new comment'));
  }, signal);
  on('post_removed', ({ postId }) => {
    if (postId !== post.postId) return;
    router.setTitle('Post');
    show(place, h('div', { class: 'empty' }, h('h2', {}, 'This post was removed.')));
  }, signal);
  on('write-comment', () => comments.write(), signal);
  followPosts(holder, signal);
}
