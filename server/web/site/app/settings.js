// The reader's account and the appearance of the page.

import { h, button, show } from './dom.js';
import { bytes, fullTime } from './format.js';
import { avatar } from './avatar.js';
import { PASSWORD_HINT, field, form } from './form.js';
import { complain, message } from './notice.js';
import { openDialog } from './dialog.js';
import { forgetDrafts } from './drafts.js';
import { endless } from './endless.js';
import { personRow } from './people.js';
import { shortcutsOn, switchShortcuts } from './shortcuts.js';
import { THEMES, setTheme, theme } from './theme.js';
import { unblock, unmute } from './relation.js';
import * as operations from './operations.js';
import * as session from './session.js';
import { leave } from './leave.js';

const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const BYTES_MAX = 8 * 1024 * 1024;
const BIO_MAX = 160;
const THEME_WORDS = { auto: 'As the system', light: 'Light', dark: 'Dark' };

// #/settings
export function settingsView(signal) {
  const section = (title, ...contents) => h('section', { class: 'card', 'aria-label': title }, h('h2', {}, title), contents);
  return {
    title: 'Settings',
    element: h('div', {},
               h('div', { class: 'view-head' }, h('h1', {}, 'Settings')),
               section('Profile', picture(), profile()),
               section('Appearance', appearance()),
               section('Username', username()),
               section('E-mail', email()),
               section('Password', password()),
               section('Sessions', sessions(signal)),
               section('Muted', people(operations.listMuted, 'Unmute', unmute, 'You have muted no accounts.', signal)),
               section('Blocked', people(operations.listBlocked, 'Unblock', unblock, 'You have blocked no accounts.', signal)),
               section('Leave', h('div', { class: 'row' }, button('Sign out', leave), button('Remove my account', remove, { kind: 'danger' })))),
  };
}

async function edit(patch, words) {
  session.setAccount(await operations.editMe(patch));
  message(words);
}

function picture() {
  const place = h('div', { class: 'row' });
  const files = h('input', { type: 'file', accept: PICTURES.join(','), class: 'unseen', tabindex: '-1', 'aria-hidden': 'true',
                             on: { change: choose } });
  async function choose() {
    const file = files.files[0];
    files.value = '';
    if (!file) return;
    if (!PICTURES.includes(file.type)) return message('A picture must be a PNG, JPEG, GIF or WebP file.', { tone: 'alarm' });
    if (file.size > BYTES_MAX) return message(`The file has ${bytes(file.size)}. The maximum is ${bytes(BYTES_MAX)}.`, { tone: 'alarm' });
    try {
      const media = await operations.uploadMedia(file);
      await edit({ profileMediaId: media.mediaId }, 'Your picture is changed.');
      update();
    } catch (error) {
      complain(error);
    }
  }
  async function clear() {
    try {
      await edit({ profileMediaId: null }, 'Your picture is removed.');
      update();
    } catch (error) {
      complain(error);
    }
  }
  function update() {
    const me = session.me();
    show(place, avatar(me, 'large'), files, button('Change picture', () => files.click()),
         me.profileImageUrl && button('Remove picture', clear, { kind: 'plain' }));
  }
  update();
  return place;
}

function profile() {
  const me = session.me();
  const bio = h('textarea', { name: 'bio', rows: '3', dir: 'auto' });
  bio.value = me.bio;
  return form([field('Display name', h('input', { name: 'displayName', value: me.displayName, autocomplete: 'name', dir: 'auto' })),
               field('Bio', bio, `Up to ${BIO_MAX} characters.`)],
              'Save', (values) => edit({ displayName: values.displayName.trim(), bio: values.bio }, 'Your profile is saved.'));
}

function appearance() {
  const choice = h('select', { id: 'theme', on: { change: () => setTheme(choice.value) } },
                   THEMES.map((name) => h('option', { value: name, selected: name === theme() }, THEME_WORDS[name])));
  const keys = h('input', { type: 'checkbox', checked: shortcutsOn(), on: { change: () => switchShortcuts(keys.checked) } });
  return [h('div', { class: 'field' }, h('label', { for: 'theme' }, 'Colours'), choice),
          h('label', { class: 'check' }, keys, h('span', {}, 'Single-key shortcuts (', h('kbd', {}, '?'), ' shows them)'))];
}

const currentPassword = () => field('Current password', h('input', { name: 'currentPassword', type: 'password', autocomplete: 'current-password' }));

function username() {
  return form([field('Username', h('input', { name: 'newUsername', value: session.me().username, autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false' }),
                     'You can change it once in 30 days. During that time the old name still leads to you.'), currentPassword()],
              'Change', async (values, element) => {
                await edit({ newUsername: values.newUsername.trim(), currentPassword: values.currentPassword }, 'Your username is changed.');
                element.elements.currentPassword.value = '';
              });
}

function email() {
  return form([field('E-mail', h('input', { name: 'email', type: 'email', value: session.me().email ?? '', autocomplete: 'email' }),
                     'Only you can see it.'), currentPassword()],
              'Save', async (values, element) => {
                await edit({ email: values.email.trim(), currentPassword: values.currentPassword }, 'Your e-mail address is saved.');
                element.elements.currentPassword.value = '';
              });
}

function password() {
  // Tells password managers whose passwords these are.
  const whose = h('input', { type: 'text', autocomplete: 'username', value: session.me().username, readonly: true, hidden: true });
  return form([whose, currentPassword(),
               field('New password', h('input', { name: 'password', type: 'password', autocomplete: 'new-password' }),
                     `${PASSWORD_HINT} All your other sessions end.`)],
              'Change', async (values, element) => {
                await edit({ currentPassword: values.currentPassword, password: values.password }, 'Your password is changed.');
                element.reset();
              });
}

// The sessions of the account: each can be ended, or all except this one.
function sessions(signal) {
  const place = h('div');
  const list = () => endless({
    label: 'Sessions', role: 'list', empty: 'There are no sessions.', signal,
    load: async (cursor, loading) => {
      const page = await operations.listSessions({ cursor }, loading);
      return { items: page.sessions, nextCursor: page.pagination.nextCursor };
    },
    render: (one) => {
      const ends = one.expiresAt ? `ends ${fullTime(one.expiresAt)}` : 'does not end by itself';
      const row = h('div', { class: 'row' },
                    h('span', {}, `Since ${fullTime(one.createdAt)}, ${ends}${one.current ? ' (this one)' : ''}`),
                    !one.current && button('End', async () => {
                      try {
                        await operations.revokeSession(one);
                        (row.closest('.item') ?? row).remove();
                      } catch (error) {
                        complain(error);
                      }
                    }, { kind: 'plain' }));
      return row;
    },
  }).element;
  async function endOthers() {
    try {
      await operations.revokeOtherSessions();
      message('All your other sessions have ended.');
      place.replaceChildren(list());
    } catch (error) {
      complain(error);
    }
  }
  place.append(list());
  return [place, h('div', { class: 'row end' }, button('End all other sessions', endOthers))];
}

function people(load, verb, undo, empty, signal) {
  return endless({
    label: verb, role: 'list', empty, signal,
    load: async (cursor, loading) => {
      const page = await load({ cursor }, loading);
      return { items: page.users, nextCursor: page.pagination.nextCursor };
    },
    render: (user) => {
      const row = personRow(user, { signal, control: button(verb, async () => {
        await undo(user);
        (row.closest('.item') ?? row).remove();
      }, { kind: 'plain' }) });
      return row;
    },
  }).element;
}

function remove() {
  const name = session.me().username;
  const input = h('input', { name: 'username', autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false' });
  const dialog = openDialog('Remove your account', [
    h('p', {}, 'Your posts, comments, reactions, follows and files are removed with it, at once. This can’t be undone.'),
    form([field(`Type ${name} to continue`, input), currentPassword()], 'Remove everything', async (values) => {
      if (values.username !== name) throw new Error('That is not your username.');
      await operations.removeMe({ currentPassword: values.currentPassword });
      dialog.close();
      forgetDrafts(session.me().userId);
      session.end('removed');
    }, { kind: 'danger' }),
  ], { kind: 'narrow' });
}
