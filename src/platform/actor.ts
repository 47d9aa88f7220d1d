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

/** All role names, from most to fewest rights. */
export const ROLE_NAMES = Object.keys(Role) as readonly RoleName[];

/** Name of a role; undefined for an unknown number. */
export function roleName(role: number): RoleName | undefined {
  return ROLE_NAMES.find((name) => Role[name] === role);
}

/** Kinds of bot as numbers on the wire. */
export const BotType = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3, embedded: 4 } as const;

/**
 * How a request reaches the server: over one of the two interfaces, from a company directory, by an operator command,
 * or from the server itself.
 */
export type Way = 'main' | 'companion' | 'directory' | 'command' | 'server';

/** Scopes of named API keys, least harmful first. */
export const KEY_SCOPES = ['read', 'send', 'manage_channels', 'manage_people', 'administer'] as const;

/** One of {@link KEY_SCOPES}. */
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Limits of a named API key within the rights of its account. */
export interface KeyLimit {
  /** ID of the key. */
  readonly keyId: number;
  readonly scopes: ReadonlySet<KeyScope>;
  /** IDs of the only channels that the key reaches, without direct messages; null if it is not limited to channels. */
  readonly channelIds: ReadonlySet<number> | null;
}

/** How, from where and with which client a request is made. */
export interface Caller {
  readonly way: Way;
  /** IP address of the client; empty for calls that do not come over the network. */
  readonly address: string;
  /** Name of the client program; shows up in the message record. */
  readonly clientName: string;
  /** Limits of the named API key that authenticated the request; empty for all other requests. */
  readonly limit?: KeyLimit | null;
}

/** The caller. Plain data, copied from the account when the request was authenticated. */
export interface Actor extends Caller {
  readonly userId: number;
  readonly role: Role;
  readonly isBot: boolean;
  readonly botType: number | null;
  /** Owner of a bot; null for people and for bots without an owner. */
  readonly ownerId: number | null;
}

/** The `clientName` of the server's own actions. */
export const INTERNAL_CLIENT = 'Internal';

/** The server, acting on its own. */
export const THE_SERVER: Caller = { way: 'server', address: '', clientName: INTERNAL_CLIENT };

/** The operator of the server, at the command line. */
export const THE_OPERATOR: Caller = { way: 'command', address: '', clientName: 'parley' };

/** The person whom an account's usage counts against: for a bot, its owner, because anyone can have many bots. */
export function personOf(actor: Pick<Actor, 'userId' | 'ownerId'>): number {
  return actor.ownerId ?? actor.userId;
}

/** Whether the account is an owner; administrators are not. */
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

/** Guests see only their own channels and have fewer rights than members. */
export function isGuest(who: { readonly role: Role }): boolean {
  return who.role === Role.guest;
}
