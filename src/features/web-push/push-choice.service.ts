import { Injectable } from '@nestjs/common';
import { type MessagePayload, pushTag, shortened, visibleText } from './push-payload';
import type { Queryable } from '../../platform/sql/queryable';
import { TopicVisibility, UserTopicsService } from '../channels/channels.module';
import {
  channelNarrow,
  conversationNarrow,
  Flag,
  MessageAccess,
  MessageRecordsService,
  type MessageRow,
  MessageRowsService,
  type RecipientWire,
} from '../messages/messages.module';
import { OrganizationDirectory } from '../organization-settings/organization-settings.module';
import { type AccountRecord, personalSetting, type PersonalSettings } from '../users/users.module';

/** What a user has chosen for the topic and channel of a message. */
interface PlaceChoice {
  readonly policy: TopicVisibility;
  readonly isChannelMuted: boolean;
  /** Null leaves it to the personal setting. */
  readonly push: boolean | null;
  readonly wildcards: boolean | null;
}

interface SubscriptionRow {
  readonly user_id: number;
  readonly is_muted: unknown;
  readonly push_notifications: unknown;
  readonly wildcard_mentions_notify: unknown;
}

const WILDCARDS = Flag.channelWildcardMentioned | Flag.topicWildcardMentioned;

type Setting = {
  [Name in keyof PersonalSettings]: PersonalSettings[Name] extends boolean ? Name : never;
}[keyof PersonalSettings];

/** Decides by personal settings who is notified of a message while no page is open. */
@Injectable()
export class PushChoice {
  constructor(private readonly topics: UserTopicsService) {}

  /**
   * Those of the accounts that want to be notified.
   * @param flags by user ID
   */
  async wanting(
    db: Queryable,
    { channelId, topicName }: MessageRow,
    accounts: readonly AccountRecord[],
    flags: ReadonlyMap<number, number>,
  ): Promise<AccountRecord[]> {
    const unread = accounts.filter(({ id }) => ((flags.get(id) ?? Flag.read) & Flag.read) === 0);
    if (unread.length === 0) return [];
    if (channelId === null) return unread.filter((account) => wantsPersonal(account));
    const choices = await this.choices(db, channelId, topicName ?? '', unread);
    return unread.filter((account) => wants(account, flags.get(account.id) ?? 0, choices(account.id)));
  }

  private async choices(
    db: Queryable,
    channelId: number,
    topic: string,
    accounts: readonly AccountRecord[],
  ): Promise<(userId: number) => PlaceChoice> {
    const userIds = accounts.map(({ id }) => id);
    const policies = await this.topics.policiesFor(db, channelId, topic, userIds);
    const rows = await db.query<SubscriptionRow>(
      `SELECT user_id, is_muted, push_notifications, wildcard_mentions_notify FROM subscription
       WHERE channel_id = ? AND is_active = ? AND user_id IN (?)`,
      [channelId, true, userIds],
    );
    const byUser = new Map(rows.map((row) => [row.user_id, row]));
    return (userId) => {
      const row = byUser.get(userId);
      return {
        policy: policies.get(userId) ?? TopicVisibility.none,
        isChannelMuted: Boolean(row?.is_muted),
        push: booleanOrNull(row?.push_notifications),
        wildcards: booleanOrNull(row?.wildcard_mentions_notify),
      };
    };
  }
}

/** Mentions by name and alert words come first, then what is followed or muted, and the channel last. */
function wants(account: AccountRecord, flags: number, choice: PlaceChoice): boolean {
  const isOn = (name: Setting) => personalSetting(account.settings, name);
  if ((flags & (Flag.mentioned | Flag.hasAlertWord)) !== 0) return wantsPersonal(account);
  const isWildcard = (flags & WILDCARDS) !== 0;
  if (choice.policy === TopicVisibility.followed) {
    if (isWildcard && isOn('enable_followed_topic_wildcard_mentions_notify') && wantsPersonal(account)) {
      return true;
    }
    if (isOn('enable_followed_topic_push_notifications')) return true;
  }
  const isMuted =
    choice.policy === TopicVisibility.muted ||
    (choice.isChannelMuted && choice.policy === TopicVisibility.none);
  if (isMuted) return false;
  const isTold = choice.push ?? isOn('enable_stream_push_notifications');
  return (
    isTold || (isWildcard && (choice.wildcards ?? isOn('wildcard_mentions_notify')) && wantsPersonal(account))
  );
}

/** What direct messages and mentions follow. */
function wantsPersonal(account: AccountRecord): boolean {
  return personalSetting(account.settings, 'enable_offline_push_notifications');
}

function booleanOrNull(value: unknown): boolean | null {
  return value === null || value === undefined ? null : Boolean(value);
}

const VIEW = { applyMarkdown: true, clientGravatar: false, allowEmptyTopicName: true };

/** Words a notification of a message for its reader, as of now. */
@Injectable()
export class PushContent {
  constructor(
    private readonly access: MessageAccess,
    private readonly rows: MessageRowsService,
    private readonly records: MessageRecordsService,
    private readonly organization: OrganizationDirectory,
  ) {}

  /** Null for a message that was read, deleted or moved out of reach. */
  async of(db: Queryable, account: AccountRecord, messageId: number): Promise<MessagePayload | null> {
    const reader = { userId: account.id, role: account.role };
    const found = (await this.access.among(db, reader, [messageId])).get(messageId);
    if (!found?.isReadable || (found.state.flags & Flag.read) !== 0) return null;
    const message = await this.rows.find(db, messageId);
    if (!message) return null;
    const [record] = await this.records.records(db, [message], { ...VIEW, reader });
    if (!record) return null;
    const common = {
      kind: 'message' as const,
      messageId,
      sentAt: record.timestamp,
      sender: record.sender_full_name,
      text: this.showsText(account, record.type) ? shortened(visibleText(record.content)) : null,
    };
    if (record.type === 'stream') {
      const channel = { id: record.stream_id!, name: record.display_recipient as string };
      const topic = record.subject;
      const shownTopic = topic === '' ? this.organization.settings.empty_topic_display_name : topic;
      return {
        ...common,
        tag: pushTag({ channelId: channel.id, topic }),
        placeName: `#${channel.name} › ${shownTopic}`,
        path: channelNarrow(channel, topic, { near: messageId }),
      };
    }
    const memberIds = (record.display_recipient as readonly RecipientWire[]).map(({ id }) => id);
    memberIds.sort((a, b) => a - b);
    return {
      ...common,
      tag: pushTag({ userIds: memberIds.filter((id) => id !== account.id) }),
      placeName: null,
      path: conversationNarrow(memberIds, messageId),
    };
  }

  /** Organizations that keep contents of messages out of email keep them out of notifications as well. */
  private showsText({ settings }: AccountRecord, type: 'stream' | 'private'): boolean {
    if (!this.organization.settings.message_content_allowed_in_email_notifications) return false;
    return type === 'stream' || personalSetting(settings, 'pm_content_in_desktop_notifications');
  }
}
