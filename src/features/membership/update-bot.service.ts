import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { TransactionService, type Transaction } from '../../platform/database/transaction.service';
import type { UploadedFile } from '../../platform/http/body/uploaded-file';
import {
  type Account,
  AccountChanges,
  AccountDirectory,
  AvatarService,
  avatarUrl,
  UserAccess,
} from '../users';
import type { UpdatedBotWire } from './bot.wire';
import { BotIdentityService, type BotIdentity } from './bot-identity.service';
import { BotSetupService, type BotSetup } from './bot-setup.service';

/** What changes about a bot; what is left out stays. */
export type BotUpdate = BotIdentity & BotSetup;

/** Changes bots (`PATCH /bots/{bot_id}`): their owners do, and administrators. */
@Injectable()
export class UpdateBotService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly accounts: AccountDirectory,
    private readonly access: UserAccess,
    private readonly changes: AccountChanges,
    private readonly avatars: AvatarService,
    private readonly identity: BotIdentityService,
    private readonly setup: BotSetupService,
  ) {}

  /**
   * All or nothing.
   * @returns the bot as it is now, in the words of the wire
   * @throws NoSuchBot, InsufficientPermission, MustBeOwner, and what BotIdentityService and BotSetupService throw
   */
  async update(
    actor: Actor,
    botId: number,
    update: BotUpdate,
    picture: UploadedFile | null,
  ): Promise<UpdatedBotWire> {
    this.access.forBotAdministration(actor, botId);
    const avatarKey = picture && (await this.avatars.store(picture));
    let unused = avatarKey;
    try {
      return await this.transactions.runExclusive(async (tx) => {
        const current = this.access.current(actor);
        const row = await this.changes.load(tx, this.access.forBotAdministration(current, botId).id);
        const before = row.avatarKey;
        await this.apply(tx, current, row, update, avatarKey);
        if (avatarKey !== null) unused = before;
        return this.answer(row, update);
      });
    } finally {
      await this.avatars.discard(unused);
    }
  }

  private async apply(
    tx: Transaction,
    actor: Actor,
    row: Account,
    update: BotUpdate,
    avatarKey: string | null,
  ): Promise<void> {
    await this.identity.apply(tx, actor, row, update);
    await this.setup.apply(tx, actor, row, update);
    if (avatarKey !== null) await this.avatars.use(tx, row, avatarKey);
    await this.changes.save(tx, row);
  }

  private answer(row: Account, update: BotUpdate): UpdatedBotWire {
    const owner = row.botOwnerId === null ? undefined : this.accounts.byId(row.botOwnerId);
    return {
      full_name: row.fullName,
      avatar_url: avatarUrl(row),
      service_interface: update.interfaceType,
      service_payload_url: update.payloadUrl ?? null,
      config_data: update.config ?? null,
      ...this.setup.defaults(row),
      ...(owner ? { bot_owner: this.accounts.apiEmail(owner) } : {}),
    };
  }
}
