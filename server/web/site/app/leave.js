// Signing out: the token is revoked, and forgotten in any case.

import * as operations from './operations.js';
import * as session from './session.js';

export async function leave() {
  await operations.logOut().catch(() => null);
  if (session.me()) session.end('left');
}
