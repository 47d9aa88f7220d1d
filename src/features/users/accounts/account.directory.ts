import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Account } from './account.entity';
import { EmailVisibility } from './accounts.api';
import { type Actor, type Caller, Role, THE_SERVER } from '../../../platform/actor';
import { Config } from '../../../platform/config/config';
import { Audience } from '../../../platform/events/audience';
import { Directories, Directory } from '../../../platform/events/directories';
import { entityRows } from '../../../platform/sql/entity-rows';
import type { Queryable } from '../../../platform/sql/queryable';
import type { AvatarSource } from '../../organization-settings/organization-settings.module';

/** An account in the directory: its row, with parsed personal settings. */
export type AccountRecord = Readonly<Omit<Account, 'settings' | 'editedSettings' | 'passwordHash'>> & {
  /** Personal settings that differ from their defaults. */
  readonly settings: Readonly<Record<string, unknown>>;
};

/** The account as an actor, through a client or on behalf of the server. */
export function actorOf(
  account: AccountRecord,
  { way, address, clientName, limit }: Caller = THE_SERVER,
): Actor {
  const { id, role, isBot, botType, botOwnerId } = account;
  return { userId: id, role, isBot, botType, ownerId: botOwnerId, way, address, clientName, limit };
}

/** The unique key of an address: lower case, trimmed. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

/** All accounts in memory, without password hashes. Kept in sync with the table like every directory. */
@Injectable()
export class AccountDirectory extends Directory {
  readonly name = 'accounts';

  private readonly accounts = new Map<number, AccountRecord>();
  private readonly idByEmail = new Map<string, number>();
  private readonly placeholder: RegExp;
  private readonly domain: string;
  private audiences: { active?: Audience; members?: Audience; guests?: Audience; administrators?: Audience } =
    {};

  constructor(directories: Directories, config: Config) {
    super();
    this.domain = config.emailDomain.toLowerCase();
    this.placeholder = new RegExp(`^user(\\d{1,10})@${this.domain.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
    directories.register(this);
  }

  byId(id: number): AccountRecord | undefined {
    return this.accounts.get(id);
  }

  /** The person to whom an account's resource usage is charged: the owner of a bot, as anyone can have many bots. */
  personBehind(userId: number): number {
    return this.byId(userId)?.botOwnerId ?? userId;
  }

  /** The account with this real address, case-insensitive. */
  byDeliveryEmail(email: string): AccountRecord | undefined {
    return this.find(this.idByEmail.get(emailKey(email)));
  }

  /** An account that must exist, because rows are never deleted: one that acts or wrote something. */
  existing(userId: number): AccountRecord {
    const account = this.accounts.get(userId);
    if (!account) throw new Error(`Unknown account ${userId}.`);
    return account;
  }

  /** The account with this real or placeholder address, case-insensitive. */
  byEmail(email: string): AccountRecord | undefined {
    const key = emailKey(email);
    return this.find(this.idByEmail.get(key)) ?? this.byPlaceholder(key);
  }

  /** The account with this API address (the one that other people see), case-insensitive. */
  byApiEmail(email: string): AccountRecord | undefined {
    const account = this.byEmail(email);
    return account && emailKey(this.apiEmail(account)) === emailKey(email) ? account : undefined;
  }

  /**
   * The address of the account in the API, the same for every viewer: the real one if its owner shows it to everyone,
   * otherwise a placeholder.
   */
  apiEmail(account: Pick<AccountRecord, 'id' | 'deliveryEmail' | 'emailVisibility'>): string {
    return account.emailVisibility === EmailVisibility.everyone
      ? account.deliveryEmail
      : this.placeholderOf(account.id);
  }

  /** The placeholder for an account whose real address must not be shown. */
  placeholderOf(userId: number): string {
    return `user${userId}@${this.domain}`;
  }

  /** Whether an address has the form of a placeholder; real addresses must not. */
  isPlaceholder(email: string): boolean {
    return this.placeholder.test(emailKey(email));
  }

  /** All accounts except the system bots, ascending by ID. */
  all(): AccountRecord[] {
    return [...this.accounts.values()].filter((account) => !account.isSystemBot);
  }

  /** System bots: notification, welcome and email gateway. */
  systemBots(): AccountRecord[] {
    return [...this.accounts.values()].filter((account) => account.isSystemBot);
  }

  /** Active accounts, including guests and bots, without system bots. */
  get active(): Audience {
    return (this.audiences.active ??= this.audience(() => true));
  }

  /** Active accounts that are not guests. */
  get members(): Audience {
    return (this.audiences.members ??= this.audience((account) => account.role !== Role.guest));
  }

  /** Active guests. */
  get guests(): Audience {
    return (this.audiences.guests ??= this.audience((account) => account.role === Role.guest));
  }

  /** Active owners and administrators. */
  get administrators(): Audience {
    return (this.audiences.administrators ??= this.audience((account) => account.role <= Role.administrator));
  }

  async load(db: Queryable): Promise<void> {
    const rows = await entityRows(db, Account, 'ORDER BY id');
    this.accounts.clear();
    this.idByEmail.clear();
    this.keep(rows);
  }

  async refresh(db: Queryable, ids: readonly number[]): Promise<void> {
    const rows = await entityRows(db, Account, 'WHERE id IN (?) ORDER BY id', [ids]);
    for (const row of rows) {
      const before = this.accounts.get(row.id);
      if (before) this.idByEmail.delete(before.emailKey);
    }
    this.keep(rows);
  }

  private keep(rows: Account[]): void {
    for (const { settings, editedSettings: _e, passwordHash: _p, ...row } of rows) {
      this.accounts.set(row.id, { ...row, settings: JSON.parse(settings) as Record<string, unknown> });
      this.idByEmail.set(row.emailKey, row.id);
    }
    this.audiences = {};
  }

  private find(id: number | undefined): AccountRecord | undefined {
    return id === undefined ? undefined : this.accounts.get(id);
  }

  private byPlaceholder(key: string): AccountRecord | undefined {
    const match = this.placeholder.exec(key);
    return match ? this.accounts.get(Number(match[1])) : undefined;
  }

  private audience(belongs: (account: AccountRecord) => boolean): Audience {
    const ids: number[] = [];
    for (const account of this.accounts.values()) {
      if (account.isActive && !account.isSystemBot && belongs(account)) ids.push(account.id);
    }
    return Audience.of(ids);
  }
}

/** The properties that determine the URL of an avatar. */
type AvatarOwner = Pick<AccountRecord, 'deliveryEmail' | 'avatarSource' | 'avatarKey' | 'avatarVersion'>;

/** Path of uploaded avatars; the number is the ID of the organization, of which there is only one. */
const AVATAR_PATH = '/user_avatars/1';

/** Width and height of the two avatar sizes, in pixels; clients request the larger one by name. */
export const AVATAR_SIDES = { small: 100, medium: 500 } as const;

/** A size in which avatars are stored. */
export type AvatarSize = keyof typeof AVATAR_SIDES;

/** Whether the external provider serves the avatar; clients can compute its URL themselves. */
export function isExternalAvatar(owner: AvatarOwner): boolean {
  return owner.avatarSource === 'G';
}

/** The URL of an avatar: at the external provider, or an unguessable path on this server. */
export function avatarUrl(owner: AvatarOwner, size: AvatarSize = 'small'): string {
  if (!isExternalAvatar(owner)) return `${AVATAR_PATH}/${avatarFileName(owner.avatarKey ?? '', size)}`;
  const digest = createHash('md5').update(owner.deliveryEmail.toLowerCase()).digest('hex');
  const larger = size === 'medium' ? `&s=${AVATAR_SIDES.medium}` : '';
  return `https://secure.gravatar.com/avatar/${digest}?d=identicon${larger}&version=${owner.avatarVersion}`;
}

/** The name of an uploaded avatar's file. */
export function avatarFileName(avatarKey: string, size: AvatarSize): string {
  return size === 'medium' ? `${avatarKey}-medium.png` : `${avatarKey}.png`;
}

/** The initial avatar of new accounts, depending on the organization's setting. */
export function initialAvatar(source: AvatarSource): Pick<Account, 'avatarSource' | 'avatarKey'> {
  return { avatarSource: source, avatarKey: source === 'J' ? newAvatarKey() : null };
}

/** A random name for the files of an avatar, which makes their URLs unguessable. */
export function newAvatarKey(): string {
  return randomBytes(20).toString('hex');
}
