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

/** An account in the directory: its row, with the personal settings parsed. */
export type AccountRecord = Readonly<Omit<Account, 'settings' | 'editedSettings' | 'passwordHash'>> & {
  /** Personal settings that differ from their defaults. */
  readonly settings: Readonly<Record<string, unknown>>;
};

/** The account as an actor, through a client or by the server itself. */
export function actorOf(
  account: AccountRecord,
  { way, address, clientName, limit }: Caller = THE_SERVER,
): Actor {
  const { id, role, isBot, botType, botOwnerId } = account;
  return { userId: id, role, isBot, botType, ownerId: botOwnerId, way, address, clientName, limit };
}

/** The key that makes an address unique: lower case, trimmed. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

/** All accounts in memory, without password hashes. Kept equal to the table like every directory. */
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

  /** The person to whom counts what an account takes: a bot's owner, as anyone can have many bots. */
  personBehind(userId: number): number {
    return this.byId(userId)?.botOwnerId ?? userId;
  }

  /** The account with this real address, in any case. */
  byDeliveryEmail(email: string): AccountRecord | undefined {
    return this.find(this.idByEmail.get(emailKey(email)));
  }

  /** An account that must exist, because its row is never removed: one that acts or wrote something. */
  existing(userId: number): AccountRecord {
    const account = this.accounts.get(userId);
    if (!account) throw new Error(`Unknown account ${userId}.`);
    return account;
  }

  /** The account with this real or placeholder address, in any case. */
  byEmail(email: string): AccountRecord | undefined {
    const key = emailKey(email);
    return this.find(this.idByEmail.get(key)) ?? this.byPlaceholder(key);
  }

  /** The account with this API address (the one that other people see), in any case. */
  byApiEmail(email: string): AccountRecord | undefined {
    const account = this.byEmail(email);
    return account && emailKey(this.apiEmail(account)) === emailKey(email) ? account : undefined;
  }

  /**
   * The address by which the interface names the account, the same for every viewer: the real one if its owner shows it
   * to everyone, otherwise a placeholder.
   */
  apiEmail(account: Pick<AccountRecord, 'id' | 'deliveryEmail' | 'emailVisibility'>): string {
    return account.emailVisibility === EmailVisibility.everyone
      ? account.deliveryEmail
      : this.placeholderOf(account.id);
  }

  /** The address that names an account whose real address must not be shown. */
  placeholderOf(userId: number): string {
    return `user${userId}@${this.domain}`;
  }

  /** Whether an address has the form of a placeholder; a real address must not. */
  isPlaceholder(email: string): boolean {
    return this.placeholder.test(emailKey(email));
  }

  /** Every account except the system bots, ascending by ID. */
  all(): AccountRecord[] {
    return [...this.accounts.values()].filter((account) => !account.isSystemBot);
  }

  /** System bots: notification, welcome and e-mail gateway. */
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

/** What decides where a picture is. */
type AvatarOwner = Pick<AccountRecord, 'deliveryEmail' | 'avatarSource' | 'avatarKey' | 'avatarVersion'>;

/** Uploaded pictures are under this path; the number is the organization's, of which there is one. */
const AVATAR_PATH = '/user_avatars/1';

/** Sides of the two sizes of a picture, in pixels; clients request the larger one by name. */
export const AVATAR_SIDES = { small: 100, medium: 500 } as const;

/** A size in which avatars are stored. */
export type AvatarSize = keyof typeof AVATAR_SIDES;

/** Whether the external provider has the picture; clients can work out its addresses themselves. */
export function isExternalAvatar(owner: AvatarOwner): boolean {
  return owner.avatarSource === 'G';
}

/** Where the picture is: an address of the external provider, or a path on this server that cannot be guessed. */
export function avatarUrl(owner: AvatarOwner, size: AvatarSize = 'small'): string {
  if (!isExternalAvatar(owner)) return `${AVATAR_PATH}/${avatarFileName(owner.avatarKey ?? '', size)}`;
  const digest = createHash('md5').update(owner.deliveryEmail.toLowerCase()).digest('hex');
  const larger = size === 'medium' ? `&s=${AVATAR_SIDES.medium}` : '';
  return `https://secure.gravatar.com/avatar/${digest}?d=identicon${larger}&version=${owner.avatarVersion}`;
}

/** Name of the file of an uploaded picture. */
export function avatarFileName(avatarKey: string, size: AvatarSize): string {
  return size === 'medium' ? `${avatarKey}-medium.png` : `${avatarKey}.png`;
}

/** What people show who uploaded nothing, where the organization says so. */
export function initialAvatar(source: AvatarSource): Pick<Account, 'avatarSource' | 'avatarKey'> {
  return { avatarSource: source, avatarKey: source === 'J' ? newAvatarKey() : null };
}

/** A random name for a picture's files, which makes their addresses unguessable. */
export function newAvatarKey(): string {
  return randomBytes(20).toString('hex');
}
