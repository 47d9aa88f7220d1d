import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import {
  addedToGroupNotice,
  channelArchivedNotice,
  channelCreatedNotice,
  channelRenamedNotice,
  channelsAnnouncedNotice,
  channelUnarchivedNotice,
  descriptionChangedNotice,
  type NamedHolders,
  type Person,
  postingChangedNotice,
  privacyChangedNotice,
  privacyOf,
  removedFromGroupNotice,
  retentionChangedNotice,
  subscribedNotice,
} from './notices';
import { addTo, chunksOf } from '../../../platform/collections';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import {
  channelChanged,
  type ChannelChanged,
  ChannelDirectory,
  type ChannelRecord,
  channelsCreated,
  type ChannelsCreated,
  type ChannelState,
  SubscriptionDirectory,
  usersSubscribed,
  type UsersSubscribed,
  usersUnsubscribed,
  type UsersUnsubscribed,
} from '../../channels/channels.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import {
  GroupDirectory,
  type GroupMembershipChange,
  groupMembershipChanged,
  type GroupSettingValue,
} from '../../user-groups/user-groups.module';
import { AccountDirectory } from '../../users/users.module';
import {
  type SystemContent,
  SystemMessageService,
  type SystemTarget,
} from '../sending/system-message.service';
import { MarkReadService } from '../unread/mark-read.service';

const NEW_CHANNELS_TOPIC = 'new channels';
const CHANNEL_EVENTS_TOPIC = 'channel events';

/** The setting that keeps messages forever. */
const UNLIMITED = -1;

/**
 * Notices of the notification bot about channels, and the effects that changes to channels have on messages: a person
 * who leaves a channel has no unread messages left there.
 */
@Injectable()
export class ChannelNoticesService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly channels: ChannelDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly groups: GroupDirectory,
    private readonly messages: SystemMessageService,
    private readonly reading: MarkReadService,
    private readonly subscriptions: SubscriptionDirectory,
    hooks: Hooks,
  ) {
    hooks.on(channelsCreated, (tx, change) => this.channelsCreated(tx, change));
    hooks.on(usersSubscribed, (tx, change) => this.usersSubscribed(tx, change));
    hooks.on(usersUnsubscribed, (tx, change) => this.usersUnsubscribed(tx, change));
    hooks.on(channelChanged, (tx, change) => this.channelChanged(tx, change));
  }

  private async channelsCreated(
    tx: Transaction,
    { actor, created, announce }: ChannelsCreated,
  ): Promise<void> {
    const newChannels = created.map(({ channel }) => channel);
    const creator = this.nameOf(actor.userId);
    const announcements = announce ? this.announcementChannel() : undefined;
    if (announcements && newChannels.length > 0) {
      const content = channelsAnnouncedNotice(creator, newChannels);
      const target = { channel: announcements, topic: NEW_CHANNELS_TOPIC };
      await this.post(tx, target, { content, readBy: [actor.userId], newChannels });
    }
    if (!this.organization.settings.send_channel_events_messages) return;
    for (const { channel, userIds } of created) {
      const target = { ...eventsTopic(channel), subscribers: Audience.of(userIds) };
      const content = channelCreatedNotice(creator, channel);
      await this.post(tx, target, { content, readBy: [actor.userId], newChannels });
    }
  }

  /** Notifies people whom others subscribed, except bots. */
  private async usersSubscribed(
    tx: Transaction,
    { actor, subscriptions, tellUsers }: UsersSubscribed,
  ): Promise<void> {
    if (!tellUsers) return;
    const channelsOf = new Map<number, ChannelRecord[]>();
    for (const { channel, userIds } of subscriptions) {
      for (const userId of userIds) addTo(channelsOf, userId, channel);
    }
    for (const [userId, channels] of channelsOf) {
      if (userId === actor.userId || this.accounts.byId(userId)?.isBot) continue;
      const content = subscribedNotice(this.nameOf(actor.userId), channels);
      await this.messages.sendToPerson(tx, 'notification-bot', userId, { content });
    }
  }

  private async usersUnsubscribed(tx: Transaction, { removals }: UsersUnsubscribed): Promise<void> {
    for (const { channel, userIds } of removals) {
      for (const userId of userIds) await this.reading.markChannel(tx, userId, channel.id);
    }
  }

  /** The notice that a channel was archived counts as read, because nobody sees the channel any more. */
  private async channelChanged(tx: Transaction, { actor, before, after }: ChannelChanged): Promise<void> {
    if (!this.organization.settings.send_channel_events_messages) return;
    const [old, now] = [before.channel, after.channel];
    const target = eventsTopic(now);
    const person = this.nameOf(actor.userId);
    if (!old.isArchived && now.isArchived) {
      const everybody = this.subscriptions.subscribersOf(now.id).ids();
      await this.post(tx, target, { content: channelArchivedNotice(now), readBy: everybody });
    }
    if (old.isArchived && !now.isArchived) {
      await this.post(tx, target, { content: channelUnarchivedNotice(now), readBy: [actor.userId] });
    }
    if (old.name !== now.name) {
      const content = channelRenamedNotice(person, old.name, now);
      await this.post(tx, target, { content, readBy: [actor.userId] });
    }
    if (old.description !== now.description) {
      const content = descriptionChangedNotice(person, old.description, now.description);
      await this.post(tx, target, { content, readBy: [actor.userId], newChannels: [now] });
    }
    for (const content of this.policyNotices(person, before, after)) {
      await this.post(tx, target, { content, readBy: [actor.userId] });
    }
  }

  /** Notices about changes to who reads the channel, who posts there, and how long it keeps messages. */
  private policyNotices(person: Person, before: ChannelState, after: ChannelState): string[] {
    const notices: string[] = [];
    const [old, now] = [before.channel, after.channel];
    if (privacyOf(old) !== privacyOf(now)) notices.push(privacyChangedNotice(person, old, now));
    const posting = [before, after].map(({ settings }) => settings.can_send_message_group);
    const [oldPosting, newPosting] = posting as [GroupSettingValue, GroupSettingValue];
    if (!isDeepStrictEqual(oldPosting, newPosting)) {
      notices.push(postingChangedNotice(person, this.holders(oldPosting), this.holders(newPosting)));
    }
    const [oldDays, newDays] = [this.keptDays(old), this.keptDays(now)];
    if (oldDays !== newDays) notices.push(retentionChangedNotice(person, oldDays, newDays));
    return notices;
  }

  private holders(value: GroupSettingValue): NamedHolders {
    const { direct_members: userIds, direct_subgroups: groupIds } =
      typeof value === 'number' ? { direct_members: [], direct_subgroups: [value] } : value;
    return {
      groupNames: groupIds.map((id) => this.groups.byId(id)?.name ?? ''),
      people: userIds.map((id) => this.nameOf(id)),
    };
  }

  /** How many days a channel keeps its messages; null for forever. */
  private keptDays(channel: ChannelRecord): number | null {
    const days = channel.messageRetentionDays ?? this.organization.settings.message_retention_days;
    return days === UNLIMITED ? null : days;
  }

  private async post(tx: Transaction, target: SystemTarget, content: SystemContent): Promise<void> {
    await this.messages.sendToChannel(tx, 'notification-bot', target, content);
  }

  private announcementChannel(): ChannelRecord | undefined {
    const channel = this.channels.byId(this.organization.settings.new_channel_announcements_channel_id);
    return channel?.isArchived ? undefined : channel;
  }

  private nameOf(userId: number): Person {
    return { id: userId, fullName: this.accounts.byId(userId)?.fullName ?? '' };
  }
}

/** The topic for notices about the channel; some channels have only the empty topic. */
function eventsTopic(channel: ChannelRecord): SystemTarget {
  return { channel, topic: channel.topicsPolicy === 'empty_topic_only' ? '' : CHANNEL_EVENTS_TOPIC };
}

/** How many people are notified per transaction, so that other writes do not wait long. */
const BATCH = 20;

/**
 * Notifies people, except bots, whom others added to groups or removed from them. As there may be thousands of them,
 * this happens after the change is committed, which stands even if a notice fails.
 */
@Injectable()
export class GroupNoticesService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly accounts: AccountDirectory,
    private readonly messages: SystemMessageService,
    hooks: Hooks,
  ) {
    hooks.on(groupMembershipChanged, (tx, change) => {
      if (!change.isQuiet) tx.afterCommit(() => this.tellEverybody(change));
    });
  }

  private async tellEverybody(change: GroupMembershipChange): Promise<void> {
    const { actor, group, addedUserIds, removedUserIds } = change;
    if (!actor) return;
    const person = { id: actor.userId, fullName: this.accounts.byId(actor.userId)?.fullName ?? '' };
    await this.tell(actor.userId, addedUserIds, addedToGroupNotice(person, group.name));
    await this.tell(actor.userId, removedUserIds, removedFromGroupNotice(person, group.name));
  }

  private async tell(actorId: number, userIds: readonly number[], content: string): Promise<void> {
    const told = userIds.filter((userId) => userId !== actorId && !this.accounts.byId(userId)?.isBot);
    for (const some of chunksOf(told, BATCH)) {
      await this.transactions.run(async (tx) => {
        for (const userId of some) {
          await this.messages.sendToPerson(tx, 'notification-bot', userId, { content });
        }
      });
    }
  }
}
