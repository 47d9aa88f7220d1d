import { Injectable } from '@nestjs/common';
import { type NewContent, NewContentService } from './new-content.service';
import type { Actor } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { chunksOf } from '../../../platform/collections';
import { Database } from '../../../platform/database/database.service';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { ChannelActivityService, ChannelDirectory } from '../../channels/channels.module';
import {
  AutomaticTopicPolicyService,
  FlaggedEventsService,
  MessageAudienceService,
  MessageRendererService,
  MessageTextService,
} from '../../messages/messages.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import type { AttachmentWire } from '../../uploads/uploads.module';
import { UserAccess } from '../../users/users.module';
import { EditHistoryService, type NewEdit } from '../history/edit-history.service';
import { ChannelRowsService, MessageLocksService } from '../locks/message-locks.service';
import { channelMessagesGone, MAX_MESSAGES_GONE, messageUpdated } from '../message-changes.api';
import { type AppliedMove, ApplyMoveService } from '../moves/apply-move.service';
import { moveAsEdit, MovedReadingService } from '../moves/move-messages.service';
import type { WantedNotices } from '../moves/move-notices.service';
import { MessageEditAccess } from '../rights/message-edit.access';
import { MessageMoveAccess } from '../rights/message-move.access';
import { changesChannel, type EditRequest, isOnlyMark, type PlannedEdit } from '../rights/planned-edit';

/** A permitted edit with its new content rendered. */
interface CheckedEdit {
  readonly planned: PlannedEdit;
  /** Null if the content does not change. */
  readonly content: NewContent | null;
}

/** An edit after its first check, before the transaction. */
interface PreparedEdit {
  readonly messageId: number;
  readonly request: EditRequest;
  /** The content prepared by {@link PlanEditService.check}. */
  readonly content: NewContent | null;
}

/** Checks edits: once before anything slow or large, and again under locks. */
@Injectable()
export class PlanEditService {
  constructor(
    private readonly database: Database,
    private readonly editing: MessageEditAccess,
    private readonly moving: MessageMoveAccess,
    private readonly contents: NewContentService,
    private readonly texts: MessageTextService,
    private readonly locks: MessageLocksService,
    private readonly users: UserAccess,
  ) {}

  /** All checks of an edit, in the order in which clients expect errors. */
  async check(actor: Actor, messageId: number, request: EditRequest): Promise<CheckedEdit> {
    const db = this.database.read;
    const planned = await this.editing.plan(db, actor, messageId, request);
    const { message, move } = planned;
    const content =
      planned.content === null ? null : await this.contents.prepare(actor, message, planned.content);
    if (move) await this.moving.checkChannel(db, actor, message, move);
    return { planned, content };
  }

  /**
   * Locks everything that the edit affects until the transaction ends, and checks again: the editor may have been
   * deactivated, or lost a role or permission.
   * @throws Unauthorized, and the errors of {@link check}
   */
  async lock(
    tx: Transaction,
    actor: Actor,
    { messageId, request, content }: PreparedEdit,
  ): Promise<CheckedEdit> {
    const { topic, channelId } = request;
    const isMove = topic !== undefined || channelId !== undefined;
    await this.locks.lock(tx, [messageId], {
      purpose: isMove ? 'move' : 'edit',
      target: { channelId, topic: topic === undefined ? undefined : this.texts.topic(topic) },
    });
    const current = this.users.current(actor);
    const planned = await this.editing.plan(tx, current, messageId, request);
    const renewed = content && (await this.contents.renew(tx, current, planned.message, content));
    if (planned.move) await this.moving.checkChannel(tx, current, planned.message, planned.move);
    return { planned, content: renewed };
  }
}

/** The effects of an edit. */
interface AppliedEdit {
  /** The sender's files that no message links any more. */
  readonly detachedUploads: readonly AttachmentWire[];
  readonly moved: AppliedMove | null;
}

/** Writes checked edits, and emits their events. */
@Injectable()
export class ApplyEditService {
  constructor(
    private readonly contents: NewContentService,
    private readonly moves: ApplyMoveService,
    private readonly history: EditHistoryService,
    private readonly policies: AutomaticTopicPolicyService,
    private readonly audiences: MessageAudienceService,
    private readonly events: FlaggedEventsService,
    private readonly renderer: MessageRendererService,
    private readonly channels: ChannelDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly clock: Clock,
  ) {}

  /** @throws NeedsExclusive, TooManyToMove */
  async apply(
    tx: Transaction,
    actor: Actor,
    { planned: { message, move }, content }: CheckedEdit,
    wanted: WantedNotices,
  ): Promise<AppliedEdit> {
    const editedAt = this.clock.nowSeconds();
    const replaced = content && (await this.contents.replace(tx, message, content, editedAt));
    const shared: NewEdit = { userId: actor.userId, editedAt, ...(move ? moveAsEdit(move) : {}) };
    const before = { before: message.content, renderedBefore: message.renderedContent };
    const own: NewEdit = { ...shared, ...(content ? { content: before } : {}) };
    const checked = move && { message, plan: move, edits: { shared, own }, wanted };
    const moved = checked && (await this.moves.move(tx, actor, checked));
    if (moved) await this.moves.followPolicies(tx, moved);
    else await this.history.note(tx, [message.id], own);

    const told = moved?.told ?? (await this.audiences.of(tx, message));
    const channelName = this.channels.byId(message.channelId ?? 0)?.name ?? null;
    const showsFormerContent = this.organization.settings.message_edit_history_visibility_policy === 'all';
    const edit = { userId: actor.userId, editedAt, message, content, showsFormerContent, moved, channelName };
    const topicLinks = (topic: string) => this.renderer.topicLinks(topic);
    await this.events.emit(tx, message.id, told, messageUpdated(edit, topicLinks));
    if (moved) {
      tellLosers(tx, moved);
      await this.moves.conclude(tx, actor, moved, wanted);
    }
    if (replaced && message.channelId !== null) {
      const place = { channelId: message.channelId, topic: move?.topic ?? message.topicName ?? '' };
      await this.policies.afterMentioning(tx, replaced.newlyMentioned, place);
    }
    return { detachedUploads: replaced?.detachedUploads ?? [], moved };
  }
}

/** Users who lose access get a deletion event. */
function tellLosers(tx: Transaction, { done, lost }: AppliedMove): void {
  if (lost.size === 0) return;
  for (const some of chunksOf(done.messageIds, MAX_MESSAGES_GONE)) {
    tx.emit(channelMessagesGone(some, done.from), lost);
  }
}

/** Moving a very large topic can take long on a busy PostgreSQL; only writers to that topic wait. */
const MAX_MOVE_MS = 60_000;

/** Changes the content of a message, or the topic and channel of it and of other messages. */
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
   * @returns the caller's files that no message links any more
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
    if (this.channelRows.wasMoreRecentlyActive(to, message)) return true;
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
