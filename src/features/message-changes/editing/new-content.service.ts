import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { Database } from '../../../platform/database/database.service';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { defineJob, type RunningJob } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import type { Queryable } from '../../../platform/sql/queryable';
import {
  EditedContentService,
  FlaggedEventsService,
  mayAwaitPictures,
  groupsNamedIn,
  MentionAccess,
  MessageAudienceService,
  messageEdited,
  MessageRendererService,
  MessageRowsService,
  MessageTextService,
  namedIn,
  type ReadableMessage,
  type ReplacingContent,
} from '../../messages/messages.module';
import {
  type AttachmentWire,
  picturesSettled,
  type SettledPictures,
  UnlinkedUploadsService,
} from '../../uploads/uploads.module';
import { AccountDirectory } from '../../users/users.module';
import { MessageLocksService } from '../locks/message-locks.service';
import { pictureShown } from '../message-changes.api';

/** New content of a message, ready to be written. */
export type NewContent = Omit<ReplacingContent, 'editedAt'>;

/** The result of replacing content. */
interface ReplacedContent {
  /** The sender's files that no message links any more. */
  readonly detachedUploads: readonly AttachmentWire[];
  /** Recipients whom the new content mentions by name and the old one did not. */
  readonly newlyMentioned: ReadonlySet<number>;
}

/** Renders new content of messages, checks its mentions, and replaces the old content. */
@Injectable()
export class NewContentService {
  constructor(
    private readonly database: Database,
    private readonly texts: MessageTextService,
    private readonly mentions: MentionAccess,
    private readonly edited: EditedContentService,
    private readonly flags: FlaggedEventsService,
    private readonly hooks: Hooks,
    private readonly uploads: UnlinkedUploadsService,
    private readonly accounts: AccountDirectory,
  ) {}

  /**
   * @param content normalized
   * @throws ChannelWildcardNotAllowed, TopicWildcardNotAllowed, GroupMentionNotAllowed
   */
  async prepare(actor: Actor, message: ReadableMessage['message'], content: string): Promise<NewContent> {
    const { limit, rendered, groupMembers, alerted } = await this.texts.prepare(actor, { content });
    const prepared = {
      limit,
      content,
      rendered,
      groupMembers,
      alerted,
      topicParticipants: new Set<number>(),
    };
    return this.renew(this.database.read, actor, message, prepared);
  }

  /**
   * The same content with the currently mentioned people, for the message's current place.
   * @throws ChannelWildcardNotAllowed, TopicWildcardNotAllowed, GroupMentionNotAllowed
   */
  async renew(
    db: Queryable,
    actor: Actor,
    { channelId, topicName }: ReadableMessage['message'],
    next: NewContent,
  ): Promise<NewContent> {
    const { rendered } = next;
    const place = channelId === null ? null : { channelId, topic: topicName ?? '' };
    const topicParticipants = await this.mentions.topicParticipants(db, actor, rendered, place);
    this.mentions.check(actor, rendered, channelId, topicParticipants);
    return { ...next, groupMembers: this.mentions.membersOf(rendered), topicParticipants };
  }

  /** Replaces the old content with new content, with everything that follows from it. */
  async replace(
    tx: Transaction,
    message: ReadableMessage['message'],
    content: NewContent,
    editedAt: number,
  ): Promise<ReplacedContent> {
    const linked = await this.uploads.linkedBy(tx, message.id);
    const toldBefore = await this.flags.namedOrInGroup(tx, message.id);
    const newlyMentioned = await this.edited.replace(tx, message, { ...content, editedAt });
    const sender = this.accounts.existing(message.senderId);
    const { limit, rendered, groupMembers } = content;
    const before = message.renderedContent;
    const namedBefore = namedIn(before);
    const membersBefore = this.mentions.membersOf({ mentionedGroupIds: groupsNamedIn(before) });
    const newlyNamed = new Set([...rendered.mentionedUserIds].filter((id) => !namedBefore.has(id)));
    // People who joined a mentioned group after sending were not notified of the message, and a correction alone does
    // not notify them.
    const newMembers = [...groupMembers].filter((id) => !namedBefore.has(id) && !membersBefore.has(id));
    const concerned = [...newlyNamed, ...newMembers].filter((id) => !toldBefore.has(id));
    await this.hooks.run(messageEdited, tx, {
      messageId: message.id,
      sender,
      limit,
      rendered,
      isDirect: message.conversationId !== null,
      newlyNamed,
      newlyMentioned: new Set(concerned),
    });
    const detachedUploads = await this.uploads.unlinkedAmong(tx, linked, message.senderId);
    return { detachedUploads, newlyMentioned };
  }
}

/** The settled images, and the last message that has been processed. */
type PicturesToFill = SettledPictures & { readonly doneUpTo: number };

/** Adds images to messages that were sent before the images were ready. */
const fillPictures = defineJob<PicturesToFill>('fill_pictures');

const RETRY = { delaysMs: [2_000, 30_000, 300_000] };
const MAX_WORK_MS = 10 * 60_000;

/** Number of messages per step, after which progress is stored. */
const MESSAGES_PER_STEP = 50;

/** Shows images in messages once thumbnails exist: few messages are sent before that. */
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
