// Runs before the first paint, so that a dark page never flashes white.
'use strict';
{
  let theme = null;
  try {
    theme = localStorage.getItem('chirp.theme');
  } catch {
    // This browser stores nothing for the page.
  }
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
}
