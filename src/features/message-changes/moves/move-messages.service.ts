import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { chunksOf, groupByList } from '../../../platform/collections';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import { defineJob, type RunningJob } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import { SubscriptionDirectory, type TopicRow, TopicRowsService } from '../../channels/channels.module';
import {
  MessageAccess,
  messageFlagAdded,
  MessageRowsService,
  messagesMoved,
  type NewPlace,
  type PlacedMessage,
  ReadStateService,
} from '../../messages/messages.module';
import { EditHistoryService, type NewEdit } from '../history/edit-history.service';
import type { DoneMove } from '../message-changes.api';
import {
  changesChannel,
  changesTopic,
  isOnlyMark,
  isRespelling,
  type PlannedMove,
} from '../rights/planned-edit';
import { TooManyToMove } from '../rights/rights.api';

/** Maximum number of messages per move: what a transaction can process in time even on slow machines. */
const MAX_MESSAGES = 200_000;

type Reach = ReturnType<MessageAccess['withinReach']>;

const EVERYTHING: Reach = { sql: '1 = 1', values: [] };

const MESSAGES_PER_STATEMENT = 1_000;
const MESSAGES_PER_PAGE = 4_000;

/** Messages to move. */
interface Departure {
  readonly actor: Actor;
  readonly plan: PlannedMove;
  readonly source: TopicRow;
  /** Ascending. */
  readonly messages: readonly PlacedMessage[];
}

/** Moves messages from a topic to another one. Callers check permissions. */
@Injectable()
export class MoveMessagesService {
  constructor(
    private readonly access: MessageAccess,
    private readonly topics: TopicRowsService,
    private readonly history: EditHistoryService,
    private readonly stored: MessageRowsService,
    private readonly hooks: Hooks,
  ) {}

  /**
   * Finds the messages that a move includes: in protected history, only those that the actor can see. A new spelling
   * applies to all messages.
   * @param topicId of a locked topic
   * @throws TooManyToMove
   */
  async departure(
    tx: Transaction,
    actor: Actor,
    { id, topicId }: { readonly id: number; readonly topicId: number | null },
    plan: PlannedMove,
  ): Promise<Departure> {
    const source = await this.topics.byId(tx, topicId ?? 0);
    const [low, high] =
      plan.mode === 'change_all' ? [0, MAX_ID] : [id, plan.mode === 'change_one' ? id : MAX_ID];
    const reach = isRespelling(plan) ? EVERYTHING : this.access.withinReach(actor, [source.channelId]);
    return { actor, plan, source, messages: await this.messages(tx, reach, source, { low, high }) };
  }

  /**
   * Moves messages, and records that in their history.
   * @param edit the part of the edit that applies to every message
   * @param besides a message with additional changes to record
   */
  async move(
    tx: Transaction,
    { actor, plan, source, messages }: Departure,
    edit: NewEdit,
    besides: { readonly messageId: number; readonly edit: NewEdit },
  ): Promise<DoneMove> {
    const ids = messages.map(({ id }) => id);
    const isWhole = ids.length === source.messageCount;
    const target = await this.arrive(tx, plan, source, isWhole);
    const intoExisting = target.messageCount > 0 && target.id !== source.id;
    const joinsOthersToMover = intoExisting && (await this.access.seesTopic(tx, actor, target));
    const place = placeOf(plan, target.id === source.id ? undefined : target.id, edit.editedAt);
    for (let at = 0; at < ids.length; at += MESSAGES_PER_STATEMENT) {
      // A large topic takes a while, during which others need to read.
      if (at > 0) await nextTurn();
      const some = ids.slice(at, at + MESSAGES_PER_STATEMENT);
      await this.stored.move(tx, some, place);
      await this.history.note(
        tx,
        some.filter((id) => id !== besides.messageId),
        edit,
      );
    }
    await this.history.note(tx, [besides.messageId], besides.edit);
    if (target.id !== source.id) {
      await this.topics.count(tx, target.id, ids.length);
      await this.topics.count(tx, source.id, -ids.length);
    }
    const isWholeToMover =
      isWhole || plan.mode === 'change_all' || !(await this.access.seesTopic(tx, actor, source));
    const done = {
      messageIds: ids,
      from: { channelId: plan.from.id, topicId: source.id, topic: source.name },
      to: { channelId: plan.to.id, topicId: target.id, topic: target.name },
      isWhole,
      isWholeToMover,
      joinsOthersToMover,
      intoExisting,
    };
    await this.hooks.run(messagesMoved, tx, done);
    return done;
  }

  private async messages(
    tx: Transaction,
    reach: Reach,
    { id: topicId }: TopicRow,
    { low, high }: { readonly low: number; readonly high: number },
  ): Promise<PlacedMessage[]> {
    const found: PlacedMessage[] = [];
    for (let from = low; ;) {
      const some = await tx.query<PlacedMessage>(
        `SELECT m.id, m.channel_id AS "channelId", m.sent_channel_id AS "sentChannelId",
           m.conversation_id AS "conversationId"
         FROM message m WHERE m.topic_id = ? AND m.id BETWEEN ? AND ? AND (${reach.sql})
         ORDER BY m.id LIMIT ?`,
        [topicId, from, high, ...reach.values, MESSAGES_PER_PAGE],
      );
      found.push(...some);
      if (found.length > MAX_MESSAGES) throw new TooManyToMove();
      const last = some.at(-1);
      if (!last || some.length < MESSAGES_PER_PAGE) return found;
      from = last.id + 1;
      await nextTurn();
    }
  }

  /** The destination topic's row. A topic moved whole keeps its row and takes the new name, if that is free. */
  private async arrive(
    tx: Transaction,
    plan: PlannedMove,
    source: TopicRow,
    isWhole: boolean,
  ): Promise<TopicRow> {
    const target = await this.topics.open(tx, plan.to.id, plan.topic);
    const isSpelling = target.id === source.id;
    if (!isSpelling && !(isWhole && target.messageCount === 0)) return target;
    if (!isSpelling) await this.topics.drop(tx, target.id);
    await this.topics.rename(tx, source.id, plan.to.id, plan.topic);
    return { ...source, channelId: plan.to.id, name: plan.topic };
  }
}

/** Largest ID that the column holds. */
const MAX_ID = 2_147_483_647;

/** The changes to the rows of moved messages. @param topicId if they leave the row of their topic */
function placeOf(plan: PlannedMove, topicId: number | undefined, at: number): NewPlace {
  return {
    topicId,
    channelId: changesChannel(plan) ? plan.to.id : undefined,
    movedAt: isOnlyMark(plan) ? undefined : at,
  };
}

/** The history entry of a move. */
export function moveAsEdit(plan: PlannedMove): Pick<NewEdit, 'topic' | 'channelId'> {
  return {
    ...(changesTopic(plan) ? { topic: { before: plan.topicBefore, after: plan.topic } } : {}),
    ...(changesChannel(plan) ? { channelId: { before: plan.from.id, after: plan.to.id } } : {}),
  };
}

/** Maximum number of read state blocks changed by one transaction. */
const BLOCKS_PER_STEP = 2_000;

/** Messages moved to a channel, and the subscribers of their former channel. */
interface MovedReading {
  readonly userIds: readonly number[];
  readonly channelId: number;
  readonly messageIds: readonly number[];
}

/** Marks messages as read for people from whom they were moved away. */
const readMovedMessages = defineJob<MovedReading>('read_moved_messages');

/** Failed jobs are retried for as long as a request may wait for them. */
const RETRY = { delaysMs: [5_000, 60_000, 600_000], forMs: 7 * 86_400_000 };

const MAX_WORK_MS = 10 * 60_000;

/**
 * Marks messages as read that were moved to channels where people are not subscribed, as if they had unsubscribed from
 * them. For many people and messages this takes a while, so it follows the move, in steps between which others can
 * write.
 */
@Injectable()
export class MovedReadingService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly readState: ReadStateService,
    private readonly jobs: Jobs,
  ) {
    jobs.handle(readMovedMessages, {
      work: (job) => this.mark(job),
      retry: RETRY,
      timeoutMs: MAX_WORK_MS,
      stopsAtOnce: true,
    });
  }

  /**
   * Enqueues the follow-up work within the transaction of the move.
   * @param told people who can see the messages now
   */
  async enqueue(tx: Transaction, done: DoneMove, told: Audience): Promise<void> {
    const { from, to, messageIds } = done;
    if (from.channelId === to.channelId) return;
    const leaving = [...this.subscriptions.subscribersOf(from.channelId).ids()].filter((id) => told.has(id));
    if (leaving.length === 0) return;
    const data: MovedReading = { userIds: leaving, channelId: to.channelId, messageIds };
    await this.jobs.enqueue(tx, { kind: readMovedMessages, data });
  }

  private async mark({ data, signal }: RunningJob<MovedReading>): Promise<void> {
    const { userIds, channelId, messageIds } = data;
    const size = Math.max(1, Math.floor(BLOCKS_PER_STEP / this.readState.countRows(messageIds)));
    for (const some of chunksOf(userIds, size)) {
      signal.throwIfAborted();
      await this.transactions.run(async (tx) => {
        const people = some.filter((id) => !this.subscriptions.isSubscribed(id, channelId));
        const marked = await this.readState.markReadForAll(tx, people, messageIds);
        for (const { userIds: readers, items } of groupByList(marked, (messageId) => messageId)) {
          if (items.length > 0) tx.emit(messageFlagAdded('read', items), Audience.of(readers));
        }
      });
    }
  }
}
