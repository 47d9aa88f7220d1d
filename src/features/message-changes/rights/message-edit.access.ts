import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { earliestSentAt, MessageMoveAccess } from './message-move.access';
import {
  type EditRequest,
  isResolvedEmptyTopic,
  isRespelling,
  type PlannedEdit,
  type PlannedMove,
  resolutionBetween,
} from './planned-edit';
import {
  ContentWithChannel,
  DirectMessageToChannel,
  DirectMessageWithTopic,
  EditingSwitchedOff,
  EmptyTopicResolved,
  MayNotDeleteMessage,
  MayNotEditMessage,
  NothingToChange,
  ContentChangedMeanwhile,
  PropagationWithoutMove,
  TooLateToDelete,
  TooLateToEdit,
  WidgetNotEditable,
} from './rights.api';
import type { Actor } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import type { Queryable } from '../../../platform/sql/queryable';
import { ChannelAccess, ChannelDirectory } from '../../channels/channels.module';
import {
  MessageAccess,
  MessageTextService,
  type ReadableMessage,
  SubmessageRowsService,
} from '../../messages/messages.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { PermissionService } from '../../user-groups/user-groups.module';
import { AccountDirectory } from '../../users/users.module';

type Message = ReadableMessage['message'];

/** Replaces content that an edit leaves empty. */
const DELETED_CONTENT = '(deleted)';

/** Decides which edits are valid and who may make them. */
@Injectable()
export class MessageEditAccess {
  constructor(
    private readonly messages: MessageAccess,
    private readonly channels: ChannelDirectory,
    private readonly channelAccess: ChannelAccess,
    private readonly texts: MessageTextService,
    private readonly moves: MessageMoveAccess,
    private readonly organization: OrganizationDirectory,
    private readonly submessages: SubmessageRowsService,
    private readonly clock: Clock,
  ) {}

  /** The order of the checks determines which refusal a client receives. @throws ApiError: see rights.api.ts */
  async plan(db: Queryable, actor: Actor, messageId: number, request: EditRequest): Promise<PlannedEdit> {
    const { message } = await this.messages.forChanging(db, actor, messageId);
    if (request.content !== undefined) {
      this.checkContent(actor, message);
      if (await this.submessages.hasAny(db, messageId)) throw new WidgetNotEditable();
    }
    const asked = this.withoutWhatIsSo(message, request);
    checkShape(message, asked);
    if (asked.topic !== undefined) this.checkTopic(asked.topic);
    if (asked.content !== undefined && asked.channelId !== undefined) throw new ContentWithChannel();
    checkExpectation(message, asked);
    const content = asked.content === undefined ? null : this.normalized(asked.content);
    const move = this.moveOf(actor, message, asked, request.channelId !== undefined);
    if (move) await this.moves.checkTopic(db, actor, message, move);
    return { message, content, move };
  }

  /**
   * Loads a message for a caller who is about to change its content.
   * @throws InvalidMessage, EditingSwitchedOff, MayNotEditMessage, TooLateToEdit
   */
  async forEditing(db: Queryable, actor: Actor, messageId: number): Promise<Message> {
    const { message } = await this.messages.forChanging(db, actor, messageId);
    this.checkContent(actor, message);
    return message;
  }

  private checkContent(actor: Actor, { senderId, sentAt }: Message): void {
    const settings = this.organization.settings;
    if (!settings.allow_message_editing) throw new EditingSwitchedOff();
    if (senderId !== actor.userId) throw new MayNotEditMessage();
    const earliest = earliestSentAt(this.clock.nowSeconds(), settings.message_content_edit_limit_seconds);
    if (earliest !== null && sentAt < earliest) throw new TooLateToEdit('');
  }

  /** Ignores a topic and a channel that equal the current ones. */
  private withoutWhatIsSo(message: Message, request: EditRequest): EditRequest {
    const { topic, channelId } = request;
    const isSameTopic = topic !== undefined && this.texts.topic(topic) === (message.topicName ?? '');
    const isSameChannel = channelId !== undefined && channelId === message.channelId;
    return {
      ...request,
      topic: isSameTopic ? undefined : topic,
      channelId: isSameChannel ? undefined : channelId,
    };
  }

  private checkTopic(topic: string): void {
    if (isResolvedEmptyTopic(topic, this.organization.settings.empty_topic_display_name)) {
      throw new EmptyTopicResolved();
    }
    this.texts.checkTopic(topic);
  }

  private normalized(content: string): string {
    return this.texts.content(content.trim() === '' ? DELETED_CONTENT : content);
  }

  /** @throws InvalidChannelId */
  private moveOf(
    actor: Actor,
    message: Message,
    { topic, channelId, mode }: EditRequest,
    namesChannel: boolean,
  ): PlannedMove | null {
    const from = message.channelId === null ? undefined : this.channels.byId(message.channelId);
    if (!from || (topic === undefined && channelId === undefined)) return null;
    const to = channelId === undefined ? from : this.channelAccess.forContent(actor, channelId);
    const topicBefore = message.topicName ?? '';
    const topicAfter = topic === undefined ? topicBefore : this.texts.topic(topic);
    const change = { from, to, topicBefore, topic: topicAfter };
    const extent = isRespelling(change) ? 'change_all' : mode;
    const normalize = (name: string) => this.texts.topic(name);
    const mark = topicBefore === '' ? null : resolutionBetween(topicBefore, topicAfter, normalize);
    const resolution = extent === 'change_all' ? mark : null;
    return { ...change, mode: extent, namesChannel, mark, resolution };
  }
}

function checkShape(message: Message, { content, topic, channelId, mode }: EditRequest): void {
  if (content === undefined && topic === undefined && channelId === undefined) throw new NothingToChange();
  if (message.channelId === null) {
    if (channelId !== undefined) throw new DirectMessageToChannel();
    if (topic !== undefined) throw new DirectMessageWithTopic();
  }
  if (mode !== 'change_one' && topic === undefined && channelId === undefined) {
    throw new PropagationWithoutMove();
  }
}

function checkExpectation(message: Message, { prevContentHash }: EditRequest): void {
  if (prevContentHash === undefined) return;
  const hash = createHash('sha256').update(message.content).digest('hex');
  if (hash !== prevContentHash.toLowerCase()) throw new ContentChangedMeanwhile('prev_content_sha256');
}

/** The two permissions to delete; an organization and each of its channels have them. */
type DeletePermission = 'can_delete_any_message_group' | 'can_delete_own_message_group';

/** Decides who may delete which message. */
@Injectable()
export class MessageDeleteAccess {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly permissions: PermissionService,
    private readonly channels: ChannelDirectory,
    private readonly channelAccess: ChannelAccess,
    private readonly organization: OrganizationDirectory,
    private readonly clock: Clock,
  ) {}

  /**
   * No time limit applies to users who may delete any message.
   * @param message a message that the actor may change
   * @throws MayNotDeleteMessage, TooLateToDelete
   */
  check(actor: Actor, message: ReadableMessage['message']): void {
    const holds = (permission: DeletePermission) => this.holds(actor, message.channelId, permission);
    if (holds('can_delete_any_message_group')) return;
    const isOwn =
      message.senderId === actor.userId || this.accounts.byId(message.senderId)?.botOwnerId === actor.userId;
    if (!isOwn || !holds('can_delete_own_message_group')) throw new MayNotDeleteMessage();
    const { message_content_delete_limit_seconds: limit } = this.organization.settings;
    if (limit !== null && this.clock.nowSeconds() - message.sentAt > limit) throw new TooLateToDelete();
  }

  private holds(actor: Actor, channelId: number | null, permission: DeletePermission): boolean {
    if (this.permissions.allowsInOrganization(actor, permission)) return true;
    const channel = channelId === null ? undefined : this.channels.byId(channelId);
    return channel !== undefined && this.channelAccess.holds(actor, channel, permission);
  }
}
