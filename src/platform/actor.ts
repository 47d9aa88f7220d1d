/** Roles as numbers on the wire. A smaller number may do more. */
export const Role = {
  owner: 100,
  administrator: 200,
  moderator: 300,
  member: 400,
  guest: 600,
} as const;

/** One of the numbers of {@link Role}. */
export type Role = (typeof Role)[keyof typeof Role];

/** Names of the roles in the companion interface. */
export type RoleName = keyof typeof Role;

/** All of them, from the one that may do most. */
export const ROLE_NAMES = Object.keys(Role) as readonly RoleName[];

/** Name of a role; undefined for a number that is no role. */
export function roleName(role: number): RoleName | undefined {
  return ROLE_NAMES.find((name) => Role[name] === role);
}

/** Kinds of bot as numbers on the wire. */
export const BotType = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3, embedded: 4 } as const;

/**
 * How an order reaches the server: over one of the two interfaces, from the directory of a company, by the operator's
 * command, or from itself.
 */
export type Way = 'main' | 'companion' | 'directory' | 'command' | 'server';

/** What named API keys may be allowed, from what harms least. */
export const KEY_SCOPES = ['read', 'send', 'manage_channels', 'manage_people', 'administer'] as const;

/** One of {@link KEY_SCOPES}. */
export type KeyScope = (typeof KEY_SCOPES)[number];

/** What a named API key may do of what its account may do. */
export interface KeyLimit {
  /** ID of the key. */
  readonly keyId: number;
  readonly scopes: ReadonlySet<KeyScope>;
  /** IDs of the only channels that it reaches, and no direct messages; null where it reaches what its account does. */
  readonly channelIds: ReadonlySet<number> | null;
}

/** How, from where and with what client a request is made. */
export interface Caller {
  readonly way: Way;
  /** IP address of the client; empty for what does not come over the network. */
  readonly address: string;
  /** Name of the client program; shows up in the message record. */
  readonly clientName: string;
  /** What the named API key with which the request comes may do; nothing for all other requests, which have no limit. */
  readonly limit?: KeyLimit | null;
}

/** Who is acting. Plain data, taken from the account as it was when the request was authenticated. */
export interface Actor extends Caller {
  readonly userId: number;
  readonly role: Role;
  readonly isBot: boolean;
  readonly botType: number | null;
  /** Owner of a bot; null for people and for bots without an owner. */
  readonly ownerId: number | null;
}

/** The `clientName` of what the server does by itself. */
export const INTERNAL_CLIENT = 'Internal';

/** The server, acting by itself. */
export const THE_SERVER: Caller = { way: 'server', address: '', clientName: INTERNAL_CLIENT };

/** The operator of the server, at the command line. */
export const THE_OPERATOR: Caller = { way: 'command', address: '', clientName: 'parley' };

/** The person to whom counts what an account takes: a bot's owner, as anyone can have many bots. */
export function personOf(actor: Pick<Actor, 'userId' | 'ownerId'>): number {
  return actor.ownerId ?? actor.userId;
}

/** Only owners, not administrators. */
export function isOwner(who: { readonly role: Role }): boolean {
  return who.role === Role.owner;
}

/** Owners count as administrators. */
export function isAdministrator(who: { readonly role: Role }): boolean {
  return who.role <= Role.administrator;
}

/** Administrators count as moderators. */
export function isModerator(who: { readonly role: Role }): boolean {
  return who.role <= Role.moderator;
}

/** Guests see only channels that they are in, and do less than members. */
export function isGuest(who: { readonly role: Role }): boolean {
  return who.role === Role.guest;
}
