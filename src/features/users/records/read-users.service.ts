import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Database } from '../../../platform/database/database.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { RawJson } from '../../../platform/http/envelope.interceptor';
import { AccountDirectory, type AccountRecord } from '../accounts/account.directory';
import { UserAccess } from '../access/user.access';
import { newestMessagesPort } from '../users.hooks';
import type { UserRecord, RecordOptions } from './user-records.api';
import { UserRecords } from './user-records.service';
import { UserVisibility } from '../access/user-visibility.service';

/** The caller's own record (`GET /users/me`). */
type OwnRecord = UserRecord & { max_message_id: number };

/** Answers requests for user records: of all accounts except system bots, deactivated ones included. */
@Injectable()
export class ReadUsersService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly access: UserAccess,
    private readonly visibility: UserVisibility,
    private readonly records: UserRecords,
    private readonly hooks: Hooks,
    private readonly database: Database,
  ) {}

  /**
   * Records of everybody whom the caller sees.
   * @param userIds limits the list to these; unknown IDs are ignored
   */
  async list(
    actor: Actor,
    requested: RecordOptions,
    userIds?: readonly number[],
  ): Promise<RawJson<UserRecord[]>> {
    const selected = userIds ? this.byIds(userIds) : this.accounts.all();
    const sees = await this.visibility.filterFor(this.database.read, actor);
    const texts = selected.filter(sees).map((account) => this.records.json(actor, account, requested));
    return new RawJson(`[${texts.join(',')}]`);
  }

  /** @throws NoSuchUser, InsufficientPermission */
  async byId(actor: Actor, userId: number, requested: RecordOptions): Promise<RawJson<UserRecord>> {
    return this.single(actor, await this.access.forReading(actor, userId), requested);
  }

  /** @throws NoSuchUser, InsufficientPermission */
  async byEmail(actor: Actor, email: string, requested: RecordOptions): Promise<RawJson<UserRecord>> {
    return this.single(actor, await this.access.forReadingByEmail(actor, email), requested);
  }

  /** The caller's own record with profile data; the newest message is -1 if there is none. */
  async own(actor: Actor): Promise<RawJson<OwnRecord>> {
    const account = this.accounts.existing(actor.userId);
    const messages = this.hooks.provider(newestMessagesPort);
    const newest = await messages?.newestFor(this.database.read, account.id);
    const record = this.records.json(actor, account, { clientGravatar: false, profileData: true });
    return new RawJson(`${record.slice(0, -1)},"max_message_id":${newest ?? -1}}`);
  }

  private single(actor: Actor, account: AccountRecord, requested: RecordOptions): RawJson<UserRecord> {
    return new RawJson(this.records.json(actor, account, requested));
  }

  private byIds(userIds: readonly number[]): AccountRecord[] {
    return [...new Set(userIds)].flatMap((id) => {
      const account = this.accounts.byId(id);
      return account && !account.isSystemBot ? [account] : [];
    });
  }
}
