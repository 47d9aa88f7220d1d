import { Injectable } from '@nestjs/common';
import { ProfileDirectory } from './profile.directory';
import {
  type ListedUser,
  nobodysAccountWire,
  ownAccountWire,
  type ProfileData,
  recordForAnybody,
  type RecordOptions,
  unknownUserRecord,
  userRecord,
  type UserRecord,
  usersState,
  withoutActivity,
} from './user-records.api';
import type { Actor } from '../../../platform/actor';
import {
  initialState,
  stateFor,
  type StateReader,
  type StateRequest,
} from '../../../platform/client-state/initial-state.hooks';
import { Database } from '../../../platform/database/database.service';
import { NotLoggedIn } from '../../../platform/errors/shared.errors';
import { Hooks } from '../../../platform/hooks/hooks';
import { RawJson } from '../../../platform/http/envelope.interceptor';
import type { Queryable } from '../../../platform/sql/queryable';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { UserAccess, UserVisibility } from '../access/user.access';
import { AccountDirectory, type AccountRecord } from '../accounts/account.directory';
import { seesDeliveryEmail, type Viewer } from '../accounts/accounts.api';
import { newestMessagesPort } from '../users.hooks';

/** Options for the records of a list. */
interface TextOptions extends RecordOptions {
  /** Whether to omit if the account is active, because it is implied by the list. */
  readonly withoutActivity?: boolean;
}

/** The JSON of a record, and the profile in it. */
interface CachedText {
  readonly text: string;
  readonly profile: ProfileData | null;
}

/**
 * Builds user records. A record depends on its viewer in only two ways, so its JSON is cached for each of them:
 * building ten thousand records is then a matter of joining strings.
 */
@Injectable()
export class UserRecords {
  /** By account record; a changed account is a new object, and its old JSON is garbage-collected with the old one. */
  private readonly texts = new WeakMap<AccountRecord, (CachedText | undefined)[]>();

  constructor(
    private readonly accounts: AccountDirectory,
    private readonly profiles: ProfileDirectory,
  ) {}

  record(viewer: Viewer, account: AccountRecord, options: RecordOptions): UserRecord {
    const record = userRecord(account, this.accounts.apiEmail(account), {
      deliveryEmail: seesDeliveryEmail(viewer, account),
      clientGravatar: options.clientGravatar,
    });
    const profile = this.profile(account, options);
    return profile ? { ...record, profile_data: profile } : record;
  }

  /** The record for viewers who may only know that the account exists. */
  unknown({ id, isBot }: AccountRecord): UserRecord {
    return unknownUserRecord({ user_id: id, email: this.accounts.placeholderOf(id), is_bot: isBot });
  }

  /** The record as JSON. */
  json(viewer: Viewer, account: AccountRecord, options: TextOptions): string {
    let variants = this.texts.get(account);
    if (!variants) this.texts.set(account, (variants = []));
    const profile = this.profile(account, options);
    const variant =
      (profile ? 8 : 0) +
      (options.withoutActivity ? 4 : 0) +
      (seesDeliveryEmail(viewer, account) ? 2 : 0) +
      (options.clientGravatar ? 1 : 0);
    let cached = variants[variant];
    if (cached?.profile !== profile) {
      variants[variant] = cached = { text: this.write(viewer, account, options), profile };
    }
    return cached.text;
  }

  private write(viewer: Viewer, account: AccountRecord, options: TextOptions): string {
    const record = this.record(viewer, account, options);
    return JSON.stringify(options.withoutActivity ? withoutActivity(record) : record);
  }

  /** Bots have no profile. */
  private profile(account: AccountRecord, { profileData }: RecordOptions): ProfileData | null {
    return profileData && !account.isBot ? this.profiles.of(account.id) : null;
  }
}

/** The caller's own record (`GET /users/me`). */
type OwnRecord = UserRecord & { max_message_id: number };

/** Answers requests for user records: all accounts except system bots, including deactivated ones. */
@Injectable()
export class ReadUsersService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly access: UserAccess,
    private readonly visibility: UserVisibility,
    private readonly records: UserRecords,
    private readonly hooks: Hooks,
    private readonly database: Database,
    private readonly organization: OrganizationDirectory,
  ) {}

  /**
   * Records of everyone whom the caller sees.
   * @param userIds limits the list to these; unknown IDs are ignored
   */
  async list(
    actor: Actor,
    requested: RecordOptions,
    userIds?: readonly number[],
  ): Promise<RawJson<UserRecord[]>> {
    const visible = await this.visible(actor, userIds);
    const texts = visible.map((account) => this.records.json(actor, account, requested));
    return new RawJson(`[${texts.join(',')}]`);
  }

  /**
   * Records for callers without an account: without addresses and profiles.
   * @throws NotLoggedIn unless the organization is web-public
   */
  async listForAnybody(userIds?: readonly number[]): Promise<UserRecord[]> {
    if (!this.organization.isOpenToSpectators) throw new NotLoggedIn();
    const visible = await this.visible(null, userIds);
    return visible.map((account) => recordForAnybody(account, this.accounts.placeholderOf(account.id)));
  }

  /** @throws NoSuchUser, InsufficientPermission */
  async byId(actor: Actor, userId: number, requested: RecordOptions): Promise<RawJson<UserRecord>> {
    return this.single(actor, await this.access.forReading(actor, userId), requested);
  }

  /** @throws NoSuchUser, InsufficientPermission */
  async byEmail(actor: Actor, email: string, requested: RecordOptions): Promise<RawJson<UserRecord>> {
    return this.single(actor, await this.access.forReadingByEmail(actor, email), requested);
  }

  /**
   * The caller's own record with profile data. The newest message is -1 if there is none, or if the key is limited to
   * channels.
   */
  async own(actor: Actor): Promise<RawJson<OwnRecord>> {
    const account = this.accounts.existing(actor.userId);
    const messages = this.hooks.provider(newestMessagesPort);
    const newest = actor.limit?.channelIds ? null : await messages?.newestFor(this.database.read, account.id);
    const record = this.records.json(actor, account, { clientGravatar: false, profileData: true });
    return new RawJson(`${record.slice(0, -1)},"max_message_id":${newest ?? -1}}`);
  }

  private single(actor: Actor, account: AccountRecord, requested: RecordOptions): RawJson<UserRecord> {
    return new RawJson(this.records.json(actor, account, requested));
  }

  private async visible(viewer: Actor | null, userIds?: readonly number[]): Promise<AccountRecord[]> {
    const selected = userIds ? this.byIds(userIds) : this.accounts.all();
    return selected.filter(await this.visibility.filterFor(this.database.read, viewer));
  }

  private byIds(userIds: readonly number[]): AccountRecord[] {
    return [...new Set(userIds)].flatMap((id) => {
      const account = this.accounts.byId(id);
      return account && !account.isSystemBot ? [account] : [];
    });
  }
}

/**
 * The capability of clients that handle missing users; others receive a placeholder for everyone whom they may not see.
 */
const USER_LIST_INCOMPLETE = 'user_list_incomplete';

/** Records as JSON, grouped as clients receive them. */
interface UserLists {
  readonly active: string[];
  readonly deactivated: string[];
}

/** Initial state for clients: their own account, and other users. */
@Injectable()
export class UsersStateService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly records: UserRecords,
    private readonly visibility: UserVisibility,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('realm_user', (db, request) => this.state(db, request)),
    );
  }

  private async state(db: Queryable, request: StateRequest) {
    const { reader } = request;
    const lists = reader ? await this.listsFor(db, reader, request) : await this.listsForAnybody(db, request);
    return usersState(this.own(reader), {
      active: jsonList(lists.active),
      deactivated: jsonList(lists.deactivated),
      systemBots: this.systemBots(reader, request),
    });
  }

  private own(reader: StateReader | null) {
    if (reader === null) return nobodysAccountWire();
    const account = this.accounts.existing(reader.userId);
    return ownAccountWire(account, this.accounts.apiEmail(account));
  }

  private async listsFor(db: Queryable, reader: StateReader, request: StateRequest): Promise<UserLists> {
    const sees = await this.visibility.filterFor(db, reader);
    const options = { clientGravatar: request.clientGravatar, profileData: true, withoutActivity: true };
    return this.lists(request, (account) =>
      sees(account) ? this.records.json(reader, account, options) : null,
    );
  }

  private async listsForAnybody(db: Queryable, request: StateRequest): Promise<UserLists> {
    const sees = await this.visibility.filterFor(db, null);
    return this.lists(request, (account) =>
      sees(account)
        ? JSON.stringify(withoutActivity(recordForAnybody(account, this.accounts.placeholderOf(account.id))))
        : null,
    );
  }

  /** @param text the record of an account, or null for one that the viewer does not see */
  private lists(request: StateRequest, text: (account: AccountRecord) => string | null): UserLists {
    const lists: UserLists = { active: [], deactivated: [] };
    for (const account of this.accounts.all()) {
      const record = text(account);
      if (record !== null) lists[account.isActive ? 'active' : 'deactivated'].push(record);
      else if (!request.capabilities.has(USER_LIST_INCOMPLETE)) {
        lists.active.push(JSON.stringify(withoutActivity(this.records.unknown(account))));
      }
    }
    return lists;
  }

  private systemBots(reader: StateReader | null, { clientGravatar }: StateRequest) {
    return this.accounts
      .systemBots()
      .map((bot) =>
        reader
          ? this.records.record(reader, bot, { clientGravatar })
          : recordForAnybody(bot, this.accounts.apiEmail(bot)),
      );
  }
}

function jsonList(texts: readonly string[]): RawJson<ListedUser[]> {
  return new RawJson(`[${texts.join(',')}]`);
}
