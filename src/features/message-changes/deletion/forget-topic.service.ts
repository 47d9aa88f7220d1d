import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { chunksOf } from '../../../platform/collections';
import { Database } from '../../../platform/database/database.service';
import { TransactionService, type Transaction } from '../../../platform/database/transaction.service';
import { MessageAccess } from '../../messages/messages.module';
import { TopicRowsService, TopicVisibility, UserTopicsService } from '../../channels/channels.module';
import { AccountDirectory } from '../../users/users.module';

const PEOPLE_PER_STEP = 100;

/** Forgets what people have said about a topic of which they see nothing any more. */
@Injectable()
export class ForgetTopicService {
  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly accounts: AccountDirectory,
    private readonly access: MessageAccess,
    private readonly topics: TopicRowsService,
    private readonly policies: UserTopicsService,
    private readonly clock: Clock,
  ) {}

  /** To be called after messages of the topic were deleted; works in steps between which others can write. */
  async forget(channelId: number, topic: string): Promise<void> {
    const said = await this.policies.policiesFor(this.database.read, channelId, topic);
    for (const userIds of chunksOf([...said.keys()], PEOPLE_PER_STEP)) {
      await this.transactions.run(async (tx) => {
        const blind = await this.blindAmong(tx, userIds, channelId, topic);
        const policy = TopicVisibility.none;
        const lastUpdated = this.clock.nowSeconds();
        await this.policies.setForAll(tx, blind, { channelId, topic, policy, lastUpdated });
      });
    }
  }

  private async blindAmong(
    tx: Transaction,
    userIds: readonly number[],
    channelId: number,
    topic: string,
  ): Promise<number[]> {
    const row = await this.topics.byName(tx, channelId, topic);
    const said = await this.policies.policiesFor(tx, channelId, topic, userIds);
    const blind: number[] = [];
    for (const userId of said.keys()) {
      const account = this.accounts.byId(userId);
      const reader = account && { userId, role: account.role };
      if (!row || !reader || !(await this.access.seesTopic(tx, reader, row))) blind.push(userId);
    }
    return blind;
  }
}
