import { Injectable } from '@nestjs/common';
import { ChannelActivityService } from '../../channels/channels.module';
import type { Actor } from '../../../platform/actor';
import { Database } from '../../../platform/database/database.service';
import { TransactionService, type Transaction } from '../../../platform/database/transaction.service';
import type { AttachmentWire } from '../../uploads/uploads.module';
import { ApplyEditService } from './apply-edit.service';
import { ChannelRowsService } from '../locks/channel-rows.service';
import { changesChannel, isOnlyMark, type EditRequest, type PlannedEdit } from '../rights/planned-edit';
import type { WantedNotices } from '../moves/move-notices.service';
import { MovedReadingService } from '../moves/moved-reading.service';
import { PlanEditService } from './plan-edit.service';

/** Moving a very large topic can take long on a busy PostgreSQL; only writers to that topic wait. */
const MAX_MOVE_MS = 60_000;

/** Changes the content of a message, or the topic and channel of it and of others with it. */
@Injectable()
export class UpdateMessageService {
  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly planning: PlanEditService,
    private readonly applying: ApplyEditService,
    private readonly reading: MovedReadingService,
    private readonly activity: ChannelActivityService,
    private readonly channelRows: ChannelRowsService,
  ) {}

  /**
   * @returns files of the caller that no message links any more
   * @throws ApiError, see rights.api.ts
   */
  async update(
    actor: Actor,
    messageId: number,
    request: EditRequest,
    wanted: WantedNotices,
  ): Promise<readonly AttachmentWire[]> {
    const { planned, content } = await this.planning.check(actor, messageId, request);
    const isExpected = await this.expectsExclusive(planned, wanted);
    const work = async (tx: Transaction) => {
      const locked = await this.planning.lock(tx, actor, { messageId, request, content });
      const applied = await this.applying.apply(tx, actor, locked, wanted);
      const { detachedUploads, moved } = applied;
      if (moved) await this.reading.enqueue(tx, moved.done, moved.told);
      return detachedUploads;
    };
    const options = planned.move ? { limitMs: MAX_MOVE_MS } : undefined;
    return this.transactions.runUpgradable(isExpected, work, options);
  }

  /** Whether the edit is likely to change the rows of channels. */
  private async expectsExclusive(
    { message, move }: PlannedEdit,
    { inOldTopic, inNewTopic }: WantedNotices,
  ): Promise<boolean> {
    if (!move) return false;
    const { from, to, mode } = move;
    const isMark = isOnlyMark(move);
    if ((isMark || inNewTopic) && this.activity.isDue(to)) return true;
    if (!isMark && inOldTopic && this.activity.isDue(from)) return true;
    if (!changesChannel(move)) return false;
    if (this.channelRows.isLivelier(to, message)) return true;
    const oldest = mode === 'change_all' ? await this.oldestOf(message.topicId) : message.id;
    return oldest === from.firstMessageId || to.firstMessageId === null || oldest < to.firstMessageId;
  }

  private async oldestOf(topicId: number | null): Promise<number> {
    const [row] = await this.database.read.query<{ id: number | null }>(
      'SELECT MIN(id) AS id FROM message WHERE topic_id = ?',
      [topicId],
    );
    return row?.id ?? 0;
  }
}
