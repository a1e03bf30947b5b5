// The five kinds of like: a button that likes and unlikes, and a menu with the others.

import { h, button, show } from './dom.js';
import { icon } from './icons.js';
import { count, plural } from './format.js';
import { menuButton, openDialog } from './dialog.js';
import { complain } from './notice.js';
import * as operations from './operations.js';
import { endless } from './endless.js';
import { personRow } from './people.js';
import { requireAccount } from './account.js';

export const KINDS = ['like', 'love', 'laugh', 'angry', 'sad'];
const WORDS = { like: 'Like', love: 'Love', laugh: 'Laugh', angry: 'Angry', sad: 'Sad' };

// The control under a post. `post` is the object that the card keeps; `changed` is called after
// each change of it, first with the expected result.
export function reactionControl(post, changed) {
  const toggle = button('', () => react(post, post.userLiked ? null : 'like', changed), { kind: 'action react' });
  const choose = menuButton(icon('smile'), 'Choose a reaction', () => KINDS.map((kind) => ({
    label: WORDS[kind], icon: kind, checked: post.userLikeType === kind,
    run: () => react(post, post.userLikeType === kind ? null : kind, changed),
  })), 'action choose');
  const element = h('span', { class: 'reaction' }, toggle, choose);
  return { element, toggle, update: () => update(post, toggle) };
}

function update(post, toggle) {
  const kind = post.userLikeType ?? 'like';
  toggle.className = `button action react${post.userLiked ? ` chosen kind-${kind}` : ''}`;
  toggle.setAttribute('aria-pressed', String(Boolean(post.userLiked)));
  const mine = post.userLiked ? `you: ${WORDS[kind]}` : WORDS[kind];
  toggle.setAttribute('aria-label', `${mine}, ${plural(post.likeCount, 'reaction')}`);
  toggle.title = tally(post) || WORDS[kind];
  show(toggle, icon(kind), h('span', { class: 'number' }, post.likeCount > 0 ? count(post.likeCount) : ''));
}

// "30 like, 12 love"
function tally(post) {
  const counts = post.likeCounts ?? {};
  return KINDS.filter((kind) => counts[kind] > 0).map((kind) => `${counts[kind]} ${kind}`).join(', ');
}

async function react(post, kind, changed) {
  if (!requireAccount()) return;
  const before = { userLiked: post.userLiked, userLikeType: post.userLikeType, likeCount: post.likeCount,
                   likeCounts: post.likeCounts };
  apply(post, kind);
  changed();
  try {
    const state = kind === null ? await operations.unlike(post.postId) : await operations.like(post.postId, kind);
    post.likeCount = state.newTotalLikes;
  } catch (error) {
    Object.assign(post, before);
    complain(error);
  }
  changed();
}

function apply(post, kind) {
  const counts = { ...post.likeCounts };
  if (post.userLiked) {
    counts[post.userLikeType] = Math.max(0, (counts[post.userLikeType] ?? 1) - 1);
    --post.likeCount;
  }
  if (kind !== null) {
    counts[kind] = (counts[kind] ?? 0) + 1;
    ++post.likeCount;
  }
  post.likeCounts = counts;
  post.userLiked = kind !== null;
  post.userLikeType = kind ?? undefined;
}

// The users who reacted, with one kind or with any.
export function openLikers(post) {
  const place = h('div');
  const life = new AbortController();
  const choose = (kind) => {
    for (const tab of tabs.children) tab.setAttribute('aria-pressed', String(tab.dataset.kind === (kind ?? '')));
    const list = endless({
      label: 'Who reacted', role: 'list', signal: life.signal, empty: 'No reactions yet.',
      load: async (cursor, signal) => {
        const page = await operations.listLikes(post.postId, { likeType: kind, cursor }, signal);
        return { items: page.likes, nextCursor: page.pagination.nextCursor };
      },
      render: (liker) => personRow(liker, { signal: life.signal, markLabel: WORDS[liker.likeType],
                                            mark: icon(liker.likeType, { class: `icon kind-${liker.likeType}` }) }),
    });
    show(place, list.element);
  };
  const tab = (kind, content, label) =>
    button(content, () => choose(kind), { kind: 'tab', label, 'data-kind': kind ?? '', 'aria-pressed': 'false' });
  const tabs = h('div', { class: 'tabs', role: 'group', 'aria-label': 'Kind of reaction' },
                 tab(undefined, 'All', 'All'), KINDS.map((kind) => tab(kind, icon(kind), WORDS[kind])));
  choose(undefined);
  openDialog('Reactions', [tabs, place], { onClose: () => life.abort() });
}
