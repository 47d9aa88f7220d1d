import { Injectable } from '@nestjs/common';
import type { Actor, Caller, KeyScope } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { pageOf, type PageAnswer, type PageQuery, pageWindow } from '../../../platform/http/companion/paging';
import type { RequireRecentSignIn } from '../../../platform/http/decorators';
import { ChannelAccess, ChannelDirectory, type ChannelRecord } from '../../channels/channels.module';
import {
  AccountDirectory,
  type CreatedNamedKey,
  NamedKeys,
  NoSuchNamedKey,
  PasswordService,
  UserAccess,
  UserDeactivated,
  WrongPassword,
} from '../../users/users.module';
import {
  channelIdsIn,
  DEFAULT_DAYS,
  namedKeyRecord,
  type NamedKeyRecord,
  type NewKeyDto,
  newNamedKeyRecord,
  type NewNamedKeyRecord,
  type NewOwnKeyDto,
  scopesIn,
} from './keys.api';

const DAY_SECONDS = 86_400;

/** Administrators may manage the keys of all accounts, including bots and deactivated ones. */
const EVERYBODY = { bots: true, deactivated: true } as const;

/** Named API keys: people's own with those of their bots, and for administrators those of everyone. */
@Injectable()
export class KeysService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly accounts: AccountDirectory,
    private readonly access: UserAccess,
    private readonly passwords: PasswordService,
    private readonly keys: NamedKeys,
    private readonly channels: ChannelDirectory,
    private readonly channelAccess: ChannelAccess,
    private readonly clock: Clock,
  ) {}

  /** @throws UnprocessableEntity */
  async own({ userId }: Actor, query: PageQuery): Promise<PageAnswer<NamedKeyRecord>> {
    return this.list(this.ownAccounts(userId), query);
  }

  /**
   * Creates a key for the caller, or for one of their bots.
   * @throws UnprocessableEntity, WrongPassword, LoginThrottled, NoSuchBot, InsufficientPermission, MustBeOwner,
   * UserDeactivated, TooManyNamedKeys, ReauthenticationRequired
   */
  async make(
    actor: Actor,
    wanted: NewOwnKeyDto,
    requireRecent: RequireRecentSignIn,
  ): Promise<NewNamedKeyRecord> {
    const scopes = scopesIn(wanted.scopes);
    await this.confirm(actor, wanted.password ?? '', requireRecent);
    return this.transactions.runExclusive(async (tx) => {
      const current = this.access.current(actor);
      const userId = wanted.bot_id === undefined ? current.userId : this.bot(current, wanted.bot_id);
      const isSeen = (channel: ChannelRecord) => this.channelAccess.hasMetadataAccess(current, channel);
      return newNamedKeyRecord(await this.makeIn(tx, current, userId, { ...wanted, scopes }, isSeen));
    });
  }

  /**
   * Called within an exclusive transaction.
   * @param isSeen whether the caller may know about a channel
   * @throws TooManyNamedKeys, UnprocessableEntity
   */
  makeIn(
    tx: Transaction,
    by: Caller,
    userId: number,
    { name, scopes, channel_ids: channels, expires_in_days: days = DEFAULT_DAYS }: WantedKey,
    isSeen: (channel: ChannelRecord) => boolean,
  ): Promise<CreatedNamedKey> {
    const channelIds = channelIdsIn(channels, (id) => {
      const channel = this.channels.byId(id);
      return channel !== undefined && isSeen(channel);
    });
    const expiresAt = days === 0 ? null : this.clock.nowSeconds() + days * DAY_SECONDS;
    return this.keys.make(tx, by, userId, { name, scopes, channelIds, expiresAt });
  }

  /** @throws NoSuchNamedKey */
  async revokeOwn(actor: Actor, id: number): Promise<void> {
    const accounts = this.ownAccounts(actor.userId);
    const row = (await this.keys.of(accounts)).find((key) => key.id === id);
    if (!row) throw new NoSuchNamedKey();
    await this.transactions.runExclusive((tx) => this.keys.revoke(tx, actor, row.userId, id));
  }

  /** Revokes the caller's keys, but not those of their bots. @returns how many */
  revokeAllOwn(actor: Actor): Promise<number> {
    return this.transactions.runExclusive((tx) => this.keys.revokeAll(tx, actor, actor.userId));
  }

  /** @throws NoSuchUser, InsufficientPermission, MustBeOwner, UserIsDeleted, UnprocessableEntity */
  async ofAccount(actor: Actor, userId: number, query: PageQuery): Promise<PageAnswer<NamedKeyRecord>> {
    this.access.forAdministration(actor, userId, EVERYBODY);
    return this.list([userId], query);
  }

  /** @throws NoSuchUser, InsufficientPermission, MustBeOwner, UserIsDeleted, NoSuchNamedKey */
  revokeOfAccount(caller: Actor, userId: number, id: number): Promise<void> {
    return this.administer(caller, userId, (tx, actor) => this.keys.revoke(tx, actor, userId, id));
  }

  /** @returns how many @throws NoSuchUser, InsufficientPermission, MustBeOwner, UserIsDeleted */
  revokeAllOfAccount(caller: Actor, userId: number): Promise<number> {
    return this.administer(caller, userId, (tx, actor) => this.keys.revokeAll(tx, actor, userId));
  }

  private async list(userIds: readonly number[], query: PageQuery): Promise<PageAnswer<NamedKeyRecord>> {
    const window = pageWindow(query);
    return pageOf(await this.keys.of(userIds), window, namedKeyRecord);
  }

  private administer<T>(
    caller: Actor,
    userId: number,
    work: (tx: Transaction, actor: Actor) => Promise<T>,
  ): Promise<T> {
    return this.transactions.runExclusive((tx) => {
      const actor = this.access.current(caller);
      this.access.forAdministration(actor, userId, EVERYBODY);
      return work(tx, actor);
    });
  }

  private bot(actor: Actor, botId: number): number {
    const { id, isActive } = this.access.forBotAdministration(actor, botId);
    if (!isActive) throw new UserDeactivated();
    return id;
  }

  /**
   * An open session alone must not be enough to create a key: people without a password must have signed in recently.
   */
  private async confirm(actor: Actor, password: string, requireRecent: RequireRecentSignIn): Promise<void> {
    if (!(await this.passwords.isSet(actor.userId))) requireRecent(true);
    else if (!(await this.passwords.confirm(actor, password))) throw new WrongPassword();
  }

  private ownAccounts(userId: number): number[] {
    const bots = this.accounts.all().filter(({ botOwnerId }) => botOwnerId === userId);
    return [userId, ...bots.map(({ id }) => id)];
  }
}

/** A requested key with parsed scopes. */
type WantedKey = Omit<NewKeyDto, 'scopes'> & { readonly scopes: readonly KeyScope[] };
