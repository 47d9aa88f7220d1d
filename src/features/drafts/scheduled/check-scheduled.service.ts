import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { SendMessageService, type SendMessageRequest, showAsUploaded } from '../../messages/messages.module';
import type { ScheduledMessage } from './scheduled-message.entity';
import { NoChannelId, NoRecipientIds } from './scheduled-messages.api';

/** A message to be scheduled. */
export interface WantedMessage {
  readonly kind: 'channel' | 'direct';
  /** A channel, or people. */
  readonly to: number | readonly number[];
  readonly topic?: string;
  /** Markdown. */
  readonly content: string;
  /** By default the client decides; messages to oneself are unread. */
  readonly isReadBySender?: boolean;
}

/** What of a scheduled message follows from what is wanted. */
type CheckedMessage = Pick<
  ScheduledMessage,
  'channelId' | 'recipientIds' | 'topic' | 'content' | 'renderedContent' | 'isReadBySender'
>;

/** Checks whether a scheduled message could be sent as things are, and renders it. */
@Injectable()
export class CheckScheduledService {
  constructor(private readonly sending: SendMessageService) {}

  /** @throws NoChannelId, NoRecipientIds, and whatever sending refuses */
  async check(actor: Actor, wanted: WantedMessage): Promise<CheckedMessage> {
    const { to, isReadBySender } = wanted;
    if (wanted.kind === 'channel' && typeof to !== 'number') throw new NoChannelId();
    if (wanted.kind === 'direct' && typeof to === 'number') throw new NoRecipientIds();
    const { place, message } = await this.sending.check(actor, requestOf(wanted));
    const others = 'memberIds' in place ? place.memberIds.filter((id) => id !== actor.userId) : [];
    const isAlone = 'memberIds' in place && others.length === 0;
    return {
      channelId: 'memberIds' in place ? null : place.channelId,
      recipientIds: JSON.stringify(isAlone ? [actor.userId] : others),
      topic: 'memberIds' in place ? '' : place.topic,
      content: message.content,
      // Rendered anew when it is sent.
      renderedContent: showAsUploaded(message.rendered.html),
      isReadBySender: isReadBySender ?? (!isAlone && message.readBy.has(actor.userId)),
    };
  }
}

/** The request that sends it. */
export function requestOf({ kind, to, topic, content, isReadBySender }: WantedMessage): SendMessageRequest {
  return {
    kind,
    to: JSON.stringify(to),
    topic,
    content: { content, isReadBySender },
    isMirrored: false,
    isForged: false,
  };
}
