import { defineEvent } from '../../../platform/events/server-event';
import type { BotRecord } from './bot.wire';

/** A bot appeared among those that somebody administers; no key is in it (feature level 474). */
export const botAdded = defineEvent<{ bot: BotRecord }>('realm_bot', 'add');

/** What the administrators of a bot see of it changed. */
export const botUpdated = defineEvent<{ bot: { user_id: number } & Partial<BotRecord> }>(
  'realm_bot',
  'update',
);

/** A bot is no longer among those that somebody administers. */
export const botRemoved = defineEvent<{ bot: { user_id: number } }>('realm_bot', 'delete');
