import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { type AuditAction, AuditLog, differences } from '../../audit/audit.module';
import {
  channelChanged,
  type ChannelChanged,
  channelsCreated,
  type SubscriptionChange,
  usersSubscribed,
  usersUnsubscribed,
} from '../channels.hooks';
import type { ChannelState } from '../store/channel-settings.service';

/**
 * Records changes to channels, and subscriptions and removals by others. Joining and leaving by oneself is too frequent
 * to record, and affects no one else.
 */
@Injectable()
export class ChannelAuditService {
  constructor(
    private readonly audit: AuditLog,
    hooks: Hooks,
  ) {
    hooks.on(channelChanged, (tx, change) => this.changed(tx, change));
    hooks.on(channelsCreated, (tx, { actor, created }) =>
      this.moved(tx, actor, 'channel.subscriber_added', created),
    );
    hooks.on(usersSubscribed, (tx, { actor, subscriptions }) =>
      this.moved(tx, actor, 'channel.subscriber_added', subscriptions),
    );
    hooks.on(usersUnsubscribed, (tx, { actor, removals }) =>
      this.moved(tx, actor, 'channel.subscriber_removed', removals),
    );
  }

  private async changed(tx: Transaction, { actor, before, after }: ChannelChanged): Promise<void> {
    const { id } = after.channel;
    if (before.channel.isArchived !== after.channel.isArchived) {
      const action = after.channel.isArchived ? 'channel.archived' : 'channel.unarchived';
      this.audit.record(tx, actor, action, { id });
    }
    const changed = differences(audited(before), audited(after));
    if (changed) this.audit.record(tx, actor, 'channel.changed', { id }, changed);
  }

  private async moved(
    tx: Transaction,
    actor: Actor,
    action: AuditAction,
    changes: readonly SubscriptionChange[],
  ): Promise<void> {
    for (const { channel, userIds } of changes) {
      const others = userIds.filter((userId) => userId !== actor.userId);
      if (others.length > 0) this.audit.record(tx, actor, action, { id: channel.id, userId: others });
    }
  }
}

/** What is recorded of a channel where it changes. */
function audited({ channel, settings }: ChannelState) {
  return {
    name: channel.name,
    description: channel.description,
    is_private: channel.isPrivate,
    is_web_public: channel.isWebPublic,
    is_history_public: channel.isHistoryPublicToSubscribers,
    is_default: channel.isDefault,
    message_retention_days: channel.messageRetentionDays,
    folder_id: channel.folderId,
    topics_policy: channel.topicsPolicy,
    ...settings,
  };
}
