// The page of one post: the post and its comments.

import { h, button, show } from './dom.js';
import { icon } from './icons.js';
import { plural } from './format.js';
import { calmText } from './text.js';
import { commentSection } from './comments.js';
import { loadInto } from './loading.js';
import { followPosts, postCard } from './post.js';
import { on, tell } from './bus.js';
import { getPost } from './operations.js';
import * as router from './router.js';
import { isMe } from './session.js';

const ASK_SECONDS = 5;

// #/post/ID, and #/post/ID/COMMENT, which opens at that comment
export function threadView(postId, commentId, signal) {
  const place = h('div');
  const element = h('div', {},
                    h('div', { class: 'view-head' },
                      button(icon('back'), () => (history.length > 1 ? history.back() : router.go('/')),
                             { kind: 'quiet', label: 'Back' }),
                      h('h1', {}, 'Post')),
                    place);
  loadInto(place, () => getPost(postId, signal), (post) => { fill(place, post.repostOf ?? post, commentId, signal); },
           (error) => ({ title: h('h2', {}, error.status === 404 ? 'Can’t find this post.' : 'Can’t load this page.'), words: error.message }));
  return { title: 'Post', element };
}

function fill(place, post, commentId, signal) {
  const card = postCard(post, { whole: true });
  const holder = h('div', {}, card);
  const comments = commentSection(post, commentId, signal);
  // Comments that could not be put in their place.
  const fresh = button('', () => {
    fresh.hidden = true;
    comments.reload();
  }, { kind: 'new-posts', hidden: true });
  show(place, holder, fresh, comments.element);
  router.setTitle(`${post.displayName}: ${calmText(post.content).slice(0, 60) || 'a picture'}`);

  let known = post.commentCount ?? 0;
  let turn = Promise.resolve();
  // A number reported while a comment of this page is being sent may already include that comment:
  // it is checked when the answer arrives.
  on('commenting', ({ postId, step, answer }) => {
    if (postId !== post.postId) return;
    turn = turn.then(() => answer).then(() => { known += step; }, () => {});
  }, signal);
  on('counts', ({ postId, commentCount }) => {
    if (postId !== post.postId || commentCount === undefined) return;
    turn = turn.then(() => bring(commentCount)).catch(() => {});
  }, signal);

  // Shows the comments added since.
  async function bring(commentCount) {
    const expected = commentCount - known;
    known = commentCount;
    if (expected <= 0) return;
    const missing = expected - await comments.refresh();
    fresh.hidden = missing <= 0;
    if (missing > 0) show(fresh, plural(missing, 'new comment'));
  }
  watchCounts(post, place, signal);
  on('post_removed', ({ postId }) => {
    if (postId !== post.postId) return;
    router.setTitle('Post');
    show(place, h('div', { class: 'empty' }, h('h2', {}, 'This post was removed.')));
  }, signal);
  on('write-comment', () => comments.write(), signal);
  followPosts(holder, signal);
}

// The stream reports only the reader's own posts and those it has sent; for others the page polls.
function watchCounts(post, place, signal) {
  if (isMe(post.userId)) return;
  let asking = false;
  const timer = setInterval(async () => {
    if (asking || document.hidden || !place.isConnected) return;
    asking = true;
    try {
      const { commentCount, likeCount, likeCounts, repostCount } = await getPost(post.postId, signal);
      tell('counts', { postId: post.postId, commentCount, likeCount, likeCounts, repostCount });
    } catch {
      // The next turn tries again.
    }
    asking = false;
  }, ASK_SECONDS * 1000);
  signal.addEventListener('abort', () => clearInterval(timer));
}
