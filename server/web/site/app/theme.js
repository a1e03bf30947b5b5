// Dark, light, or what the system prefers; kept for this browser, and set before the first paint by
// early.js.

const KEY = 'chirp.theme';
export const THEMES = ['auto', 'light', 'dark'];

export function theme() {
  const kept = localStorage.getItem(KEY);
  return THEMES.includes(kept) ? kept : 'auto';
}

export function setTheme(name) {
  if (name === 'auto') {
    localStorage.removeItem(KEY);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(KEY, name);
    document.documentElement.dataset.theme = name;
  }
}
