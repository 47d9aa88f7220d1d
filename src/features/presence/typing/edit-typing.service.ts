import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Database } from '../../../platform/database/database.service';
import { TransientEvents } from '../../../platform/events/transient-events';
import { SubscriptionDirectory } from '../../channels/channels.module';
import { MessageEditAccess } from '../../message-changes/message-changes.module';
import { MessageAudienceService, type ReadableMessage } from '../../messages/messages.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { TypingPeopleService } from './typing-people.service';
import { editTypingEvent, type TypingOperation } from './typing.api';

const EMPTY_TOPIC_NAME = 'empty_topic_name';

type EditedMessage = ReadableMessage['message'];

/** Tells the audience of a message that a person is editing it, if that person may. */
@Injectable()
export class EditTypingService {
  constructor(
    private readonly database: Database,
    private readonly messages: MessageEditAccess,
    private readonly audiences: MessageAudienceService,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly people: TypingPeopleService,
    private readonly events: TransientEvents,
  ) {}

  /** @throws TypingNotificationsDisabled, and what {@link MessageEditAccess} throws */
  async notify(actor: Actor, operation: TypingOperation, messageId: number): Promise<void> {
    const message = await this.messages.forEditing(this.database.read, actor, messageId);
    const { channelId } = message;
    this.people.checkSends(actor, channelId === null ? 'direct messages' : 'channel messages');
    if (channelId === null) await this.notifyPeople(operation, message);
    else await this.notifyChannel(operation, message, channelId);
  }

  private async notifyPeople(operation: TypingOperation, message: EditedMessage): Promise<void> {
    const members = [...(await this.audiences.of(this.database.read, message)).ids()];
    const event = editTypingEvent(operation, {
      sender_id: message.senderId,
      message_id: message.id,
      recipient: { type: 'direct', user_ids: members },
    });
    this.events.publish(event, this.people.receivers(members));
  }

  private async notifyChannel(
    operation: TypingOperation,
    message: EditedMessage,
    channelId: number,
  ): Promise<void> {
    const subscribers = this.subscriptions.subscribersOf(channelId);
    if (this.people.areTooMany(subscribers)) return;
    // Not every subscriber of a channel with protected history sees the message.
    const audience = await this.audiences.of(this.database.read, message);
    const receivers = this.people.receivers([...audience.ids()].filter((id) => subscribers.has(id)));
    const event = (topic: string) =>
      editTypingEvent(operation, {
        sender_id: message.senderId,
        message_id: message.id,
        recipient: { type: 'channel', channel_id: channelId, topic },
      });
    const topic = message.topicName ?? '';
    if (topic !== '') return this.events.publish(event(topic), receivers);
    this.events.publish(event(''), receivers, { requires: EMPTY_TOPIC_NAME });
    const { empty_topic_display_name: displayName } = this.organization.settings;
    this.events.publish(event(displayName), receivers, { unless: EMPTY_TOPIC_NAME });
  }
}
