import type { Account, BotEndpoint } from '../../users/users.module';
import { defineEvent } from '../../../platform/events/server-event';

/** The columns of a bot's default channels. */
export type BotPlaces = Pick<
  Account,
  'defaultSendingChannelId' | 'defaultEventsChannelId' | 'defaultAllPublicChannels'
>;

/** The default channels of a bot, unless a request names others; by name, null for none. */
export interface BotDefaults {
  default_sending_stream: string | null;
  default_events_register_stream: string | null;
  default_all_public_streams: boolean;
}

/** The service of an outgoing webhook, for the people who administer it. */
export interface BotServiceRecord {
  base_url: string;
  interface: number;
  token: string;
}

/** The properties of a bot that only the people who administer it see. */
export interface BotRecord extends BotDefaults {
  user_id: number;
  services: BotServiceRecord[];
}

/** A bot after a change. */
export interface UpdatedBotWire extends BotDefaults {
  readonly full_name: string;
  readonly avatar_url: string;
  /** The format of an outgoing webhook; present if the request set it. */
  readonly service_interface?: number;
  readonly service_payload_url: string | null;
  readonly config_data: Readonly<Record<string, string>> | null;
  /** Address of the owner in the API. */
  readonly bot_owner?: string;
}

/** A bot in the list of the caller's own. */
export interface OwnBotRecord extends BotDefaults {
  username: string;
  full_name: string;
  api_key: string;
  avatar_url: string;
}

/** The services of a bot: one, or none. On the wire it is a list nevertheless. */
export function botServiceRecords(service: BotEndpoint | null): BotServiceRecord[] {
  if (!service) return [];
  return [{ base_url: service.payloadUrl ?? '', interface: service.interface, token: service.token ?? '' }];
}

/** @param nameOf finds the name of a channel by its ID */
export function botDefaults(bot: BotPlaces, nameOf: (channelId: number) => string | null): BotDefaults {
  const { defaultSendingChannelId: sending, defaultEventsChannelId: events } = bot;
  return {
    default_sending_stream: sending === null ? null : nameOf(sending),
    default_events_register_stream: events === null ? null : nameOf(events),
    default_all_public_streams: bot.defaultAllPublicChannels,
  };
}

/** The default channels of a bot that change when a channel is renamed; empty if the bot does not use it. */
export function renamedPlaces(bot: BotPlaces, channel: { id: number; name: string }): Partial<BotDefaults> {
  return {
    ...(bot.defaultSendingChannelId === channel.id ? { default_sending_stream: channel.name } : {}),
    ...(bot.defaultEventsChannelId === channel.id ? { default_events_register_stream: channel.name } : {}),
  };
}

/** The bots that the person administers, for a client's initial state. */
export function botsState(bots: readonly BotRecord[]) {
  return { realm_bots: bots };
}

/** Bots built into the server; there are none. */
export const NO_EMBEDDED_BOTS = { realm_embedded_bots: [] };

/** The recipient now administers a bot; its key is not included (feature level 474). */
export const botAdded = defineEvent<{ bot: BotRecord }>('realm_bot', 'add');

/** A bot that the recipient administers changed. */
export const botUpdated = defineEvent<{ bot: { user_id: number } & Partial<BotRecord> }>(
  'realm_bot',
  'update',
);

/** The recipient no longer administers a bot. */
export const botRemoved = defineEvent<{ bot: { user_id: number } }>('realm_bot', 'delete');
