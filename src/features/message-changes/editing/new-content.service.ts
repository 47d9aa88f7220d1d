import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Database } from '../../../platform/database/database.service';
import type { Queryable } from '../../../platform/database/queryable';
import {
  MentionAccess,
  OutgoingContentService,
  type ReadableMessage,
  type ReplacingContent,
} from '../../messages';

/** New content of a message, ready to be written. */
export type NewContent = Omit<ReplacingContent, 'editedAt'>;

/** Renders new content of messages, and checks whom it mentions. */
@Injectable()
export class NewContentService {
  constructor(
    private readonly database: Database,
    private readonly contents: OutgoingContentService,
    private readonly mentions: MentionAccess,
  ) {}

  /**
   * @param content normalized
   * @throws ChannelWildcardNotAllowed, TopicWildcardNotAllowed, GroupMentionNotAllowed
   */
  async prepare(actor: Actor, message: ReadableMessage['message'], content: string): Promise<NewContent> {
    const { rendered, groupMembers, alerted } = await this.contents.prepare(actor, { content });
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
}
