// The frame of every view: the bar at the top, the navigation, and the side panels.

import { h, button, setAttribute, show } from './dom.js';
import { bird, icon } from './icons.js';
import { avatar } from './avatar.js';
import { openComposer } from './compose.js';
import { menuButton } from './dialog.js';
import { bands, places } from './notice.js';
import { openHelp } from './shortcuts.js';
import { THEMES, setTheme, theme } from './theme.js';
import { trendsPanel } from './trends.js';
import { xrayPanel, xraySwitch } from './xray.js';
import { on, tell } from './bus.js';
import { leave } from './leave.js';
import * as router from './router.js';
import { me } from './session.js';

const THEME_ICONS = { auto: 'auto', light: 'sun', dark: 'moon' };
const THEME_WORDS = { auto: 'As the system', light: 'Light', dark: 'Dark' };
const TRENDS_SECONDS = 60;

// Builds it into the document; returns the element for the views.
export function buildShell() {
  const main = h('main', { id: 'main', tabindex: '-1' });
  const navigation = h('nav', { class: 'ways', 'aria-label': 'Main' });
  const account = h('div', { class: 'row' });
  const unread = h('span', { class: 'badge', hidden: true });
  const trends = trendsPanel();
  const xray = xrayPanel();
  const side = h('aside', { class: 'side', 'aria-label': 'Sidebar' }, xray, trends.element);
  const skip = h('a', { href: '#main', class: 'skip', on: { click: (event) => { event.preventDefault(); main.focus(); } } },
                 'Skip to the content');
  show(document.body, skip, bands(),
       h('header', { class: 'top-bar' },
         h('a', { href: '#/', class: 'brand', 'aria-label': 'chirp, home' }, bird(), h('span', {}, 'chirp')),
         h('span', { class: 'spacer' }), xraySwitch(), themeButton(), account),
       h('div', { class: 'columns' }, navigation, main, side),
       places());

  const update = () => {
    show(account, me() ? accountMenu() : h('a', { href: '#/sign-in', class: 'button primary' }, 'Sign in'));
    show(navigation, ways(unread));
    markWay(navigation, router.path());
    document.body.classList.toggle('signed-in', me() !== null);
  };
  on('signed-in', update);
  on('signed-out', update);
  on('account', update);
  on('unread', ({ count }) => {
    unread.hidden = count === 0;
    show(unread, count > 99 ? '99+' : count, h('span', { class: 'unseen' }, ' unread'));
  });
  const favicon = document.querySelector('link[rel=icon]');
  on('waiting', ({ count }) => setAttribute(favicon, 'href', count > 0 ? '/favicon-new.svg' : '/favicon.svg'));
  on('xray', ({ on: shown }) => document.body.classList.toggle('xray-on', shown));
  document.body.classList.toggle('xray-on', !xray.hidden);
  main.addEventListener('view', (event) => markWay(navigation, event.detail.path));
  document.addEventListener('click', followed);
  document.addEventListener('auxclick', followed);
  setInterval(() => { if (!document.hidden) trends.refresh(); }, TRENDS_SECONDS * 1000);
  on('posted', () => trends.refresh());
  update();
  return main;
}

function ways(mark) {
  const way = (href, name, words, ...more) =>
    h('a', { href, class: 'way' }, h('span', { class: 'way-icon' }, icon(name), more), h('span', { class: 'words' }, words));
  const user = me();
  return [
    user && way('#/', 'home', 'Home'),
    way('#/people', 'people', 'People'),
    way('#/trends', 'trend', 'Trends'),
    user && way('#/notifications', 'bell', 'Notifications', mark),
    user && way(`#/@${user.username}`, 'person', 'Profile'),
    user && button([icon('pen'), h('span', { class: 'words' }, 'New post')], () => openComposer(),
                   { kind: 'primary new-post', 'aria-label': 'New post', 'aria-keyshortcuts': 'n' }),
  ];
}

function markWay(navigation, path) {
  for (const link of navigation.querySelectorAll('a.way')) {
    setAttribute(link, 'aria-current', link.getAttribute('href') === `#${path}` ? 'page' : null);
  }
}

function themeButton() {
  const place = h('span', { class: 'wide-only' });
  const draw = () => show(place, menuButton(icon(THEME_ICONS[theme()]), 'Colours', () => THEMES.map((name) => ({
    label: THEME_WORDS[name], icon: THEME_ICONS[name], checked: name === theme(),
    run: () => { setTheme(name); draw(); place.querySelector('button').focus(); },
  }))));
  draw();
  return place;
}

function accountMenu() {
  const user = me();
  return menuButton(avatar(user, 'small'), `Account of ${user.displayName}`, () => [
    { label: 'Profile', icon: 'person', run: () => router.go(`/@${user.username}`) },
    { label: 'Settings', icon: 'gear', run: () => router.go('/settings') },
    { label: 'Keys', icon: 'keys', run: openHelp },
    { label: 'Sign out', icon: 'leave', run: leave },
  ], 'quiet round');
}

// A link to the current view sends "again" instead of navigating. A link opened in a new tab opens there.
function followed(event) {
  const link = event.target.closest?.('a[href^="#/"]');
  if (!link || event.defaultPrevented || event.shiftKey) return;
  const to = link.getAttribute('href').slice(1);
  if (router.wantsTab(event)) {
    event.preventDefault();
    router.openTab(to);
  } else if (event.button === 0 && link.closest('dialog')) {
    event.preventDefault();
    router.go(to);
  } else if (event.button === 0 && to === router.path()) {
    event.preventDefault();
    tell('again');
  }
}
