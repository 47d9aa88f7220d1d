import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { ChannelDirectory } from '../channels/channel.directory';
import { ChannelTargetService } from '../messages/channel-target.service';
import type { ReplacingContent } from '../messages/edited-content.service';
import { MentionAccess } from '../messages/mention.access';
import type { ReadableMessage } from '../messages/message.access';
import { OutgoingContentService } from '../messages/outgoing-content.service';

/** New content of a message, ready to be written. */
export type NewContent = Omit<ReplacingContent, 'editedAt'>;

/** Renders new content of messages, and checks whom it mentions (messages reference 5.1, check 19). */
@Injectable()
export class NewContentService {
  constructor(
    private readonly contents: OutgoingContentService,
    private readonly mentions: MentionAccess,
    private readonly targets: ChannelTargetService,
    private readonly channels: ChannelDirectory,
  ) {}

  /**
   * @param content normalized
   * @throws ChannelWildcardNotAllowed, TopicWildcardNotAllowed, GroupMentionNotAllowed
   */
  async prepare(actor: Actor, message: ReadableMessage['message'], content: string): Promise<NewContent> {
    const prepared = await this.contents.prepare(actor, { content });
    const { rendered, groupMembers, alerted } = prepared;
    const channel = message.channelId === null ? undefined : this.channels.byId(message.channelId);
    const topicParticipants = new Set<number>();
    if (channel) {
      if (rendered.topicWildcard) {
        const place = { channel, topic: message.topicName ?? '' };
        for (const userId of await this.targets.participants(place)) topicParticipants.add(userId);
        topicParticipants.add(actor.userId);
      }
      this.mentions.checkWildcards(actor, rendered, channel.id, topicParticipants);
    }
    this.mentions.checkGroups(actor, rendered);
    return { content, rendered, groupMembers, alerted, topicParticipants };
  }
}
