// A post in a feed, on a profile, or on its own page.

import { h, button, freshId, keepPlace, show, takeOut } from './dom.js';
import { icon } from './icons.js';
import { ago, count, fullTime, names, plural } from './format.js';
import { avatar } from './avatar.js';
import { richText } from './text.js';
import { pictures } from './pictures.js';
import { confirm, menuButton } from './dialog.js';
import { complain, message } from './notice.js';
import { openLikers, reactionControl } from './reactions.js';
import { explanationOf } from './explanation.js';
import { relationItems } from './relation.js';
import { requireAccount } from './account.js';
import { on, tell } from './bus.js';
import * as operations from './operations.js';
import * as router from './router.js';
import { isMe } from './session.js';

const PRIVACY = { followers: ['people', 'For followers'], private: ['lock', 'Only for the author'] };

const cards = new WeakMap();  // article -> its functions

// The functions of an article made by postCard(): {post, entries, explain(explanation), react(), repost()}.
export const cardOf = (article) => cards.get(article);

// An article for a post. A repost shows its original. `whole`: the post is the page's subject.
export function postCard(item, { whole = false } = {}) {
  const post = item.repostOf ?? item;
  const reposters = item.repostOf ? [item] : item.repostedBy ?? [];
  const nameId = freshId('by');
  const textId = freshId('text');
  const context = h('p', { class: 'post-context' });
  const xray = h('div', { class: 'xray-line', hidden: true });
  const actions = actionBar(post, whole);
  const article = h('article', {
    class: `post${whole ? ' whole' : ''}`, tabindex: '0', 'data-post-id': post.postId,
    'aria-labelledby': `${nameId} ${textId}`, on: whole ? {} : { click: (event) => openOnClick(event, post), auxclick: (event) => openOnClick(event, post) },
  },
  context,
  h('a', { href: `#/@${post.username}`, class: 'post-avatar', tabindex: '-1', 'aria-hidden': 'true' }, avatar(post)),
  h('div', { class: 'post-main' },
    header(post, nameId),
    h('div', { class: 'post-text', id: textId, dir: 'auto' }, richText(post.content, post.entities)),
    pictures(post.mediaUrls, post.altTexts),
    whole && h('p', { class: 'quiet post-time' }, fullTime(post.createdAt)),
    xray, actions.element));
  const card = {
    post,
    entries: new Set([post.postId, ...reposters.map((reposter) => reposter.postId)]),
    update: actions.update, react: actions.react, repost: actions.repost,
    explain: (explanation, score) => {
      xray.hidden = !explanation;
      show(xray, explanation && explanationOf(explanation, score, post));
    },
    withdraw: (postId) => {
      const at = reposters.findIndex((reposter) => reposter.postId === postId);
      if (at < 0) return;
      reposters.splice(at, 1);
      card.entries.delete(postId);
      showContext(context, reposters);
    },
  };
  showContext(context, reposters);
  card.explain(item.explanation, item.score);
  cards.set(article, card);
  return article;
}

function header(post, nameId) {
  const privacy = PRIVACY[post.privacy];
  return h('header', { class: 'post-head' },
           h('a', { href: `#/@${post.username}`, class: 'author', id: nameId },
             h('bdi', { class: 'display-name' }, post.displayName), ' ',
             h('span', { class: 'username' }, `@${post.username}`)),
           h('span', { class: 'quiet dot', 'aria-hidden': 'true' }, '·'),
           h('a', { href: `#/post/${post.postId}`, class: 'quiet when' },
             h('time', { datetime: post.createdAt, title: fullTime(post.createdAt) }, ago(post.createdAt))),
           privacy && h('span', { class: 'quiet privacy', role: 'img', 'aria-label': privacy[1], title: privacy[1] },
                        icon(privacy[0])),
           h('span', { class: 'spacer' }),
           menuButton(icon('more'), 'More about this post', () => menuItems(post), 'quiet small'));
}

function showContext(context, reposters) {
  context.hidden = reposters.length === 0;
  if (context.hidden) return show(context);
  const who = reposters.map((reposter) => (isMe(reposter.userId) ? 'you' : `@${reposter.username}`));
  return show(context, icon('repost'), h('span', {}, `Reposted by ${names(who)}`));
}

function actionBar(post, whole) {
  const comment = h('a', { class: 'button action', href: `#/post/${post.postId}` });
  const repost = button('', () => toggleRepost(post, changed), { kind: 'action repost', disabled: post.privacy !== 'public' });
  const reaction = reactionControl(post, () => changed());
  const who = whole ? button('', () => openLikers(post), { kind: 'action likers' }) : null;
  const element = h('div', { class: 'post-actions' }, comment, repost, reaction.element, who);

  function changed() {
    const { postId, likeCount, likeCounts, userLiked, userLikeType, userReposted, repostCount } = post;
    tell('counts', { postId, likeCount, likeCounts, userLiked, userLikeType, userReposted, repostCount });
    update();
  }

  function update() {
    numbered(comment, 'comment', post.commentCount, plural(post.commentCount ?? 0, 'comment'));
    const mine = Boolean(post.userReposted);
    repost.classList.toggle('chosen', mine);
    repost.setAttribute('aria-pressed', String(mine));
    const words = post.privacy === 'public' ? 'Repost' : 'Only public posts can be reposted';
    numbered(repost, 'repost', post.repostCount, `${words}, ${plural(post.repostCount ?? 0, 'repost')}`);
    reaction.update();
    if (who) {
      who.hidden = !post.likeCount;
      show(who, `See ${plural(post.likeCount ?? 0, 'reaction')}`);
    }
  }
  update();
  return { element, update, react: () => reaction.toggle.click(), repost: () => repost.click() };
}

function numbered(control, name, number, label) {
  control.setAttribute('aria-label', label);
  control.title = label;
  show(control, icon(name), h('span', { class: 'number' }, number > 0 ? count(number) : ''));
}

async function toggleRepost(post, changed) {
  if (!requireAccount()) return;
  const turn = () => {
    post.userReposted = !post.userReposted;
    post.repostCount += post.userReposted ? 1 : -1;
    changed();
  };
  turn();
  try {
    if (post.userReposted) {
      await operations.repost(post.postId);
      message('Reposted to your followers.', { subject: `repost ${post.postId}` });
    } else {
      await operations.unrepost(post.postId);
      message('Your repost is removed.', { subject: `repost ${post.postId}` });
    }
  } catch (error) {
    turn();
    complain(error);
  }
}

function menuItems(post) {
  const items = [
    { label: 'Open', icon: 'comment', run: () => router.go(`/post/${post.postId}`) },
    { label: 'Copy link', icon: 'link', run: () => copyLink(post) },
    { label: 'Who reacted', icon: 'smile', run: () => openLikers(post) },
  ];
  if (isMe(post.userId)) {
    items.push({ label: 'Remove', icon: 'trash', danger: true, run: () => removePost(post) });
  } else {
    items.push(...relationItems(post));
  }
  return items;
}

async function copyLink(post) {
  const address = new URL(`#/post/${post.postId}`, location.href).href;
  try {
    await navigator.clipboard.writeText(address);
    message('Copied the link.');
  } catch {
    message(address);
  }
}

async function removePost(post) {
  const sure = await confirm('Remove this post?', 'It disappears from every feed at once, with its comments, reactions and reposts. This can’t be undone.', 'Remove');
  if (!sure) return;
  try {
    await operations.removePost(post.postId);
  } catch (error) {
    if (error.status !== 404) return complain(error);
  }
  tell('post_removed', { postId: post.postId });
  message('The post is removed.');
}

// Handles a click that is not on a link or button, and not the end of a selection.
function openOnClick(event, post) {
  // Uses the path, because the clicked element may have been replaced by now.
  const used = event.composedPath().some((node) => node instanceof Element && node.matches('a, button, video, [role=menu]'));
  if (event.defaultPrevented || used) return;
  if (String(getSelection()) !== '') return;
  if (router.wantsTab(event)) router.openTab(`/post/${post.postId}`);
  else if (event.button === 0) router.go(`/post/${post.postId}`);
}

// Keeps the posts below `root` up to date with this page's actions and the stream.
export function followPosts(root, signal) {
  on('counts', ({ postId, ...fields }) => {
    for (const card of cardsOf(root, postId)) {
      // Counts of kinds are missing if there are none, or if the event is only about comments.
      Object.assign(card.post, 'likeCount' in fields && { likeCounts: undefined }, fields);
      card.update();
    }
  }, signal);
  on('post_removed', ({ postId }) => {
    keepPlace(root, () => {
      for (const article of root.querySelectorAll('article[data-post-id]')) {
        const card = cards.get(article);
        if (card?.post.postId === postId) takeOut(article);
        else card?.withdraw(postId);
      }
    });
  }, signal);
}

function* cardsOf(root, postId) {
  for (const article of root.querySelectorAll(`article[data-post-id="${postId}"]`)) {
    const card = cards.get(article);
    if (card) yield card;
  }
}

// Updates the times while a page is open.
export function refreshTimes() {
  for (const element of document.querySelectorAll('.when time')) show(element, ago(element.dateTime));
}
