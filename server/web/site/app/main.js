// The start of the page: the session, the views and their addresses, and background parts.

import { welcomeView } from './account.js';
import { on, tell } from './bus.js';
import { homeView } from './feed.js';
import { message } from './notice.js';
import { keepUnread, notificationsView } from './notifications.js';
import { getMe } from './operations.js';
import { followsView, peopleView } from './people.js';
import { refreshTimes } from './post.js';
import { profileView } from './profile.js';
import { nowhereView } from './nowhere.js';
import * as router from './router.js';
import * as session from './session.js';
import { settingsView } from './settings.js';
import { stageView } from './stage.js';
import { buildShell } from './shell.js';
import { listen } from './shortcuts.js';
import { keepStream } from './stream.js';
import { threadView } from './thread.js';
import { tagView, trendsView } from './trends.js';

const MINUTE_MS = 60 * 1000;
const GOODBYES = {
  expired: 'Your session has ended. Sign in again to continue here.',
  left: 'You are signed out.',
  'left-elsewhere': 'You signed out in another tab. Sign in again to continue here.',
  removed: 'Your account and everything that belonged to it are removed.',
};

const BACK = new Set(['expired', 'left-elsewhere']);  // sessions ended from outside: after signing in the view stays

let notice = null;    // why the user is asked to sign in
let farewell = null;  // removes that message

function forAccount(make) {
  return (match, signal) => (session.me() ? make(match, signal) : welcomeView('in', notice));
}

router.route(/^\/$/, forAccount((match, signal) => homeView(signal)));
router.route(/^\/post\/([0-9]{1,19})(?:\/([0-9]{1,19}))?$/, (match, signal) => threadView(match[1], match[2], signal));
router.route(/^\/@([A-Za-z0-9_]{1,15})$/, (match, signal) => profileView(match[1], signal));
router.route(/^\/@([A-Za-z0-9_]{1,15})\/(followers|following)$/, (match, signal) => followsView(match[1], match[2], signal));
router.route(/^\/people(?:\/(.*))?$/, (match, signal) => peopleView(router.decoded(match[1] ?? ''), signal));
router.route(/^\/notifications$/, forAccount((match, signal) => notificationsView(signal)));
router.route(/^\/trends$/, (match, signal) => trendsView(signal));
router.route(/^\/tag\/(.+)$/, (match, signal) => tagView(router.decoded(match[1]), signal));
router.route(/^\/settings$/, forAccount((match, signal) => settingsView(signal)));
router.route(/^\/stage$/, forAccount((match, signal) => stageView(signal)));
router.route(/^\/sign-(in|up)$/, (match) => welcomeView(match[1], notice));
router.route(/^/, () => nowhereView());

on('signed-in', ({ elsewhere }) => {
  notice = null;
  farewell?.();
  farewell = null;
  if (!elsewhere) return;
  message(`You are signed in as ${session.me().displayName}, in another tab.`);
  router.forgetViews();
  router.comeBack();
});
on('account', () => router.forgetOthers());
on('signed-out', ({ reason }) => {
  notice = GOODBYES[reason] ?? null;
  const back = BACK.has(reason);
  farewell?.();
  if (notice) {
    const action = { label: 'Sign in', run: () => router.go('/sign-in') };
    farewell = message(notice, back ? { action, stays: true } : {});
  }
  router.forgetViews();
  if (back) router.reload();
  else router.replace('/');
});

async function begin() {
  keepUnread();
  keepStream();
  listen();
  await session.share();
  if (session.token()) {
    try {
      session.setAccount(await getMe());
    } catch (error) {
      // 401 has ended the session; after any other error the open page is still useful.
      if (error.status !== 401) message(error.message, { tone: 'alarm' });
    }
  }
  const main = buildShell();
  router.start(main);
  if (session.me()) tell('signed-in');
  setInterval(refreshTimes, MINUTE_MS);
}

begin();
