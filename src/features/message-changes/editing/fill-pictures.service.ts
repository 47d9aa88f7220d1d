import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { Database } from '../../../platform/database/database.service';
import { TransactionService, type Transaction } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { defineJob, type RunningJob } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import {
  FlaggedEventsService,
  mayAwaitPictures,
  MessageAudienceService,
  MessageRendererService,
  MessageRowsService,
} from '../../messages/messages.module';
import { picturesSettled, type SettledPictures } from '../../uploads/uploads.module';
import { MessageLocksService } from '../locks/message-locks.service';
import { pictureShown } from '../message-changes.api';

/** What was settled, and the message up to which those that wait for it are done. */
type PicturesToFill = SettledPictures & { readonly doneUpTo: number };

/** Puts pictures into messages that were sent before they were ready. */
const fillPictures = defineJob<PicturesToFill>('fill_pictures');

const RETRY = { delaysMs: [2_000, 30_000, 300_000] };
const MAX_WORK_MS = 10 * 60_000;

/** Messages between two steps that are stored. */
const MESSAGES_PER_STEP = 50;

/** Shows pictures in messages once smaller versions of them are there: few messages are sent before that. */
@Injectable()
export class FillPicturesService {
  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly locks: MessageLocksService,
    private readonly rows: MessageRowsService,
    private readonly renderer: MessageRendererService,
    private readonly audiences: MessageAudienceService,
    private readonly events: FlaggedEventsService,
    private readonly clock: Clock,
    jobs: Jobs,
    hooks: Hooks,
  ) {
    jobs.handle(fillPictures, {
      work: (job) => this.fillAll(job),
      retry: RETRY,
      timeoutMs: MAX_WORK_MS,
      stopsAtOnce: true,
    });
    hooks.on(picturesSettled, async (tx, what) => {
      await jobs.enqueue(tx, { kind: fillPictures, data: { ...what, doneUpTo: 0 } });
    });
  }

  private async fillAll(job: RunningJob<PicturesToFill>): Promise<void> {
    let { doneUpTo } = job.data;
    for (;;) {
      const messageIds = await this.waiting(job.data, doneUpTo);
      if (messageIds.length === 0) return;
      for (const messageId of messageIds) {
        job.signal.throwIfAborted();
        await this.transactions.run((tx) => this.fill(tx, messageId));
      }
      doneUpTo = messageIds.at(-1)!;
      if (!(await job.save({ ...job.data, doneUpTo }))) return;
    }
  }

  private async waiting(what: SettledPictures, doneUpTo: number): Promise<number[]> {
    if ('messageIds' in what) {
      return what.messageIds.filter((id) => id > doneUpTo).slice(0, MESSAGES_PER_STEP);
    }
    const rows = await this.database.read.query<{ id: number }>(
      `SELECT m.id FROM attachment_message l JOIN message m ON m.id = l.message_id
       WHERE l.attachment_id = ? AND m.id > ? AND m.rendered_content LIKE '%image-loading-placeholder%'
       ORDER BY m.id LIMIT ${MESSAGES_PER_STEP}`,
      [what.attachmentId, doneUpTo],
    );
    return rows.map(({ id }) => id);
  }

  private async fill(tx: Transaction, messageId: number): Promise<void> {
    const [place] = await this.locks.lock(tx, [messageId], { purpose: 'edit' });
    const message = place && (await this.rows.find(tx, messageId));
    if (!message || !mayAwaitPictures(message.renderedContent)) return;
    const renderedContent = await this.renderer.withPictures(tx, message.renderedContent);
    if (renderedContent === message.renderedContent) return;
    await this.rows.replaceRendering(tx, messageId, renderedContent);
    const audience = await this.audiences.of(tx, message);
    const shown = pictureShown({ ...message, renderedContent }, this.clock.nowSeconds());
    await this.events.emit(tx, messageId, audience, shown);
  }
}
