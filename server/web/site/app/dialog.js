// Dialogs, by the browser's own element: the page behind is inert, Escape closes it, and the focus
// returns to where it was.

import { h, button, freshId, show } from './dom.js';
import { icon } from './icons.js';
import * as router from './router.js';

// Opens a dialog with a title. `onClose` is called once when it closes for any reason. Returns its
// element, which has close().
export function openDialog(title, content, { kind = '', onClose } = {}) {
  const id = freshId('dialog');
  const before = document.activeElement;
  const element = h('dialog', { class: `dialog ${kind}`, 'aria-labelledby': id },
                    h('header', { class: 'dialog-head' },
                      h('h2', { id }, title),
                      button(icon('close'), () => element.close(), { kind: 'quiet', label: 'Close' })),
                    h('div', { class: 'dialog-body' }, content));
  element.addEventListener('click', (event) => {
    if (event.target === element) element.close();  // a click outside the content
  });
  const uncover = router.cover(() => element.close());
  element.addEventListener('close', () => {
    element.remove();
    uncover();
    onClose?.();
    if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
  });
  document.body.append(element);
  element.showModal();
  element.querySelector('[autofocus]')?.focus();
  return element;
}

// Asks for confirmation of something irreversible. Resolves to the user's answer.
export function confirm(title, words, verb) {
  return new Promise((resolve) => {
    let answer = false;
    const yes = button(verb, () => {
      answer = true;
      dialog.close();
    }, { kind: 'danger' });
    const no = button('Cancel', () => dialog.close(), { kind: 'plain', autofocus: true });
    const dialog = openDialog(title, [h('p', {}, words), h('div', { class: 'row end' }, no, yes)],
                              { kind: 'narrow', onClose: () => resolve(answer) });
  });
}

export const isDialogOpen = () => document.querySelector('dialog[open]') !== null;

// A button that opens a menu. `items()` is called each time: {label, icon, run, danger, checked};
// an item with `checked` is one choice among several.
export function menuButton(content, label, items, kind = 'quiet') {
  const opener = button(content, () => (menu.isConnected ? close() : open()),
                        { kind, label, 'aria-haspopup': 'menu', 'aria-expanded': 'false' });
  const menu = h('div', { role: 'menu', class: 'menu', 'aria-label': label, on: { keydown: onKey } });
  const holder = h('span', { class: 'menu-holder' }, opener);
  const outside = (event) => {
    if (!holder.contains(event.target)) close();
  };

  function open() {
    show(menu, items().map((item) => entry(item)));
    holder.append(menu);
    opener.setAttribute('aria-expanded', 'true');
    document.addEventListener('pointerdown', outside);
    holder.addEventListener('focusout', onFocusOut);
    (menu.querySelector('[aria-checked="true"]') ?? menu.firstElementChild)?.focus();
  }

  function close() {
    holder.removeEventListener('focusout', onFocusOut);
    menu.remove();
    opener.setAttribute('aria-expanded', 'false');
    document.removeEventListener('pointerdown', outside);
  }

  function onFocusOut(event) {
    if (event.relatedTarget !== null && !holder.contains(event.relatedTarget)) close();
  }

  function entry({ label: words, icon: name, run, danger, checked }) {
    return h('button', { type: 'button', class: `menu-item${danger ? ' danger' : ''}`, tabindex: '-1',
                         role: checked === undefined ? 'menuitem' : 'menuitemradio',
                         'aria-checked': checked === undefined ? null : String(checked),
                         on: { click: () => { close(); opener.focus({ preventScroll: true }); run(); } } },
             name && icon(name), h('span', {}, words));
  }

  function onKey(event) {
    const entries = [...menu.children];
    const at = entries.indexOf(document.activeElement);
    const step = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      entries.at(step % entries.length).focus();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      close();
      opener.focus({ preventScroll: true });
    } else if (event.key === 'Tab') {
      close();
    } else {
      return;
    }
    event.stopPropagation();
  }

  return holder;
}
