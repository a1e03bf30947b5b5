// The relationship of the signed-in account to other users: following, muting, blocking.

import { button, show } from './dom.js';
import { confirm } from './dialog.js';
import { complain, message } from './notice.js';
import { on, tell } from './bus.js';
import * as operations from './operations.js';
import { isMe, me } from './session.js';
import { requireAccount } from './account.js';

const known = new Map();  // user id -> relationship, once it is known
const KNOWN_MAX = 2000;
const GATHER_MS = 20;     // rows that become visible together are requested together
const BATCH_MAX = 100;    // ids in one call

let asked = new Map();  // user id -> pending request: {promise, resolve, reject}

on('signed-in', () => known.clear());
on('signed-out', () => known.clear());
on('relation', ({ userId, change }) => {
  if (known.has(userId)) known.set(userId, { ...known.get(userId), ...change });
});

// Returns the relationship to a user, requested once, together with those of others.
export async function relationTo(userId) {
  const found = known.get(userId);
  if (found) return found;
  if (!asked.has(userId)) {
    if (asked.size === 0) setTimeout(askAll, GATHER_MS);
    const waiting = {};
    waiting.promise = new Promise((resolve, reject) => Object.assign(waiting, { resolve, reject }));
    asked.set(userId, waiting);
  }
  return asked.get(userId).promise;
}

function askAll() {
  const entries = [...asked];
  asked = new Map();
  for (let at = 0; at < entries.length; at += BATCH_MAX) ask(new Map(entries.slice(at, at + BATCH_MAX)));
}

async function ask(batch) {
  try {
    const { relationships } = await operations.batchGetRelationships([...batch.keys()]);
    for (const { userId, ...relation } of relationships) {
      if (known.size >= KNOWN_MAX) known.delete(known.keys().next().value);
      known.set(userId, relation);
      batch.get(userId).resolve(relation);
    }
    for (const waiting of batch.values()) waiting.reject(new Error('There is no such account.'));
  } catch (error) {
    for (const waiting of batch.values()) waiting.reject(error);
  }
}

async function act(userId, run, change, words) {
  if (!requireAccount()) return;
  try {
    await run(userId);
    tell('relation', { userId, change });
    if (words) message(words);
  } catch (error) {
    complain(error);
  }
}

export const follow = (user) => act(user.userId, (id) => operations.follow(id),
                                    { following: true, showingReposts: true });
export const unfollow = (user) => act(user.userId, operations.unfollow, { following: false, showingReposts: false });
export const showReposts = (user, showing) =>
  act(user.userId, (id) => operations.follow(id, showing), { following: true, showingReposts: showing },
      showing ? `Reposts by @${user.username} are back in your feed.` : `Your feed no longer shows reposts by @${user.username}.`);
export const mute = (user) =>
  act(user.userId, operations.mute, { muting: true }, `@${user.username} is muted, and is not notified of it.`);
export const unmute = (user) => act(user.userId, operations.unmute, { muting: false }, `@${user.username} is no longer muted.`);
export const unblock = (user) =>
  act(user.userId, operations.unblock, { blocking: false }, `@${user.username} is no longer blocked.`);

export async function block(user) {
  const sure = await confirm(`Block @${user.username}?`,
                             'You no longer see each other’s posts, and follows between you end, in both directions. Unblocking does not bring them back.', 'Block');
  if (!sure) return;
  await act(user.userId, operations.block, { blocking: true, following: false, followedBy: false, showingReposts: false },
            `@${user.username} is blocked.`);
}

// Returns the menu items about the author of a post.
export function relationItems(user) {
  return [
    { label: `Mute @${user.username}`, icon: 'close', run: () => mute(user) },
    { label: `Block @${user.username}`, icon: 'block', danger: true, run: () => block(user) },
  ];
}

// A button that follows and unfollows. It requests the relationship when it becomes visible.
export function followButton(user, signal) {
  const element = button('Follow', () => (following ? unfollow(user) : follow(user)), { kind: 'follow', hidden: true });
  let following = false;
  if (!me() || isMe(user.userId)) return element;

  const update = (relation) => {
    following = relation.following;
    element.hidden = relation.blocking || relation.blockedBy === true;
    element.classList.toggle('chosen', following);
    element.setAttribute('aria-pressed', String(following));
    const words = following ? 'Following' : relation.followedBy ? 'Follow back' : 'Follow';
    element.setAttribute('aria-label', `${words} @${user.username}`);
    show(element, words);
  };
  const inSight = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    inSight.disconnect();
    relationTo(user.userId).then(update, () => {});
  });
  // Hidden elements never count as visible, so the parent element is observed.
  queueMicrotask(() => element.parentElement && inSight.observe(element.parentElement));
  signal?.addEventListener('abort', () => inSight.disconnect());
  on('relation', ({ userId }) => {
    if (userId === user.userId && known.has(userId)) update(known.get(userId));
  }, signal);
  return element;
}
