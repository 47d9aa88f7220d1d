import { defineEvent } from '../../../platform/events/server-event';
import type { BotRecord } from './bot.wire';

/** A person administers a bot from now on; its key is not included (feature level 474). */
export const botAdded = defineEvent<{ bot: BotRecord }>('realm_bot', 'add');

/** A bot that the receiver administers changed. */
export const botUpdated = defineEvent<{ bot: { user_id: number } & Partial<BotRecord> }>(
  'realm_bot',
  'update',
);

/** The receiver no longer administers a bot. */
export const botRemoved = defineEvent<{ bot: { user_id: number } }>('realm_bot', 'delete');
