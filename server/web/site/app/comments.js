// The comments under a post: threads with their first replies, and more on request. New comments
// are inserted where they belong.

import { h, button, freshId, keepPlace, show, takeOut } from './dom.js';
import { icon } from './icons.js';
import { ago, count, fullTime, isNewer, plural } from './format.js';
import { avatar } from './avatar.js';
import { richText } from './text.js';
import { confirm, menuButton } from './dialog.js';
import { commentComposer } from './compose.js';
import { draftAt } from './drafts.js';
import { announce, complain } from './notice.js';
import { endless } from './endless.js';
import { tell } from './bus.js';
import * as operations from './operations.js';
import { requireAccount } from './account.js';
import { isMe } from './session.js';

const REPLIES_A_PAGE = 10;
const ABOVE_MAX = 20;  // the most ancestors shown of an opened comment
const ORDERS = [['newest', 'Newest first'], ['oldest', 'Oldest first'], ['popular', 'Most liked first']];

// Builds the comments of `post`, opened at the comment `openedId` if there is one. Returns {element, write(), reload(),
// refresh()}. write() moves the focus to the field. refresh() adds new comments and resolves to their number.
export function commentSection(post, openedId, signal) {
  const place = h('div');
  const missing = h('p', { class: 'quiet', role: 'status', hidden: true }, 'Can’t find this comment. It may have been removed.');
  const tree = { post, signal, known: new Map() };  // comments by id, with takeReplies(comment) of each
  let seen = '0';  // the newest id that the server was asked for
  let list = null;
  // The thread of the opened comment. It is first in the list, whatever the order.
  let opened = openedId ? threadOf(openedId, post, signal) : null;
  const sort = h('select', { 'aria-label': 'Order of the comments', on: { change: () => load() } },
                 ORDERS.map(([value, words]) => h('option', { value }, words)));
  const writing = commentComposer({
    label: 'Add a comment', verb: 'Comment', place: `comment.${post.postId}`, signal,
    send: async (content, key) => {
      const comment = await counted(post, 1, () => operations.createComment(post.postId, { content }, key));
      // It may already have come with other comments.
      if (!tree.known.has(comment.commentId)) list.prepend(commentElement(comment, tree));
      announce('Your comment is published.');
    },
  });

  const read = (query, life) => operations.listComments(post.postId, { replies: true, ...query }, life);
  const see = (comments) => {
    for (const comment of comments) {
      if (isNewer(comment.commentId, seen)) seen = comment.commentId;
      if (comment.replies) see(comment.replies.comments);
    }
  };

  function load() {
    tree.known.clear();
    if (sort.value !== 'newest') read({ sort: 'newest', limit: 1 }, signal).then((page) => see(page.comments), () => {});
    list = endless({
      label: 'Comments', role: 'list', signal, empty: 'No comments yet.',
      load: async (cursor, loading) => {
        const [page, thread] = await Promise.all([read({ sort: sort.value, cursor }, loading), opened]);
        see(page.comments);
        return { items: thread ? [thread, ...page.comments] : page.comments, nextCursor: page.pagination.nextCursor };
      },
      head: () => {
        if (opened) openAt(openedId);
        opened = null;
      },
      // A comment that arrived meanwhile is already at the top.
      render: (comment) => (tree.known.has(comment.commentId) ? null : commentElement(comment, tree)),
    });
    show(place, list.element);
  }
  load();

  function openAt(commentId) {
    const element = place.querySelector(`[data-comment-id="${commentId}"]`);
    missing.hidden = element !== null;
    if (!element) return;
    element.classList.add('opened');
    element.setAttribute('tabindex', '-1');
    if (!element.checkVisibility()) return;  // the reader has left the view
    element.focus({ preventScroll: true });
    element.querySelector('.comment-main').scrollIntoView({ block: 'center', behavior: 'instant' });
  }

  async function refresh() {
    const page = await read({ sort: 'newest' }, signal);
    const before = seen;
    see(page.comments);
    let came = 0;
    keepPlace(list.list, () => {
      for (const comment of page.comments.toReversed()) {
        const there = tree.known.get(comment.commentId);
        if (there) {
          came += there(comment, before);
        } else if (isNewer(comment.commentId, before)) {
          list.prepend(commentElement(comment, tree));
          came += 1 + countReplies(comment);
        }
      }
    });
    if (came > 0) announce(plural(came, 'new comment'));
    return came;
  }

  return {
    element: h('section', { class: 'comments', 'aria-label': 'Comments' },
               h('div', { class: 'row' }, h('h2', {}, 'Comments'), h('span', { class: 'spacer' }), sort),
               writing.element, missing, place),
    write: () => writing.field.focus(),
    reload: load,
    refresh,
  };
}

// Returns the top comment of the thread, with only the path down to this comment among its replies. Null if the comment
// can't be read.
async function threadOf(commentId, post, signal) {
  let comment = await operations.getComment(commentId, signal).catch(() => null);
  if (comment?.postId !== post.postId) return null;
  for (let above = 0; comment.parentCommentId && above < ABOVE_MAX; ++above) {
    const parent = await operations.getComment(comment.parentCommentId, signal).catch(() => null);
    if (!parent) break;  // perhaps removed
    // Without a cursor, the other replies are read from the beginning.
    const nextCursor = parent.replyCount > 1 ? undefined : null;
    parent.replies = { comments: [comment], pagination: { nextCursor } };
    comment = parent;
  }
  return comment;
}

const countReplies = ({ replies }) =>
  (replies?.comments ?? []).reduce((sum, reply) => sum + 1 + countReplies(reply), 0);

// Runs `operation`, which adds `step` comments to `post`, and resolves to its result. The stream
// may report the new number first, so a number reported meanwhile is not changed again.
async function counted(post, step, operation) {
  const expected = Math.max(0, (post.commentCount ?? 0) + step);
  const answer = operation();
  tell('commenting', { postId: post.postId, step, answer });
  const result = await answer;
  const furthest = step > 0 ? Math.max : Math.min;
  tell('counts', { postId: post.postId, commentCount: furthest(expected, post.commentCount ?? 0) });
  return result;
}

// One comment with its replies.
function commentElement(comment, tree) {
  const { post } = tree;
  const replies = repliesOf(comment, tree);
  const nameId = freshId('by');
  const body = comment.removed
    ? h('p', { class: 'quiet removed' }, 'This comment was removed.')
    : h('div', { class: 'comment-main' },
        h('header', { class: 'post-head' },
          h('a', { href: `#/@${comment.username}`, class: 'author', id: nameId },
            h('bdi', { class: 'display-name' }, comment.displayName), ' ',
            h('span', { class: 'username' }, `@${comment.username}`)),
          h('a', { href: `#/post/${post.postId}/${comment.commentId}`, class: 'quiet when' },
            h('time', { datetime: comment.createdAt, title: fullTime(comment.createdAt) }, ago(comment.createdAt)))),
        h('div', { class: 'post-text', dir: 'auto' }, richText(comment.content, comment.entities)),
        h('div', { class: 'post-actions' }, likeButton(comment),
          button([icon('comment'), 'Reply'], () => replies.write(), { kind: 'action' }),
          (isMe(comment.userId) || isMe(post.userId)) &&
            menuButton(icon('more'), 'More about this comment', () => [
              { label: 'Remove', icon: 'trash', danger: true, run: () => removeComment(comment, post, element) },
            ], 'action')));
  const element = h('article', { class: `comment${comment.removed ? ' gone' : ''}`, 'aria-labelledby': nameId,
                                 'data-comment-id': comment.commentId },
                    comment.removed ? null : h('span', { class: 'post-avatar' }, avatar(comment, 'small')),
                    body, replies.element);
  return element;
}

function likeButton(comment) {
  const element = button('', async () => {
    if (!requireAccount()) return;
    const before = { userLiked: comment.userLiked, likeCount: comment.likeCount };
    comment.userLiked = !comment.userLiked;
    comment.likeCount += comment.userLiked ? 1 : -1;
    update();
    try {
      const run = comment.userLiked ? operations.likeComment : operations.unlikeComment;
      comment.likeCount = (await run(comment.commentId)).newTotalLikes;
    } catch (error) {
      Object.assign(comment, before);
      complain(error);
    }
    update();
  }, { kind: 'action' });

  function update() {
    element.className = `button action${comment.userLiked ? ' chosen kind-like' : ''}`;
    element.setAttribute('aria-pressed', String(Boolean(comment.userLiked)));
    element.setAttribute('aria-label', `Like, ${plural(comment.likeCount, 'like')}`);
    show(element, icon('like'), h('span', { class: 'number' }, comment.likeCount > 0 ? count(comment.likeCount) : ''));
  }
  update();
  return element;
}

// The replies to a comment, one page at a time, and the field for a new one.
function repliesOf(comment, tree) {
  const { post, signal } = tree;
  const list = h('div', { class: 'replies', role: 'list', 'aria-label': `Replies to ${comment.displayName || 'a removed comment'}` });
  const more = button('', () => load(), { kind: 'link-like' });
  const place = h('div', { class: 'reply-place' });
  const element = h('div', { class: 'thread' }, place, list, more);
  const shown = new Set();
  let cursor;
  let left = comment.replyCount;
  tree.known.set(comment.commentId, takeReplies);

  function update() {
    more.hidden = left <= 0;
    list.hidden = list.children.length === 0;
    show(more, shown.size === 0 ? `Show ${plural(left, 'reply', 'replies')}` : 'Show more replies');
  }

  // Adds a reply, oldest first: an opened comment may be present before older ones. A thread that
  // was opened below a removed comment stays at the top.
  function add(reply) {
    if (shown.has(reply.commentId)) return;
    shown.add(reply.commentId);
    if (tree.known.has(reply.commentId)) return;
    const item = h('div', { role: 'listitem', class: 'item' }, commentElement(reply, tree));
    const next = [...list.children].find(({ firstChild }) => isNewer(firstChild.dataset.commentId, reply.commentId));
    list.insertBefore(item, next ?? null);
  }

  // Adds a page of replies after the existing ones.
  function take(page) {
    for (const reply of page.comments) add(reply);
    cursor = page.pagination.nextCursor;
    left = cursor === null ? 0 : Math.max(1, left - page.comments.length);
  }

  // Adds the replies of `fresh`, the same comment read again, that are newer than `before`. Returns
  // their number.
  function takeReplies(fresh, before) {
    let came = 0;
    for (const reply of fresh.replies?.comments ?? []) {
      const there = tree.known.get(reply.commentId);
      if (there) {
        came += there(reply, before);
      } else if (isNewer(reply.commentId, before)) {
        add(reply);
        came += 1 + countReplies(reply);
      }
    }
    update();
    return came;
  }

  async function load() {
    more.disabled = true;
    list.setAttribute('aria-busy', 'true');
    try {
      const page = await operations.listComments(post.postId, { parentCommentId: comment.commentId, sort: 'oldest',
                                                                replies: true, limit: REPLIES_A_PAGE, cursor }, signal);
      take(page);
    } catch (error) {
      complain(error);
    }
    list.removeAttribute('aria-busy');
    more.disabled = false;
    update();
  }

  const draft = `reply.${comment.commentId}`;

  function write() {
    if (requireAccount()) open().focus();
  }

  // The field, with its draft.
  function open() {
    const writing = commentComposer({
      label: `Reply to @${comment.username}`, verb: 'Reply', place: draft, signal, cancel: () => show(place),
      send: async (content, key) => {
        const reply = await counted(post, 1, () => operations.createComment(
          post.postId, { content, parentCommentId: comment.commentId }, key));
        show(place);
        if (!tree.known.has(reply.commentId)) add(reply);
        update();
        announce('Your reply is published.');
      },
    });
    show(place, writing.element);
    return writing.field;
  }
  if (!comment.removed && draftAt(draft).read()) open();
  if (comment.replies) take(comment.replies);
  update();
  return { element, write };
}

async function removeComment(comment, post, element) {
  const sure = await confirm('Remove this comment?', 'This can’t be undone. Replies to it stay.', 'Remove');
  if (!sure) return;
  try {
    await counted(post, -1, () => operations.removeComment(comment.commentId).catch((error) => {
      // Another client was faster.
      if (error.status !== 404) throw error;
    }));
  } catch (error) {
    return complain(error);
  }
  const hasReplies = element.querySelector('.comment') !== null || comment.replyCount > 0;
  if (!hasReplies) return takeOut(element.closest('.item') ?? element);
  element.classList.add('gone');
  element.querySelector(':scope > .post-avatar')?.remove();
  element.querySelector(':scope > .comment-main')?.replaceWith(h('p', { class: 'quiet removed' }, 'This comment was removed.'));
}
