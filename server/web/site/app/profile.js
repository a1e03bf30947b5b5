// The page of one account: the user, the relationship to the reader, and the user's posts.

import { h, button, show } from './dom.js';
import { icon } from './icons.js';
import { count, exactCount, month } from './format.js';
import { avatar } from './avatar.js';
import { richText } from './text.js';
import { menuButton } from './dialog.js';
import { endless } from './endless.js';
import { loadInto } from './loading.js';
import { followPosts, postCard } from './post.js';
import { on } from './bus.js';
import * as operations from './operations.js';
import * as relation from './relation.js';
import * as router from './router.js';
import { isMe, me } from './session.js';

const PRIVACIES = [['', 'All'], ['public', 'Public'], ['followers', 'For followers'], ['private', 'Private']];

// #/@NAME
export function profileView(name, signal) {
  let onShow = () => {};
  const place = h('div');
  loadInto(place, () => operations.getUser(`@${name}`, signal), (user) => { onShow = fill(place, user, signal); },
           (error) => ({ title: h('h1', {}, error.status === 404 ? 'There is no account with this name.' : 'Can’t load this page.'), words: error.message }));
  return { title: `@${name}`, element: place, onShow: () => onShow() };
}

// Returns the function to call when the view is shown again.
function fill(place, user, signal) {
  router.setTitle(`${user.displayName} (@${user.username})`);
  const figures = figuresOf(user, signal);
  show(place, head(user, figures.element, signal), posts(user, signal));
  return figures.refresh;
}

// The numbers of followees, followers and posts. They are read again after this page changes them,
// at once or when they are next visible.
function figuresOf(user, signal) {
  const element = h('p', { class: 'figures' });
  let stale = false;
  const link = (side, number, words) =>
    h('a', { href: `#/@${user.username}/${side}` }, h('strong', { title: exactCount(number) }, count(number)), ` ${words}`);
  const draw = ({ followingCount, followerCount, postCount }) => show(element,
    link('following', followingCount, 'following'),
    link('followers', followerCount, followerCount === 1 ? 'follower' : 'followers'),
    h('span', {}, h('strong', {}, count(postCount)), postCount === 1 ? ' post' : ' posts'));
  const refresh = () => {
    if (!stale) return;
    stale = false;
    operations.getUser(user.userId, signal).then(draw, () => {});
  };
  const outdated = () => {
    stale = true;
    if (element.isConnected) refresh();
  };
  on('relation', ({ userId }) => { if (userId === user.userId || isMe(user.userId)) outdated(); }, signal);
  on('posted', ({ post }) => { if (post.userId === user.userId) outdated(); }, signal);
  on('post_removed', () => { if (isMe(user.userId)) outdated(); }, signal);
  draw(user);
  return { element, refresh };
}

function head(user, figures, signal) {
  const standing = h('p', { class: 'standing quiet' });
  const controls = h('div', { class: 'row' });
  if (isMe(user.userId)) {
    controls.append(h('a', { href: '#/settings', class: 'button plain' }, 'Edit profile'));
  } else if (me()) {
    standControls(user, controls, standing, signal);
  }
  return h('section', { class: 'card profile', 'aria-label': 'Profile' },
           h('div', { class: 'profile-top' }, avatar(user, 'large'), h('span', { class: 'spacer' }), controls),
           h('h1', {}, h('bdi', {}, user.displayName)),
           h('p', { class: 'username' }, `@${user.username}`, ' ', standing),
           user.bio && h('p', { class: 'post-text', dir: 'auto' }, richText(user.bio, user.entities)),
           h('p', { class: 'quiet' }, `Joined ${month(user.createdAt)}`), figures);
}

// The buttons that change the relationship to a user, for its current state.
function standControls(user, controls, standing, signal) {
  let now = null;
  const menu = menuButton(icon('more'), `More about @${user.username}`, () => menuItems(user, now), 'plain');
  const update = (state) => {
    now = state;
    const words = [state.followedBy && 'Follows you', state.muting && 'Muted', state.blocking && 'Blocked',
                   state.following && !state.showingReposts && 'Reposts hidden'].filter(Boolean);
    show(standing, words.map((word) => h('span', { class: 'chip' }, word)));
  };
  const follow = relation.followButton(user, signal);
  const unblock = button('Unblock', () => relation.unblock(user), { kind: 'danger', hidden: true });
  const refresh = () => relation.relationTo(user.userId).then((state) => {
    update(state);
    unblock.hidden = !state.blocking;
  }, () => {});
  controls.append(follow, unblock, menu);
  refresh();
  on('relation', ({ userId }) => { if (userId === user.userId) refresh(); }, signal);
}

function menuItems(user, now) {
  const items = [];
  if (now?.following) {
    items.push(now.showingReposts
      ? { label: 'Hide their reposts', icon: 'repost', run: () => relation.showReposts(user, false) }
      : { label: 'Show their reposts', icon: 'repost', run: () => relation.showReposts(user, true) });
  }
  items.push(now?.muting
    ? { label: 'Unmute', icon: 'bell', run: () => relation.unmute(user) }
    : { label: 'Mute', icon: 'close', run: () => relation.mute(user) });
  items.push(now?.blocking
    ? { label: 'Unblock', icon: 'block', run: () => relation.unblock(user) }
    : { label: 'Block', icon: 'block', danger: true, run: () => relation.block(user) });
  return items;
}

function posts(user, signal) {
  let privacy = '';
  const list = endless({
    label: `Posts by ${user.displayName}`, signal, empty: 'No posts to show.',
    load: async (cursor, loading) => {
      const page = await operations.listUserPosts(`@${user.username}`, { cursor, privacy: privacy || undefined }, loading);
      return { items: page.posts, nextCursor: page.pagination.nextCursor };
    },
    render: (post) => postCard(post),
  });
  followPosts(list.list, signal);
  on('posted', ({ post }) => { if (post.userId === user.userId) list.prepend(postCard(post)); }, signal);
  on('relation', ({ userId }) => { if (userId === user.userId) list.reload(); }, signal);
  const choice = h('select', { 'aria-label': 'Which posts', on: { change: () => { privacy = choice.value; list.reload(); } } },
                   PRIVACIES.map(([value, words]) => h('option', { value }, words)));
  return h('section', { 'aria-label': 'Posts' },
           h('div', { class: 'row section-head' }, h('h2', {}, 'Posts'), h('span', { class: 'spacer' }),
             isMe(user.userId) && choice),
           list.element);
}
