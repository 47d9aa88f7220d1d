import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EditHistoryService, editsWithinLimit, visibleEdits } from './edit-history.service';
import { editWire, type EditWire, historyWire, type SnapshotWire } from './history.api';
import type { Actor } from '../../../platform/actor';
import { Database } from '../../../platform/database/database.service';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import type { Queryable } from '../../../platform/sql/queryable';
import {
  ChannelAccess,
  channelChanged,
  type ChannelChanged,
  type ChannelRecord,
} from '../../channels/channels.module';
import {
  type FieldsView,
  HistoricalMessageService,
  MessageAccess,
  messageFields,
} from '../../messages/messages.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { AccountDirectory } from '../../users/users.module';
import { EditHistoryDisabled } from '../rights/rights.api';

/** Limits on the history in one response. */
const HISTORY_LIMITS = { editsPerMessage: 200, bytes: 8 * 2 ** 20 };

/** Returns the edit history of a message. */
@Injectable()
export class MessageHistoryService {
  constructor(
    private readonly database: Database,
    private readonly messages: MessageAccess,
    private readonly history: EditHistoryService,
    private readonly organization: OrganizationDirectory,
  ) {}

  /**
   * @param allowEmptyTopicName whether the empty topic keeps its name instead of its display name
   * @throws EditHistoryDisabled, InvalidMessage
   */
  async show(actor: Actor, messageId: number, allowEmptyTopicName: boolean): Promise<SnapshotWire[]> {
    const settings = this.organization.settings;
    const visibility = settings.message_edit_history_visibility_policy;
    if (visibility === 'none') throw new EditHistoryDisabled();
    const db = this.database.read;
    const { message } = await this.messages.forReading(db, actor, messageId);
    const newest = await this.history.newest(db, [messageId], HISTORY_LIMITS);
    const edits = editsWithinLimit(newest, actor.limit);
    const shownTopic = (topic: string) =>
      topic === '' && message.channelId !== null && !allowEmptyTopicName
        ? settings.empty_topic_display_name
        : topic;
    const snapshots: SnapshotWire[] = [];
    const showsFormerContent = visibility === 'all' || message.senderId === actor.userId;
    const view = { shownTopic, visibility, showsFormerContent };
    for (const snapshot of historyWire(message, edits, view)) {
      snapshots.push(snapshot);
      // Comparing two long texts takes a while.
      await nextTurn();
    }
    return snapshots;
  }
}

/**
 * Limits on the history in one response's records: there may be thousands of edits, each with a copy of the content.
 */
const RECORD_LIMITS = { editsPerMessage: 50, bytes: 2 * 2 ** 20 };

/** Adds `edit_history` to the records of messages. */
@Injectable()
export class EditHistoryRecordsService {
  constructor(
    private readonly history: EditHistoryService,
    private readonly organization: OrganizationDirectory,
    hooks: Hooks,
  ) {
    hooks.on(messageFields, (db, messages, view) =>
      this.fields(
        db,
        messages.map(({ id }) => id),
        view,
      ),
    );
  }

  /** One query, however many messages there are. */
  private async fields(
    db: Queryable,
    messageIds: readonly number[],
    { limit, shownTopic }: FieldsView,
  ): Promise<Map<number, { edit_history: readonly EditWire[] }>> {
    const fields = new Map<number, { edit_history: EditWire[] }>();
    const { message_edit_history_visibility_policy: visibility } = this.organization.settings;
    if (visibility === 'none') return fields;
    const edits = await this.history.newest(db, messageIds, RECORD_LIMITS);
    for (const edit of visibleEdits(editsWithinLimit(edits, limit), visibility)) {
      const wire = editWire(edit, shownTopic);
      const known = fields.get(edit.messageId);
      if (known) known.edit_history.push(wire);
      else fields.set(edit.messageId, { edit_history: [wire] });
    }
    return fields;
  }
}

const MESSAGES_PER_STATEMENT = 500;

/**
 * When a channel's history becomes protected, messages moved into it earlier stay with recipients who can see them now.
 * Former recipients who join the channel later must not see them, with all later edits.
 */
@Injectable()
export class ProtectedHistoryService implements OnModuleInit {
  constructor(
    private readonly hooks: Hooks,
    private readonly accounts: AccountDirectory,
    private readonly access: ChannelAccess,
    private readonly history: HistoricalMessageService,
  ) {}

  onModuleInit(): void {
    this.hooks.on(channelChanged, (tx, change) => this.channelChanged(tx, change));
  }

  private async channelChanged(tx: Transaction, { before, after }: ChannelChanged): Promise<void> {
    const { channel } = after;
    if (channel.isHistoryPublicToSubscribers || !before.channel.isHistoryPublicToSubscribers) return;
    const people = { entering: Audience.none, keeping: this.readersOf(channel) };
    for (;;) {
      const moved = await tx.query<{ id: number }>(
        'SELECT id FROM message WHERE channel_id = ? AND sent_channel_id > 0 ORDER BY id LIMIT ?',
        [channel.id, MESSAGES_PER_STATEMENT],
      );
      if (moved.length === 0) return;
      await this.history.settle(
        tx,
        people,
        moved.map(({ id }) => id),
      );
    }
  }

  private readersOf(channel: ChannelRecord): Audience {
    const readers = this.accounts
      .all()
      .filter(
        ({ id, role, isActive }) => isActive && this.access.hasContentAccess({ userId: id, role }, channel),
      );
    return Audience.of(readers.map(({ id }) => id));
  }
}
