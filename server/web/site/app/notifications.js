// The reader's notifications. The server folds likes of one post, reposts of it, and new followers
// into one line each, which may continue on a later page.

import { h, append, button, setAttribute, show } from './dom.js';
import { icon } from './icons.js';
import { ago, fullTime, isNewer, plural } from './format.js';
import { avatar } from './avatar.js';
import { calmText } from './text.js';
import { announce } from './notice.js';
import { endless } from './endless.js';
import { on, tell } from './bus.js';
import * as operations from './operations.js';
import { me } from './session.js';

const FOLDED = new Set(['like', 'repost', 'follow']);
const FACES_MAX = 6;
const EXCERPT_MAX = 120;

let unread = 0;

// Keeps the number of unread notifications, for the whole page.
export function keepUnread() {
  on('signed-in', async () => {
    const page = await operations.listNotifications({ limit: 1, unread: true }).catch(() => null);
    if (page) setUnread(page.unreadCount);
  });
  on('signed-out', () => setUnread(0));
  on('notification', (notification) => {
    setUnread(unread + 1);
    announce(`${nameOf(notification)} ${verb(notification)}.`);
  });
}

function setUnread(count) {
  unread = count;
  tell('unread', { count });
}

const nameOf = (notification) => notification.actor.displayName;

// Returns "Ana, Ben and 3 others", each name in its own direction; `total` is the number of all.
function whoOf(actors, total) {
  const shown = actors.slice(0, 2).map((actor) => h('bdi', {}, actor.displayName));
  const others = total - shown.length;
  if (others > 0) return [shown[0], ', ', shown[1], ` and ${plural(others, 'other')}`];
  return shown.length === 2 ? [shown[0], ' and ', shown[1]] : shown;
}

const keyOf = ({ type, postId, commentId, notificationId }) =>
  (FOLDED.has(type) ? `${type} ${postId ?? ''} ${commentId ?? ''}` : notificationId);

function verb({ type, commentId, likeType }) {
  switch (type) {
    case 'follow': return 'followed you';
    case 'like': return commentId ? 'liked your comment' : likeType && likeType !== 'like' ? 'reacted to your post' : 'liked your post';
    case 'repost': return 'reposted your post';
    case 'comment': return 'commented on your post';
    case 'reply': return 'replied to you';
    case 'mention': return commentId ? 'mentioned you in a comment' : 'mentioned you';
    default: return 'did something related to you';
  }
}

// #/notifications
export function notificationsView(signal) {
  const groups = new Map();  // key -> group
  let newest = null;
  const fresh = button('', () => {
    fresh.hidden = true;
    groups.clear();
    newest = null;
    list.reload();
  }, { kind: 'new-posts', hidden: true });
  let arrived = 0;

  const list = endless({
    label: 'Notifications', role: 'list', signal, empty: 'No notifications yet.',
    load: async (cursor, loading) => {
      const page = await operations.listNotifications({ folded: true, cursor }, loading);
      return { items: page.notifications, nextCursor: page.pagination.nextCursor, unreadCount: page.unreadCount };
    },
    render: (notification) => {
      if (newest === null || isNewer(notification.notificationId, newest)) newest = notification.notificationId;
      const key = keyOf(notification);
      const group = groups.get(key);
      if (group) {
        group.add(notification);
        return null;
      }
      groups.set(key, makeGroup(notification));
      return groups.get(key).element;
    },
    head: async () => {
      arrived = 0;
      if (newest === null || unread === 0) return;
      const left = await operations.readNotifications(newest).catch(() => null);
      if (left) setUnread(left.unreadCount);
    },
  });
  on('notification', () => {
    ++arrived;
    show(fresh, arrived === 1 ? '1 new notification' : `${arrived} new notifications`);
    fresh.hidden = false;
  }, signal);
  return {
    title: 'Notifications',
    element: h('div', {}, h('div', { class: 'view-head' }, h('h1', {}, 'Notifications')), fresh, list.element),
  };
}

// A line for one notification, or for several of the same kind about the same post.
function makeGroup(first) {
  const actors = [];
  let total = 0;
  const faces = h('span', { class: 'faces' });
  const words = h('span', { class: 'words' });
  const excerpt = h('span', { class: 'quiet excerpt', dir: 'auto' }, excerptOf(first.content));
  const when = h('time', { datetime: first.createdAt, title: fullTime(first.createdAt) }, ago(first.createdAt));
  const mark = h('span', { class: 'unread-mark', role: 'img', 'aria-label': 'Unread', hidden: true });
  const kind = first.type === 'like' ? first.likeType ?? 'like' : first.type;
  const target = !first.postId ? `#/@${first.actor.username}`
    : first.commentId ? `#/post/${first.postId}/${first.commentId}` : `#/post/${first.postId}`;
  const link = h('a', { href: target, class: 'notification' },
                 icon({ follow: 'person', reply: 'comment', mention: 'comment' }[kind] ?? kind, { class: `icon kind-${kind}` }),
                 h('span', { class: 'notification-main' }, faces, words, excerpt),
                 h('span', { class: 'quiet when' }, when), mark);

  function add(notification) {
    if (!notification.read) mark.hidden = false;
    setAttribute(link, 'data-unread', !mark.hidden);
    total += notification.actorCount;
    for (const actor of notification.actors) {
      if (actors.length === FACES_MAX) break;
      actors.push(actor);
      append(faces, avatar(actor, 'small'));
    }
    show(words, h('strong', {}, whoOf(actors, total)), ` ${verb(first)}`);
    if (first.type === 'follow' && total > 1) link.setAttribute('href', `#/@${me().username}/followers`);
  }
  add(first);
  return { element: link, add };
}

// The first words of the new text, or of the one that the notification is about.
function excerptOf(content) {
  const points = [...calmText(content ?? '').replaceAll(/\s+/g, ' ')];
  const words = points.slice(0, EXCERPT_MAX).join('');
  return points.length > EXCERPT_MAX ? `${words}…` : words;
}
