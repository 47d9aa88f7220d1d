import { Injectable } from '@nestjs/common';
import type { Actor, Role } from '../../platform/actor';
import type { Transaction } from '../../platform/database/transaction.service';
import { Audience } from '../../platform/events/audience';
import { type Account, AccountChanges, AccountDirectory, type AccountRecord } from '../users';
import { botAdded, botRemoved } from './bot.events';
import { BotRecords } from './bot-records.service';
import { BotRules } from './bot-rules.service';
import { ChangeRoleService } from './change-role.service';
import { CannotOwnBot } from './membership.errors';

/** Who a bot is and to whom it belongs; what is left out stays. */
export interface BotIdentity {
  readonly fullName?: string;
  readonly shortName?: string;
  readonly role?: Role;
  readonly ownerId?: number;
}

/** Changes who a bot is, on its row within the caller's transaction. */
@Injectable()
export class BotIdentityService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly changes: AccountChanges,
    private readonly rules: BotRules,
    private readonly roles: ChangeRoleService,
    private readonly records: BotRecords,
  ) {}

  /** @throws InvalidFullName, NameInUse, BadNameOrUsername, EmailInUse, MustBeOwner, MustBeAdministrator, CannotOwnBot */
  async apply(tx: Transaction, actor: Actor, row: Account, identity: BotIdentity): Promise<void> {
    if (identity.fullName !== undefined) {
      this.rules.requireFreeName(this.rules.checkedName(identity.fullName), row.id);
      await this.changes.rename(tx, row, identity.fullName);
    }
    if (identity.shortName !== undefined) {
      await this.changes.changeEmail(tx, row, this.rules.addressFor(identity.shortName));
    }
    if (identity.role !== undefined) await this.roles.change(tx, actor, row, identity.role);
    if (identity.ownerId !== undefined && identity.ownerId !== row.botOwnerId) {
      await this.handOver(tx, row, this.newOwner(identity.ownerId));
    }
  }

  /** Administrators have the bot in their lists either way; only plain owners lose or gain it. */
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
}
