// Signing up and in: the page for visitors without an account.

import { h, button, show } from './dom.js';
import { bird, icon } from './icons.js';
import { PASSWORD_HINT, field, form } from './form.js';
import { openDialog } from './dialog.js';
import { announce } from './notice.js';
import * as operations from './operations.js';
import * as router from './router.js';
import * as session from './session.js';

// Whether a user is signed in; if not, offers to sign in. For actions that need an account.
export function requireAccount() {
  if (session.me()) return true;
  const dialog = openDialog('Sign in to do that', [
    h('p', {}, 'Reading needs no account. Following, writing and reacting do.'),
    h('div', { class: 'row end' },
      button('Sign up', () => { dialog.close(); router.go('/sign-up'); }, { kind: 'plain' }),
      button('Sign in', () => { dialog.close(); router.go('/sign-in'); }, { kind: 'primary' })),
  ], { kind: 'narrow' });
  return false;
}

// #/sign-in, #/sign-up, and #/ for visitors without an account. `notice` explains why the page is shown.
export function welcomeView(mode, notice) {
  const place = h('div', { class: 'welcome-form' });
  const choose = (which) => show(place, which === 'up' ? signUpForm(() => choose('in')) : signInForm(() => choose('up'), notice));
  choose(mode);
  return {
    title: mode === 'up' ? 'Sign up' : 'Sign in',
    element: h('div', { class: 'welcome' },
               h('div', { class: 'welcome-words' },
                 bird(),
                 h('h1', {}, 'A home feed that is always right.'),
                 h('p', {}, 'The posts of the people you follow, newest first, as soon as they are posted. No gaps, no repeats, and no end.'),
                 h('ul', {},
                   h('li', {}, icon('xray'), h('span', {}, h('strong', {}, 'X-ray. '), 'See why each post is here, how it was delivered, and what the page cost.')),
                   h('li', {}, icon('home'), h('span', {}, h('strong', {}, 'Yours. '), 'Unfollow, mute or block, and old posts disappear too. Undo it, and they are back.')),
                   h('li', {}, icon('check'), h('span', {}, h('strong', {}, 'Kept. '), 'When the page says that your post is published, it is on the disk and survives a crash.'))),
                 h('p', {}, 'Just looking? ', h('a', { href: '#/people' }, 'People'), ' and ',
                   h('a', { href: '#/trends' }, 'trends'), ' are open.')),
               place),
  };
}

const usernameInput = (autocomplete) =>
  h('input', { name: 'username', autocomplete, autocapitalize: 'none', spellcheck: 'false', required: true, 'data-missing': 'Enter a username' });
const passwordInput = (autocomplete) =>
  h('input', { name: 'password', type: 'password', autocomplete, required: true, 'data-missing': 'Enter a password' });
const stayBox = () => h('label', { class: 'check' }, h('input', { type: 'checkbox', name: 'stay' }),
                        h('span', {}, 'Stay signed in on this computer'));

function signInForm(other, notice) {
  return h('section', { class: 'card', 'aria-labelledby': 'sign-in-title' },
           h('h2', { id: 'sign-in-title' }, 'Sign in'),
           notice && h('p', { class: 'notice', role: 'status' }, notice),
           form([field('Username or e-mail', usernameInput('username')),
                 field('Password', passwordInput('current-password')), stayBox()],
                'Sign in', async ({ username, password, stay }) => {
                  const name = username.trim();
                  const who = name.includes('@') && !name.startsWith('@') ? { email: name } : { username: name.replace(/^@/, '') };
                  await enter({ ...who, password }, stay === 'on');
                  router.comeBack();
                }, { attributes: { id: 'sign-in' } }),
           h('p', { class: 'quiet' }, 'No account yet? ', button('Sign up', other, { kind: 'link-like' })));
}

function signUpForm(other) {
  const inputs = [
    field('Username', usernameInput('username'), 'Up to 15 letters, digits and underscores.'),
    field('Password', passwordInput('new-password'), PASSWORD_HINT),
    field('E-mail', h('input', { name: 'email', type: 'email', autocomplete: 'email', required: true, 'data-missing': 'Enter an e-mail address' }),
          'Only you can see it.'),
    field('Display name (optional)', h('input', { name: 'displayName', autocomplete: 'name' }), 'If you leave it empty, your username is shown.'),
    stayBox(),
  ];
  return h('section', { class: 'card', 'aria-labelledby': 'sign-up-title' },
           h('h2', { id: 'sign-up-title' }, 'Sign up'),
           form(inputs, 'Sign up', async ({ username, displayName, email, password, stay }) => {
             const name = username.trim();
             await operations.signUp({ username: name, email: email.trim(), password,
                                       ...(displayName.trim() && { displayName: displayName.trim() }) });
             await enter({ username: name, password }, stay === 'on');
             if (router.path().startsWith('/sign-')) router.replace('/');
             else router.reload();
           }, { attributes: { id: 'sign-up' } }),
           h('p', { class: 'quiet' }, 'Already have an account? ', button('Sign in', other, { kind: 'link-like' })));
}

async function enter(credentials, stay) {
  const answer = await operations.logIn(credentials);
  router.forgetViews();
  session.begin(answer, stay);
  announce(`Signed in as ${answer.user.displayName}.`);
}
