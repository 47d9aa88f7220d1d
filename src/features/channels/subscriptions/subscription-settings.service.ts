import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { TransactionService, type Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import type { EmitOptions } from '../../../platform/events/server-event';
import { ChannelAccess } from '../access/channel.access';
import { NotSubscribed } from '../store/channel-errors.api';
import { FOR_ARCHIVED_CHANNELS, subscriptionUpdated } from '../store/channel-records.api';
import { BOOLEAN_COLUMNS, type SettingChange } from './personal-settings';

/** Changes what people set for themselves in a channel. */
@Injectable()
export class SubscriptionSettingsService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly access: ChannelAccess,
  ) {}

  /**
   * Makes all changes in their order or, on any error, none. Equal values are written and told as well.
   * @throws InvalidChannelId, NotSubscribed
   */
  async change(actor: Actor, changes: readonly SettingChange[]): Promise<void> {
    const receiver = Audience.of([actor.userId]);
    await this.transactions.run(async (tx) => {
      for (const change of changes) await this.apply(tx, actor, receiver, change);
    });
  }

  private async apply(
    tx: Transaction,
    actor: Actor,
    receiver: Audience,
    change: SettingChange,
  ): Promise<void> {
    const { channelId, property, value } = change;
    const channel = this.access.forContent(actor, channelId, { archived: true });
    const options: EmitOptions = channel.isArchived ? FOR_ARCHIVED_CHANNELS : {};
    const column = property === 'color' ? property : BOOLEAN_COLUMNS[property];
    const stored = property === 'in_home_view' ? !value : value;
    const rows = await tx.query(
      `UPDATE subscription SET ${column} = ? WHERE user_id = ? AND channel_id = ? AND is_active = ? RETURNING id`,
      [stored, actor.userId, channelId, true],
    );
    if (rows.length === 0) throw new NotSubscribed(channelId);
    if (column === 'is_muted') {
      tx.emit(subscriptionUpdated(channelId, 'in_home_view', !stored), receiver, options);
      tx.emit(subscriptionUpdated(channelId, 'is_muted', stored), receiver, options);
    } else {
      tx.emit(subscriptionUpdated(channelId, property, value), receiver, options);
    }
  }
}
