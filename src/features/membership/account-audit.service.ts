import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import type { Transaction } from '../../platform/database/transaction.service';
import { AuditLog, differences } from '../audit/audit.module';
import type { Account, BotServiceUpdate } from '../users/users.module';

/**
 * Records changes to an account, from its row before and after. Omits names and addresses: they identify the person,
 * and would outlive the account. Roles and keys are recorded elsewhere.
 */
@Injectable()
export class AccountAuditService {
  constructor(private readonly audit: AuditLog) {}

  /** Within the caller's transaction. */
  record(tx: Transaction, actor: Actor, before: Readonly<Account>, after: Account): void {
    const target = { userId: after.id };
    if (before.fullName !== after.fullName) {
      this.audit.record(tx, actor, 'user.renamed', target);
    }
    if (before.avatarKey !== after.avatarKey && actor.userId !== after.id) {
      this.audit.record(tx, actor, 'user.profile_changed', target, { picture: true });
    }
    if (before.deliveryEmail !== after.deliveryEmail) {
      this.audit.record(tx, actor, 'user.email_changed', target);
    }
    if (before.passwordHash !== after.passwordHash) {
      this.audit.record(tx, actor, 'user.password_changed', target);
    }
    if (before.canCreateUsers !== after.canCreateUsers) {
      const details = { to: after.canCreateUsers };
      this.audit.record(tx, actor, 'user.can_create_users_changed', target, details);
    }
    if (before.botOwnerId !== after.botOwnerId) {
      const details = { from: before.botOwnerId, to: after.botOwnerId };
      this.audit.record(tx, actor, 'user.owner_changed', target, details);
    }
    const setup = differences(setupOf(before), setupOf(after));
    if (setup) this.audit.record(tx, actor, 'user.bot_changed', target, setup);
  }

  /** The address of a webhook may hold a secret, as may its configuration: only that they changed is recorded. */
  recordService(tx: Transaction, actor: Actor, bot: Account, { payloadUrl, config }: BotServiceUpdate): void {
    const details = { payload_url: payloadUrl !== undefined, config: config !== undefined };
    this.audit.record(tx, actor, 'user.bot_changed', { userId: bot.id }, details);
  }
}

/** Where a bot posts and listens. */
function setupOf(row: Readonly<Account>) {
  return {
    sending_channel: row.defaultSendingChannelId,
    events_channel: row.defaultEventsChannelId,
    all_public_channels: row.defaultAllPublicChannels,
  };
}
