import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { Database } from '../../../platform/database/database.service';
import { TransactionService } from '../../../platform/database/transaction.service';
import { ProcessPurpose } from '../../../platform/lifecycle/process-purpose';
import { PeriodicTask } from '../../../platform/lifecycle/periodic-task';
import { ChannelDirectory } from '../../channels';
import { OrganizationDirectory } from '../../organization-settings';
import { ChannelRowsService } from '../locks/channel-rows.service';
import { ExpireMessagesService } from './expire-messages.service';

const INTERVAL_MS = 3_600_000;
const CONVERSATIONS_PER_STEP = 200;

/** What stands for keeping messages for ever. */
const UNLIMITED = -1;

/**
 * Deletes messages that are older than their channel keeps them, or than the organization does where the channel says
 * nothing; direct messages follow the organization. As in Zulip, clients are not told: they learn of it when they load
 * messages the next time, and nobody gets thousands of events at once.
 */
@Injectable()
export class RetentionService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task = new PeriodicTask('Retention', () => this.expire());

  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly channels: ChannelDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly expiring: ExpireMessagesService,
    private readonly channelRows: ChannelRowsService,
    private readonly clock: Clock,
    private readonly purpose: ProcessPurpose,
  ) {}

  onApplicationBootstrap(): void {
    if (this.purpose.isServer) this.task.start(INTERVAL_MS, { atOnce: true });
  }

  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }

  /** Deletes everything that is due by now, in small steps. */
  async expire(): Promise<void> {
    const now = this.clock.nowSeconds();
    for (const { id } of [...this.channels.all()]) {
      if (this.task.isStopping) return;
      const before = this.channels.byId(id)?.firstMessageId;
      await this.expiring.expire(now, { channelId: id }, () => this.daysOf(id));
      if (this.channels.byId(id)?.firstMessageId !== before) {
        await this.transactions.run((tx) => this.channelRows.tellFirst(tx, id));
      }
    }
    await this.expireConversations(now);
  }

  private async expireConversations(now: number): Promise<void> {
    let lastId = 0;
    while (!this.task.isStopping && this.daysOf(null) !== null) {
      const rows = await this.database.read.query<{ id: number }>(
        'SELECT id FROM direct_conversation WHERE id > ? ORDER BY id LIMIT ?',
        [lastId, CONVERSATIONS_PER_STEP],
      );
      const ids = rows.map(({ id }) => id);
      if (ids.length === 0) return;
      await this.expiring.expire(now, { conversationIds: ids }, () => this.daysOf(null));
      lastId = Math.max(...ids);
    }
  }

  /**
   * For how many days messages are kept as things stand; null for ever, and once the server stops.
   * @param channelId null for direct messages
   */
  private daysOf(channelId: number | null): number | null {
    const own = channelId === null ? null : this.channels.byId(channelId)?.messageRetentionDays;
    const days = own ?? this.organization.settings.message_retention_days;
    return this.task.isStopping || days === UNLIMITED ? null : days;
  }
}
