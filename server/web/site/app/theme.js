// Dark, light, or the system's preference; stored in this browser, and applied before the first
// paint by early.js.

import { ofBrowser } from './storage.js';

const KEY = 'chirp.theme';
export const THEMES = ['auto', 'light', 'dark'];

export function theme() {
  const kept = ofBrowser.get(KEY);
  return THEMES.includes(kept) ? kept : 'auto';
}

export function setTheme(name) {
  if (name === 'auto') {
    ofBrowser.remove(KEY);
    delete document.documentElement.dataset.theme;
  } else {
    ofBrowser.set(KEY, name);
    document.documentElement.dataset.theme = name;
  }
}
