import { Injectable } from '@nestjs/common';
import { type MessagePayload, pushTag, shortened } from './push-payload';
import type { Queryable } from '../../../platform/sql/queryable';
import {
  channelNarrow,
  conversationNarrow,
  Flag,
  MessageAccess,
  MessageRecordsService,
  MessageRowsService,
  readHtml,
  type RecipientWire,
} from '../../messages/messages.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { type AccountRecord, personalSetting } from '../../users/users.module';
import { withoutSpoilers } from '../choice/spoilers';

const VIEW = { applyMarkdown: true, clientGravatar: false, allowEmptyTopicName: true };

/** Composes the notification of a message for its reader, using current data. */
@Injectable()
export class PushContent {
  constructor(
    private readonly access: MessageAccess,
    private readonly rows: MessageRowsService,
    private readonly records: MessageRecordsService,
    private readonly organization: OrganizationDirectory,
  ) {}

  /** Null for a message that was read, deleted or moved to where the reader has no access. */
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
      text: this.showsText(account, record.type)
        ? shortened(readHtml(withoutSpoilers(record.content, '(…)')).text)
        : null,
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

  /** The setting that keeps message texts out of email also applies to notifications. */
  private showsText({ settings }: AccountRecord, type: 'stream' | 'private'): boolean {
    if (!this.organization.settings.message_content_allowed_in_email_notifications) return false;
    return type === 'stream' || personalSetting(settings, 'pm_content_in_desktop_notifications');
  }
}
