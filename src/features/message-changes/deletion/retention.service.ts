import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { Database } from '../../../platform/database/database.service';
import { TransactionService } from '../../../platform/database/transaction.service';
import { ProcessPurpose, PeriodicTask } from '../../../platform/lifecycle/periodic-task';
import { ChannelDirectory } from '../../channels/channels.module';
import { MessageCountsService } from '../../messages/messages.module';
import { UnlinkedUploadsService } from '../../uploads/uploads.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { ChannelRowsService } from '../locks/message-locks.service';
import { RemoveMessagesService } from './delete-messages.service';
import { LegalHoldsService } from './legal-holds.service';

const INTERVAL_MS = 3_600_000;
const SECONDS_A_DAY = 86_400;

/** Small enough not to delay others, who write between two steps. */
const MESSAGES_PER_STEP = 200;

/** How many messages to check per step if there are holds, as most of them may be held. */
const MESSAGES_PER_LOOK = 2_000;

/** Maximum number of topics or conversations per step: each requires separate statements and an event. */
const EVENTS_PER_STEP = 20;

const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 1_000;

/** A channel, or some conversations. */
type Place = { readonly channelId: number } | { readonly conversationIds: readonly number[] };

const CONVERSATIONS_PER_STEP = 200;

/** A message to delete, and the topic or conversation of its event. */
interface DueMessage {
  readonly id: number;
  readonly toldAs: number;
}

/** The messages that one step processes. */
interface DueMessages {
  readonly ids: readonly number[];
  /** Older messages of the place are about to be deleted, on hold, or not due. */
  readonly upTo: number;
}

/** The setting that keeps messages forever. */
const UNLIMITED = -1;

/**
 * Deletes messages older than the retention period of their channel, or else of the organization; direct messages
 * follow the organization. Legal holds are respected. Clients receive the same events as for other deletions, a few per
 * step.
 */
@Injectable()
export class RetentionService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task = new PeriodicTask('Retention', () => this.expire());

  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly channels: ChannelDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly times: MessageCountsService,
    private readonly removing: RemoveMessagesService,
    private readonly holds: LegalHoldsService,
    private readonly uploads: UnlinkedUploadsService,
    private readonly channelRows: ChannelRowsService,
    private readonly clock: Clock,
    private readonly purpose: ProcessPurpose,
  ) {}

  onApplicationBootstrap(): void {
    if (this.purpose.isServer) this.task.start(INTERVAL_MS, { atOnce: true, clock: this.clock });
  }

  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }

  /** Deletes everything that is due by now, in small steps. */
  async expire(): Promise<void> {
    const now = this.clock.nowSeconds();
    for (const { id } of [...this.channels.all()]) {
      if (this.task.isStopping) return;
      const before = this.channels.byId(id)?.firstMessageId;
      const { channelIds } = await this.holds.targets(this.database.read);
      if (channelIds.includes(id)) continue;
      await this.expirePlace(now, { channelId: id }, () => this.daysOf(id));
      if (this.channels.byId(id)?.firstMessageId !== before) {
        await this.transactions.run((tx) => this.channelRows.tellFirst(tx, id));
      }
    }
    await this.expireConversations(now);
  }

  private async expireConversations(now: number): Promise<void> {
    let lastId = 0;
    while (!this.task.isStopping && this.daysOf(null) !== null) {
      const { userIds } = await this.holds.targets(this.database.read);
      const rows = await this.database.read.query<{ id: number }>(
        `SELECT c.id FROM direct_conversation c
         WHERE c.id > ? AND NOT EXISTS (
           SELECT 1 FROM direct_conversation_member d WHERE d.conversation_id = c.id AND d.user_id IN (?))
         ORDER BY c.id LIMIT ?`,
        [lastId, userIds, CONVERSATIONS_PER_STEP],
      );
      const ids = rows.map(({ id }) => id);
      if (ids.length === 0) return;
      await this.expirePlace(now, { conversationIds: ids }, () => this.daysOf(null));
      lastId = Math.max(...ids);
    }
  }

  /**
   * Deletes the expired messages of a place, oldest first, and files that only such messages linked. Skips messages on
   * hold.
   * @param now UNIX seconds
   * @param keptDays called before each step, as the setting may change; null ends the deletion
   */
  private async expirePlace(now: number, place: Place, keptDays: () => number | null): Promise<void> {
    for (let lastId = 0; ;) {
      const begunAt = this.clock.monotonicMs();
      const days = keptDays();
      if (days === null) return;
      const due = await this.due(place, now - days * SECONDS_A_DAY, lastId);
      if (due === null) return;
      lastId = due.upTo;
      if (due.ids.length > 0) {
        const isDue = () => keptDays() === days;
        const removed = await this.removeDue(place, due.ids, isDue);
        if (removed === 0) return;
      }
      // A request takes several turns of the event loop, and a step may block one: others get as much time as it took.
      const took = this.clock.monotonicMs() - begunAt;
      await pause(Math.min(Math.max(SHORTEST_PAUSE_MS, took), LONGEST_PAUSE_MS));
    }
  }

  /** @returns how many were deleted */
  private async removeDue(
    place: Place,
    messageIds: readonly number[],
    isDue: () => boolean,
  ): Promise<number> {
    const linked = await this.uploads.linkedByAny(this.database.read, messageIds);
    const removed = await this.removing.remove({
      messageIds,
      deleterId: null,
      choose: async (tx, locked) => {
        if (!isDue()) return [];
        const held = await this.holds.heldAmong(tx, messageIds);
        const isThere = (channelId: number | null) =>
          !('channelId' in place) || channelId === place.channelId;
        return locked.filter(({ id, channelId }) => isThere(channelId) && !held.has(id));
      },
    });
    await this.uploads.remove(linked);
    return removed;
  }

  /**
   * The oldest expired messages after a given one, as many as one step processes; null after the last one.
   * @param before UNIX seconds
   */
  private async due(place: Place, before: number, lastId: number): Promise<DueMessages | null> {
    const inPlace = 'channelId' in place ? 'channel_id = ?' : 'conversation_id IN (?)';
    const value = 'channelId' in place ? place.channelId : place.conversationIds;
    const db = this.database.read;
    const mayBeHeld = (await this.holds.condition(db)) !== null;
    const rows = await db.query<DueMessage>(
      `SELECT m.id, COALESCE(m.topic_id, m.conversation_id) AS "toldAs" FROM message m
       WHERE m.${inPlace} AND m.id > ? AND m.id <= ? AND m.sent_at < ? ORDER BY m.id LIMIT ?`,
      [
        ...[value, lastId, await this.times.lastIdBefore(before), before],
        mayBeHeld ? MESSAGES_PER_LOOK : MESSAGES_PER_STEP,
      ],
    );
    const newest = rows.at(-1);
    if (newest === undefined) return null;
    const held = await this.holds.heldAmong(
      db,
      rows.map(({ id }) => id),
    );
    const free = rows.filter(({ id }) => !held.has(id));
    const ids = firstStep(free);
    return { ids, upTo: ids.length < free.length ? ids.at(-1)! : newest.id };
  }

  /**
   * For how many days messages are currently kept; null for forever, and once the server stops.
   * @param channelId null for direct messages
   */
  private daysOf(channelId: number | null): number | null {
    const own = channelId === null ? null : this.channels.byId(channelId)?.messageRetentionDays;
    const days = own ?? this.organization.settings.message_retention_days;
    return this.task.isStopping || days === UNLIMITED ? null : days;
  }
}

/** The first messages, as many as {@link MESSAGES_PER_STEP} and {@link EVENTS_PER_STEP} allow. */
function firstStep(messages: readonly DueMessage[]): number[] {
  const told = new Set<number>();
  const ids: number[] = [];
  for (const { id, toldAs } of messages.slice(0, MESSAGES_PER_STEP)) {
    if (told.add(toldAs).size > EVENTS_PER_STEP) break;
    ids.push(id);
  }
  return ids;
}
