import { Injectable } from '@nestjs/common';
import { TypingChannelAccess } from './typing-channel.access';
import {
  editTypingEvent,
  TypingNotificationsDisabled,
  type TypingOperation,
  type TypingPerson,
  type TypingTarget,
  typingToChannel,
  typingToPeople,
} from './typing.api';
import type { Actor } from '../../../platform/actor';
import { Database } from '../../../platform/database/database.service';
import { Audience } from '../../../platform/events/audience';
import { TransientEvents } from '../../../platform/events/transient-events';
import { SubscriptionDirectory } from '../../channels/channels.module';
import { MessageEditAccess } from '../../message-changes/message-changes.module';
import {
  DirectMessageAccess,
  MessageAudienceService,
  MessageTextService,
  type ReadableMessage,
} from '../../messages/messages.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { AccountDirectory, personalSetting, UserVisibility } from '../../users/users.module';

/** In larger channels people type nearly all the time, which is not worth an event. */
const MAX_SUBSCRIBERS = 100;

/** Determines who sends typing notifications, and who wants to receive them. */
@Injectable()
export class TypingPeopleService {
  constructor(private readonly accounts: AccountDirectory) {}

  /** @throws TypingNotificationsDisabled */
  checkSends(actor: Actor, messages: 'direct messages' | 'channel messages'): void {
    const setting =
      messages === 'direct messages'
        ? 'send_private_typing_notifications'
        : 'send_stream_typing_notifications';
    const settings = this.accounts.byId(actor.userId)?.settings ?? {};
    if (!personalSetting(settings, setting)) throw new TypingNotificationsDisabled(messages);
  }

  /** Whether a channel has too many subscribers for typing notifications. */
  areTooMany(subscribers: Audience): boolean {
    return subscribers.size > MAX_SUBSCRIBERS;
  }

  /** Filters people down to recipients who want typing notifications. */
  receivers(userIds: Iterable<number>): Audience {
    return Audience.of(
      [...userIds].filter((id) => {
        const account = this.accounts.byId(id);
        return account?.isActive && personalSetting(account.settings, 'receives_typing_notifications');
      }),
    );
  }

  person(userId: number): TypingPerson {
    const account = this.accounts.byId(userId);
    return { user_id: userId, email: account ? this.accounts.apiEmail(account) : '' };
  }
}

/** The capability of clients that support typing notifications of channels. */
const CHANNEL_TYPING = 'stream_typing_notifications';

/** Emits that a person is typing a message, provided that they may send it. Nothing is stored or sent later. */
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

  /** @throws TypingNotificationsDisabled, and the errors of sending the message */
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
    const blind = await this.visibility.membersWithoutAccess(this.database.read, receivers, {
      id: actor.userId,
      isBot: actor.isBot,
    });
    this.events.publish(event, receivers.without(blind.ids()), { requires: CHANNEL_TYPING });
  }
}

const EMPTY_TOPIC_NAME = 'empty_topic_name';

type EditedMessage = ReadableMessage['message'];

/** Emits to the audience of a message that a person is editing it, provided that they may. */
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

  /** @throws TypingNotificationsDisabled, and the errors of {@link MessageEditAccess} */
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
