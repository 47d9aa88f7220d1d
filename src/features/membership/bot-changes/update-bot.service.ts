import { Injectable } from '@nestjs/common';
import { type Actor, isOwner, type Role } from '../../../platform/actor';
import { keysOf } from '../../../platform/collections';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import type { UploadedFile } from '../../../platform/http/body/uploaded-file';
import { AuditLog } from '../../audit/audit.module';
import {
  type Account,
  AccountChanges,
  AccountDirectory,
  type AccountRecord,
  ApiKeyService,
  AvatarService,
  avatarUrl,
  BotServices,
  type BotServiceUpdate,
  UserAccess,
} from '../../users/users.module';
import { AccountAuditService } from '../people/update-account.service';
import {
  botAdded,
  type BotRecord,
  botRemoved,
  botUpdated,
  type OwnBotRecord,
  type UpdatedBotWire,
} from '../bots/bot-records.api';
import { BotRecords, BotRules } from '../bots/bots.service';
import { CannotOwnBot } from '../membership.api';
import { ChangeRoleService } from '../roles/change-role.service';

/** The identity of a bot and its owner; omitted properties do not change. */
interface BotIdentity {
  readonly fullName?: string;
  readonly shortName?: string;
  readonly role?: Role;
  readonly ownerId?: number;
}

/** The default channels and the service of a bot; omitted properties do not change. */
interface BotSetup extends BotServiceUpdate {
  /** Names of channels; empty for none. */
  readonly defaultSendingChannel?: string;
  readonly defaultEventsChannel?: string;
  readonly defaultAllPublicChannels?: boolean;
}

/** Changes to a bot; omitted properties do not change. */
export type BotUpdate = BotIdentity & BotSetup;

/** Changes bots (`PATCH /bots/{bot_id}`), for their owners and for administrators. */
@Injectable()
export class UpdateBotService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly accounts: AccountDirectory,
    private readonly access: UserAccess,
    private readonly changes: AccountChanges,
    private readonly avatars: AvatarService,
    private readonly rules: BotRules,
    private readonly roles: ChangeRoleService,
    private readonly records: BotRecords,
    private readonly services: BotServices,
    private readonly audit: AccountAuditService,
  ) {}

  /**
   * Makes all changes or none.
   * @returns the changed bot, as sent to clients
   * @throws NoSuchBot, InsufficientPermission, MustBeOwner, InvalidFullName, NameInUse, BadNameOrUsername, EmailInUse,
   * MustBeAdministrator, CannotOwnBot, InvalidChannelName, InvalidInterfaceType
   */
  async update(
    actor: Actor,
    botId: number,
    update: BotUpdate,
    picture: UploadedFile | null,
  ): Promise<UpdatedBotWire> {
    this.access.forBotAdministration(actor, botId);
    const avatarKey = picture && (await this.avatars.store(actor, picture));
    let unused = avatarKey;
    try {
      return await this.transactions.runExclusive(async (tx) => {
        const current = this.access.current(actor);
        const row = await this.changes.load(tx, this.access.forBotAdministration(current, botId).id);
        const before = { ...row };
        await this.changeIdentity(tx, current, row, update);
        await this.changeSetup(tx, current, row, update);
        if (avatarKey !== null) await this.avatars.use(tx, row, avatarKey);
        await this.changes.save(tx, row);
        this.audit.record(tx, current, before, row);
        if (avatarKey !== null) unused = before.avatarKey;
        return this.answer(row, update);
      });
    } finally {
      await this.avatars.discard(unused);
    }
  }

  private async changeIdentity(
    tx: Transaction,
    actor: Actor,
    row: Account,
    { fullName, shortName, role, ownerId }: BotIdentity,
  ): Promise<void> {
    if (fullName !== undefined) {
      this.rules.requireFreeName(this.rules.checkedName(fullName), row.id);
      await this.changes.rename(tx, row, fullName);
    }
    if (shortName !== undefined) await this.changes.changeEmail(tx, row, this.rules.addressFor(shortName));
    if (role !== undefined) await this.roles.change(tx, actor, row, role);
    if (ownerId !== undefined && ownerId !== row.botOwnerId) {
      const owner = this.newOwner(ownerId);
      await this.handOver(tx, row, owner);
      // Unless an administrator decides otherwise, a bot never has more rights than its owner.
      if (role === undefined) await this.roles.lower(tx, actor, row, owner.role);
    }
  }

  /** Administrators see the bot in any case; only owners who are not administrators lose or gain it. */
  private async handOver(tx: Transaction, row: Account, owner: AccountRecord): Promise<void> {
    const before = row.botOwnerId;
    row.botOwnerId = owner.id;
    if (before !== null && !this.accounts.administrators.has(before)) {
      tx.emit(botRemoved({ bot: { user_id: row.id } }), Audience.of([before]));
    }
    if (!this.accounts.administrators.has(owner.id)) {
      tx.emit(botAdded({ bot: await this.records.record(tx, row) }), Audience.of([owner.id]));
    }
    await this.changes.announce(tx, row, { bot_owner_id: owner.id });
  }

  private newOwner(ownerId: number): AccountRecord {
    const owner = this.accounts.byId(ownerId);
    if (!owner || owner.isSystemBot) throw new CannotOwnBot('no such user');
    if (!owner.isActive) throw new CannotOwnBot('user is deactivated');
    if (owner.isBot) throw new CannotOwnBot("bots can't own other bots");
    return owner;
  }

  /** Emits the change to the people who administer the bot. */
  private async changeSetup(tx: Transaction, actor: Actor, row: Account, setup: BotSetup): Promise<void> {
    const before = this.records.defaults(row);
    if (setup.defaultSendingChannel !== undefined) {
      row.defaultSendingChannelId = this.rules.channelId(actor, setup.defaultSendingChannel);
    }
    if (setup.defaultEventsChannel !== undefined) {
      row.defaultEventsChannelId = this.rules.channelId(actor, setup.defaultEventsChannel);
    }
    row.defaultAllPublicChannels = setup.defaultAllPublicChannels ?? row.defaultAllPublicChannels;
    const after = this.records.defaults(row);
    for (const key of keysOf(after)) {
      if (after[key] !== before[key]) this.announce(tx, row, { [key]: after[key] });
    }
    if (setup.payloadUrl === undefined && !setup.config) return;
    if (!(await this.services.update(tx, row.id, setup))) return;
    this.audit.recordService(tx, actor, row, setup);
    const { services } = await this.records.record(tx, row);
    this.announce(tx, row, { services });
  }

  private announce(tx: Transaction, row: Account, changed: Partial<BotRecord>): void {
    tx.emit(botUpdated({ bot: { user_id: row.id, ...changed } }), this.records.audienceOf(row));
  }

  private answer(row: Account, update: BotUpdate): UpdatedBotWire {
    const owner = row.botOwnerId === null ? undefined : this.accounts.byId(row.botOwnerId);
    return {
      full_name: row.fullName,
      avatar_url: avatarUrl(row),
      service_interface: update.interfaceType,
      service_payload_url: update.payloadUrl ?? null,
      config_data: update.config ?? null,
      ...this.records.defaults(row),
      ...(owner ? { bot_owner: this.accounts.apiEmail(owner) } : {}),
    };
  }
}

/** Lists bots for their owners, and returns and replaces the keys of bots. */
@Injectable()
export class BotKeysService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly accounts: AccountDirectory,
    private readonly access: UserAccess,
    private readonly records: BotRecords,
    private readonly apiKeys: ApiKeyService,
    private readonly audit: AuditLog,
  ) {}

  /** The caller's own active bots, except those whose keys only owners may see. */
  own(actor: Actor): OwnBotRecord[] {
    return this.accounts
      .all()
      .filter(({ isBot, isActive, botOwnerId }) => isBot && isActive && botOwnerId === actor.userId)
      .filter((bot) => isOwner(actor) || !this.access.isForOwners(bot))
      .map((bot) => this.records.own(bot));
  }

  /** @throws NoSuchBot, InsufficientPermission, MustBeOwner */
  async keyOf(actor: Actor, botId: number): Promise<string> {
    const bot = this.access.forBotAdministration(actor, botId);
    await this.transactions.run(async (tx) =>
      this.audit.record(tx, actor, 'user.key_read', { userId: bot.id }),
    );
    return this.records.apiKey(bot);
  }

  /** @returns the new key. @throws NoSuchBot, InsufficientPermission, MustBeOwner */
  async regenerate(actor: Actor, botId: number): Promise<string> {
    const { id } = this.access.forBotAdministration(actor, botId);
    return this.apiKeys.regenerate(actor, id);
  }
}
