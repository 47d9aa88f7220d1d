import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { chunksOf } from '../../../platform/collections';
import type { Transaction } from '../../../platform/database/transaction.service';
import { ChannelDirectory } from '../../channels/channels.module';
import {
  AutomaticTopicPolicyService,
  FlaggedEventsService,
  MessageAudienceService,
  MessageRendererService,
} from '../../messages/messages.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import type { AttachmentWire } from '../../uploads/uploads.module';
import { ApplyMoveService, type AppliedMove } from '../moves/apply-move.service';
import { EditHistoryService, type NewEdit } from '../history/edit-history.service';
import { channelMessagesGone, MAX_MESSAGES_GONE, messageUpdated } from '../message-changes.api';
import { moveAsEdit } from '../moves/move-messages.service';
import type { WantedNotices } from '../moves/move-notices.service';
import { NewContentService } from './new-content.service';
import type { CheckedEdit } from './plan-edit.service';

/** What an edit did. */
export interface AppliedEdit {
  /** Files of the sender that no message links any more. */
  readonly detachedUploads: readonly AttachmentWire[];
  readonly moved: AppliedMove | null;
}

/** Writes checked edits, and tells of them. */
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
