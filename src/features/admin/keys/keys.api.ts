import { IsInt, IsString, Max, MaxLength, Min, MinLength } from 'class-validator';
import { Optional, VisibleName } from '../../../platform/http/companion/valid-input';
import { UnprocessableEntity } from '../../../platform/errors/companion.errors';
import { KEY_SCOPES, type KeyScope } from '../../../platform/actor';
import { type CreatedNamedKey, type NamedKey, scopesOf } from '../../users/users.module';
import { MAX_PASSWORD } from '../people/people.api';

const MAX_NAME = 60;

/** Longer than the list of all scopes. */
const MAX_SCOPES = 200;

/** Maximum number of channels to which one key may be limited. */
const MAX_CHANNELS = 100;

const TOO_MANY_CHANNELS = `A key is limited to at most ${MAX_CHANNELS} channels.`;

/** Ten years. */
const MAX_DAYS = 3_650;

/** Default lifetime of keys. */
export const DEFAULT_DAYS = 90;

/** A named API key of an account. */
export interface NamedKeyRecord {
  readonly id: number;
  /** ID of the account that it authenticates: the person, or one of their bots. */
  readonly user_id: number;
  readonly name: string;
  /** Scopes, separated by spaces. */
  readonly scopes: string;
  /**
   * IDs of the channels to which it is limited, separated by spaces; null if it can access all channels of the account.
   */
  readonly channel_ids: string | null;
  /** UNIX seconds. */
  readonly created_at: number;
  /** UNIX seconds; null if it does not expire. */
  readonly expires_at: number | null;
  /** UNIX seconds, accurate to five minutes; null if never used. */
  readonly last_used_at: number | null;
  /** IP address of that use. */
  readonly last_address: string | null;
}

/** A new key. */
export interface NewNamedKeyRecord extends NamedKeyRecord {
  /** Used like the API key of the account. Shown only once. */
  readonly api_key: string;
}

/** How many keys were revoked. */
export interface RevokedKeys {
  readonly revoked: number;
}

/** The record of a key. */
export function namedKeyRecord(row: NamedKey): NamedKeyRecord {
  return {
    id: row.id,
    user_id: row.userId,
    name: row.name,
    scopes: scopesOf(row),
    channel_ids: row.channelIds,
    created_at: row.createdAt,
    expires_at: row.expiresAt,
    last_used_at: row.lastUsedAt,
    last_address: row.lastAddress,
  };
}

/** The record of a new key. */
export function newNamedKeyRecord({ row, key }: CreatedNamedKey): NewNamedKeyRecord {
  return { ...namedKeyRecord(row), api_key: key };
}

/** The properties of a key to create, in the API and on the command line. */
export class NewKeyDto {
  /** The purpose of the key, such as the program that uses it. */
  @VisibleName('The name of a key has no invisible or control characters.')
  @IsString({ message: 'The name must be a text.' })
  @MinLength(1, { message: 'A key needs a name.' })
  @MaxLength(MAX_NAME, { message: `The name of a key has at most ${MAX_NAME} characters.` })
  name!: string;

  /** Scopes, separated by spaces: `read`, `send`, `manage_channels`, `manage_people`, `administer`. */
  @IsString({ message: 'The scopes must be a text.' })
  @MaxLength(MAX_SCOPES, { message: 'These are too many scopes.' })
  scopes!: string;

  /**
   * IDs of the only channels in which it may read and send, separated by spaces. Such a key has no access to direct
   * messages, or to anything outside these channels except users. Unlimited if omitted.
   */
  @Optional()
  @IsString({ message: 'The IDs of channels must be a text.' })
  @MaxLength(MAX_CHANNELS * 11, { message: TOO_MANY_CHANNELS })
  channel_ids?: string;

  /** Lifetime in days, 90 by default; 0 for a key that does not expire. */
  @Optional()
  @IsInt({ message: 'The days must be a number.' })
  @Min(0, { message: 'The days are 0 or more.' })
  @Max(MAX_DAYS, { message: `A key lasts at most ${MAX_DAYS} days, or 0 for no end.` })
  expires_in_days?: number;
}

/** Body of `POST /api/auth/keys`. */
export class NewOwnKeyDto extends NewKeyDto {
  /** ID of one of the caller's bots, to create a key for it; omitted for a key of the caller. */
  @Optional() @IsInt() @Min(1) bot_id?: number;
  /** The caller's password, if they have one. */
  @Optional() @IsString() @MaxLength(MAX_PASSWORD) password?: string;
}

/**
 * Parses the list of channels; null without a list, which means no limit.
 * @param isSeen whether the caller may know about a channel
 * @throws UnprocessableEntity if it contains no channels, unknown ones, or too many
 */
export function channelIdsIn(
  text: string | undefined,
  isSeen: (channelId: number) => boolean,
): number[] | null {
  if (text === undefined) return null;
  const words = new Set(text.split(' ').filter((word) => word !== ''));
  const ids = [...words].map((word) => (/^\d{1,10}$/.test(word) ? Number(word) : NaN));
  if (ids.length === 0 || ids.some(Number.isNaN))
    throw invalidChannels('Give IDs of channels, separated by spaces.');
  if (ids.length > MAX_CHANNELS) throw invalidChannels(TOO_MANY_CHANNELS);
  const unknown = ids.find((id) => !isSeen(id));
  if (unknown !== undefined) throw invalidChannels(`There is no channel with the ID ${unknown}.`);
  return [...new Set(ids)].sort((one, other) => one - other);
}

function invalidChannels(rule: string): UnprocessableEntity {
  return UnprocessableEntity.at(['body', 'channel_ids'], rule, 'value_error');
}

/** Parses the list of scopes. @throws UnprocessableEntity if it contains none, or unknown ones */
export function scopesIn(text: string): KeyScope[] {
  const names = text.split(' ').filter((name) => name !== '');
  const known = KEY_SCOPES.filter((scope) => names.includes(scope));
  const unknown = names.filter((name) => !KEY_SCOPES.some((scope) => scope === name));
  if (known.length > 0 && unknown.length === 0) return known;
  const rule = `Give one or more of these scopes, separated by spaces: ${KEY_SCOPES.join(', ')}.`;
  throw UnprocessableEntity.at(['body', 'scopes'], rule, 'value_error');
}
