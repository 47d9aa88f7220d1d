import type { Check } from './check';
import { AUTHENTICATION } from './topics/authentication';
import { CHANGING } from './topics/changing';
import { CHANNELS } from './topics/channels';
import { ENVELOPE, IGNORED } from './topics/envelope';
import { CREDENTIALS } from './topics/credentials';
import { EVENTS } from './topics/events';
import { FETCHING } from './topics/fetching';
import { GROUPS } from './topics/groups';
import { INVITATIONS } from './topics/invitations';
import { MESSAGES } from './topics/messages';
import { NARROWS } from './topics/narrows';
import { EMOJI, LINKIFIERS } from './topics/organization';
import { DRAFTS, SCHEDULED, SNIPPETS } from './topics/personal-content';
import { PRESENCE } from './topics/presence';
import { FLAGS, REACTIONS } from './topics/reactions-and-flags';
import { SERVER_SETTINGS } from './topics/server-settings';
import { SUBSCRIPTIONS } from './topics/subscriptions';
import { UPLOADS } from './topics/uploads';
import { USERS } from './topics/users';

/** Every check, in the order in which they run. */
export const CHECKS: readonly Check[] = [
  SERVER_SETTINGS,
  AUTHENTICATION,
  CREDENTIALS,
  USERS,
  PRESENCE,
  INVITATIONS,
  CHANNELS,
  SUBSCRIPTIONS,
  MESSAGES,
  FETCHING,
  NARROWS,
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
