import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Database } from '../../../platform/database/database.service';
import { NotLoggedIn } from '../../../platform/errors/shared.errors';
import { Hooks } from '../../../platform/hooks/hooks';
import { RawJson } from '../../../platform/http/envelope.interceptor';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { AccountDirectory, type AccountRecord } from '../accounts/account.directory';
import { UserAccess } from '../access/user.access';
import { newestMessagesPort } from '../users.hooks';
import { recordForAnybody, type RecordOptions, type UserRecord } from './user-records.api';
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
    private readonly organization: OrganizationDirectory,
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
    const visible = await this.visible(actor, userIds);
    const texts = visible.map((account) => this.records.json(actor, account, requested));
    return new RawJson(`[${texts.join(',')}]`);
  }

  /**
   * Records for callers without an account: without addresses and profiles.
   * @throws NotLoggedIn unless the organization is open to them
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
