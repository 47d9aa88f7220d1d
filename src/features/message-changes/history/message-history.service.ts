import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Database } from '../../../platform/database/database.service';
import { MessageAccess } from '../../messages/messages.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { EditHistoryService } from './edit-history.service';
import { EditHistoryDisabled } from '../rights/rights.api';
import { historyWire, type SnapshotWire } from './history.api';

/** How far an answer goes back. */
const LIMITS = { editsPerMessage: 200, bytes: 8 * 2 ** 20 };

/** Tells how a message came to be what it is. */
@Injectable()
export class MessageHistoryService {
  constructor(
    private readonly database: Database,
    private readonly messages: MessageAccess,
    private readonly history: EditHistoryService,
    private readonly organization: OrganizationDirectory,
  ) {}

  /**
   * @param allowEmptyTopicName whether the empty topic is shown as it is instead of under its display name
   * @throws EditHistoryDisabled, InvalidMessage
   */
  async show(actor: Actor, messageId: number, allowEmptyTopicName: boolean): Promise<SnapshotWire[]> {
    const settings = this.organization.settings;
    const visibility = settings.message_edit_history_visibility_policy;
    if (visibility === 'none') throw new EditHistoryDisabled();
    const db = this.database.read;
    const { message } = await this.messages.forReading(db, actor, messageId);
    const edits = await this.history.newest(db, [messageId], LIMITS);
    const shownTopic = (topic: string) =>
      topic === '' && message.channelId !== null && !allowEmptyTopicName
        ? settings.empty_topic_display_name
        : topic;
    const snapshots: SnapshotWire[] = [];
    const showsFormerContent = visibility === 'all' || message.senderId === actor.userId;
    const view = { shownTopic, visibility, showsFormerContent };
    for (const snapshot of historyWire(message, edits, view)) {
      snapshots.push(snapshot);
      // Comparing two long texts takes a moment.
      await nextTurn();
    }
    return snapshots;
  }
}
