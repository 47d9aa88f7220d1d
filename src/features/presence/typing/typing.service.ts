import { type TypingTarget, typingToChannel, typingToPeople, type TypingOperation } from './typing.api';
import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Database } from '../../../platform/database/database.service';
import { TransientEvents } from '../../../platform/events/transient-events';
import { SubscriptionDirectory } from '../../channels/channels.module';
import { DirectMessageAccess, MessageTextService } from '../../messages/messages.module';
import { UserVisibility } from '../../users/users.module';
import { TypingChannelAccess } from './typing-channel.access';
import { TypingPeopleService } from './typing-people.service';

/** Only clients that declare it know typing notifications of channels. */
const CHANNEL_TYPING = 'stream_typing_notifications';

/**
 * Tells others that a person is typing a message that this person may send. Nothing is stored, and nothing is sent
 * later.
 */
@Injectable()
export class TypingService {
  constructor(
    private readonly people: TypingPeopleService,
    private readonly direct: DirectMessageAccess,
    private readonly channels: TypingChannelAccess,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly texts: MessageTextService,
    private readonly visibility: UserVisibility,
    private readonly database: Database,
    private readonly events: TransientEvents,
  ) {}

  /** @throws TypingNotificationsDisabled, and what sending the message would throw */
  async notify(actor: Actor, operation: TypingOperation, target: TypingTarget): Promise<void> {
    if ('userIds' in target) await this.notifyPeople(actor, operation, target.userIds);
    else await this.notifyChannel(actor, operation, target.channelId, target.topic);
  }

  private async notifyPeople(
    actor: Actor,
    operation: TypingOperation,
    userIds: readonly number[],
  ): Promise<void> {
    this.people.checkSends(actor, 'direct messages');
    const recipients = this.direct.recipients(actor, { userIds });
    const memberIds = await this.direct.checkMaySend(this.database.read, actor, recipients);
    const members = memberIds.map((id) => this.people.person(id));
    const event = typingToPeople(operation, this.people.person(actor.userId), members);
    this.events.publish(event, this.people.receivers(memberIds));
  }

  private async notifyChannel(
    actor: Actor,
    operation: TypingOperation,
    channelId: number,
    topic: string,
  ): Promise<void> {
    this.people.checkSends(actor, 'channel messages');
    this.texts.checkTopic(topic);
    const channel = this.channels.forPosting(actor, channelId);
    const subscribers = this.subscriptions.subscribersOf(channel.id);
    if (this.people.areTooMany(subscribers)) return;
    const sender = this.people.person(actor.userId);
    const event = typingToChannel(operation, sender, channel.id, this.texts.topic(topic));
    const receivers = this.people.receivers(subscribers.ids());
    const blind = await this.visibility.blindAmong(this.database.read, receivers, {
      id: actor.userId,
      isBot: actor.isBot,
    });
    this.events.publish(event, receivers.without(blind.ids()), { requires: CHANNEL_TYPING });
  }
}
