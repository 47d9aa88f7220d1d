import { Injectable } from '@nestjs/common';
import { isOwner, type Actor } from '../../../platform/actor';
import { TransactionService } from '../../../platform/database/transaction.service';
import { AuditLog } from '../../audit/audit.module';
import { AccountDirectory, ApiKeyService, UserAccess } from '../../users/users.module';
import type { OwnBotRecord } from '../bots/bot-records.api';
import { BotRecords } from '../bots/bot-records.service';

/** Lists bots for their owners, and shows and replaces the keys of bots. */
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

  /** The caller's own active bots, without those whose keys only owners may see. */
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
