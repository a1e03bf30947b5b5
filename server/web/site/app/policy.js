// Describes in words how posts reach their readers under the current policy.

import { exactCount } from './format.js';

export const TIERS = ['regular', 'influencer', 'celebrity'];

export const POLICIES = {
  push: 'Every post is put into the timelines of followers when it is written.',
  pull: 'Nothing is put into timelines: readers merge the logs of those they follow.',
  hybrid: 'Posts are pushed, but for those of celebrities, which readers fetch.',
  cost: 'Each author is pushed or fetched, whichever is cheaper.',
};

const EVERYBODY = 'pushed to every follower';
const ACTIVE = 'pushed to followers who read lately';
const NOBODY = 'not pushed: readers fetch';

// How the posts of an author of this tier are delivered.
export function tierWords(policy, tier) {
  if (policy === 'pull' || (policy === 'hybrid' && tier === 'celebrity')) return NOBODY;
  if (policy === 'cost') return 'pushed or fetched, as it is cheaper';
  return tier === 'regular' ? EVERYBODY : ACTIVE;
}

// The followers needed for this tier, by the server's EngineState.
export function tierBounds({ influencerFrom, celebrityAbove }, tier) {
  if (tier === 'celebrity') return `more than ${exactCount(celebrityAbove)} followers`;
  return `${tier === 'influencer' ? 'from' : 'below'} ${exactCount(influencerFrom)} followers`;
}
