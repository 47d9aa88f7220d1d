import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { Database } from '../../platform/database/database.service';
import type { Queryable } from '../../platform/sql/queryable';
import { TransactionService } from '../../platform/database/transaction.service';
import { ChannelAccess, TopicRowsService } from '../channels/channels.module';
import { MarkReadService, type ReadingPlace } from '../messages/messages.module';
import { OrganizationDirectory } from '../organization-settings/organization-settings.module';
import { NoSuchTopic } from './flags.api';

/** Marks everything as read that is in a place, or anywhere. */
@Injectable()
export class MarkAsReadService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly database: Database,
    private readonly channels: ChannelAccess,
    private readonly organization: OrganizationDirectory,
    private readonly reading: MarkReadService,
    private readonly topics: TopicRowsService,
  ) {}

  async all(actor: Actor): Promise<void> {
    await this.transactions.run((tx) => this.reading.markAll(tx, actor.userId));
  }

  /** @throws InvalidChannelId */
  async channel(actor: Actor, channelId: number): Promise<void> {
    const { id } = this.channels.forContent(actor, channelId, { archived: true });
    await this.inSteps(actor, { channelId: id });
  }

  /**
   * @param name the display name of the empty topic means that one; nothing at all means the whole channel
   * @throws InvalidChannelId, NoSuchTopic
   */
  async topic(actor: Actor, channelId: number, name: string): Promise<void> {
    if (name === '') {
      await this.channel(actor, channelId);
      return;
    }
    const { id } = this.channels.forContent(actor, channelId, { archived: true });
    const place = await this.findTopic(this.database.read, actor.userId, id, name);
    await this.inSteps(actor, place);
  }

  /** In several transactions where there is much, so that others need not wait for all of it. */
  private async inSteps(actor: Actor, place: ReadingPlace): Promise<void> {
    for (let from: number | null = 1; from !== null;) {
      const next: number = from;
      from = await this.transactions.run((tx) => this.reading.markSome(tx, actor.userId, place, next));
    }
  }

  private async findTopic(
    db: Queryable,
    userId: number,
    channelId: number,
    name: string,
  ): Promise<ReadingPlace> {
    const isEmptyTopic = name === this.organization.settings.empty_topic_display_name;
    const topicId = (await this.topics.byName(db, channelId, isEmptyTopic ? '' : name))?.id ?? null;
    const place = topicId === null ? null : { channelId, topicId };
    if (!place || !(await this.reading.hasTopic(db, userId, place))) throw new NoSuchTopic(name);
    return place;
  }
}
