// Signs out: revokes the token, and forgets it even if that fails.

import * as operations from './operations.js';
import * as session from './session.js';

export async function leave() {
  await operations.logOut().catch(() => null);
  if (session.me()) session.end('left');
}
