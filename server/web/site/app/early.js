// Run before the first paint, so that a page in the dark never flashes white.
'use strict';
{
  const theme = localStorage.getItem('chirp.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
}
