import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Database } from '../../../platform/database/database.service';
import type { Queryable } from '../../../platform/sql/queryable';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import {
  EditedContentService,
  MentionAccess,
  messageEdited,
  MessageTextService,
  namedIn,
  type ReadableMessage,
  type ReplacingContent,
} from '../../messages/messages.module';
import { type AttachmentWire, UnlinkedUploadsService } from '../../uploads/uploads.module';
import { AccountDirectory } from '../../users/users.module';

/** New content of a message, ready to be written. */
export type NewContent = Omit<ReplacingContent, 'editedAt'>;

/** What came of new content. */
export interface ReplacedContent {
  /** Files of the sender that the message was the last to link. */
  readonly detachedUploads: readonly AttachmentWire[];
  /** Recipients whom the message mentions by name now and did not before. */
  readonly newlyMentioned: ReadonlySet<number>;
}

/** Renders new content of messages, checks whom it mentions, and puts it in the place of the old one. */
@Injectable()
export class NewContentService {
  constructor(
    private readonly database: Database,
    private readonly texts: MessageTextService,
    private readonly mentions: MentionAccess,
    private readonly edited: EditedContentService,
    private readonly hooks: Hooks,
    private readonly uploads: UnlinkedUploadsService,
    private readonly accounts: AccountDirectory,
  ) {}

  /**
   * @param content normalized
   * @throws ChannelWildcardNotAllowed, TopicWildcardNotAllowed, GroupMentionNotAllowed
   */
  async prepare(actor: Actor, message: ReadableMessage['message'], content: string): Promise<NewContent> {
    const { rendered, groupMembers, alerted } = await this.texts.prepare(actor, { content });
    const prepared = { content, rendered, groupMembers, alerted, topicParticipants: new Set<number>() };
    return this.renew(this.database.read, actor, message, prepared);
  }

  /**
   * The same content with the people whom it mentions as of now, where the message is now.
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

  /** Puts new content in the place of the old one, with all that follows from it. */
  async replace(
    tx: Transaction,
    message: ReadableMessage['message'],
    content: NewContent,
    editedAt: number,
  ): Promise<ReplacedContent> {
    const linked = await this.uploads.linkedBy(tx, message.id);
    const newlyMentioned = await this.edited.replace(tx, message, { ...content, editedAt });
    const sender = this.accounts.existing(message.senderId);
    const { rendered } = content;
    const namedBefore = namedIn(message.renderedContent);
    await this.hooks.run(messageEdited, tx, {
      messageId: message.id,
      sender,
      rendered,
      isDirect: message.conversationId !== null,
      newlyNamed: new Set([...rendered.mentionedUserIds].filter((id) => !namedBefore.has(id))),
    });
    const detachedUploads = await this.uploads.unlinkedAmong(tx, linked, message.senderId);
    return { detachedUploads, newlyMentioned };
  }
}
