import type { Check } from './check';
import { AUTHENTICATION } from './topics/authentication';
import { CHANGING } from './topics/changing';
import { CHANNELS } from './topics/channels';
import { ENVELOPE, IGNORED } from './topics/envelope';
import { EVENTS } from './topics/events';
import { FETCHING } from './topics/fetching';
import { GROUPS } from './topics/groups';
import { MESSAGES } from './topics/messages';
import { EMOJI, LINKIFIERS } from './topics/organization';
import { DRAFTS, SCHEDULED, SNIPPETS, UPLOADS } from './topics/personal-content';
import { FLAGS, REACTIONS } from './topics/reactions-and-flags';
import { SERVER_SETTINGS } from './topics/server-settings';
import { SUBSCRIPTIONS } from './topics/subscriptions';
import { USERS } from './topics/users';

/** Every check, in the order in which they run. */
export const CHECKS: readonly Check[] = [
  SERVER_SETTINGS,
  AUTHENTICATION,
  USERS,
  CHANNELS,
  SUBSCRIPTIONS,
  MESSAGES,
  FETCHING,
  CHANGING,
  REACTIONS,
  FLAGS,
  GROUPS,
  EVENTS,
  DRAFTS,
  SCHEDULED,
  SNIPPETS,
  LINKIFIERS,
  EMOJI,
  UPLOADS,
  ENVELOPE,
  IGNORED,
].flat();
