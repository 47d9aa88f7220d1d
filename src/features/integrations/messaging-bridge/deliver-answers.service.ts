import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan } from 'typeorm';
import { ConversationDirectory } from './conversation.directory';
import { MessagingMockEntry } from './messaging-conversation.entity';
import type { AnswerWire, MockLogEntryWire } from './messaging.api';
import { Clock } from '../../../platform/clock';
import { Config } from '../../../platform/config/config';
import { Database } from '../../../platform/database/database.service';
import type { ReadRepository } from '../../../platform/database/read-source';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import {
  pageAnswer,
  type PageAnswer,
  type PageQuery,
  pageWindow,
} from '../../../platform/http/companion/paging';
import { defineJob, type RunningJob, UnrecoverableError } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import { AddressRules } from '../../../platform/outbound/address-rules';
import { type OutboundAnswer, OutboundFailure } from '../../../platform/outbound/outbound-request';
import { Traces } from '../../../platform/traces/traces';
import { ADVERTISED_VERSION } from '../../../platform/version';
import { ChannelDirectory } from '../../channels/channels.module';
import {
  messagesDeleted,
  messageSent,
  type SentMessage,
  SystemMessageService,
} from '../../messages/messages.module';
import { AccountDirectory } from '../../users/users.module';

/** A message to post to the outside sender whose topic it is in. */
interface AnswerJob {
  readonly conversationId: number;
  readonly messageId: number;
  /** The answer's ID at the receiver if it predates jobs; newer ones use the message ID. */
  readonly number?: number;
}

/** Job that posts an answer. Its group is the conversation, its key the message. */
const messagingAnswer = defineJob<AnswerJob>('messaging_answer');

/** Enqueues the job that posts an answer to an outside sender, in the transaction that sends the message. */
@Injectable()
export class NoteAnswersService {
  constructor(
    private readonly conversations: ConversationDirectory,
    private readonly jobs: Jobs,
    hooks: Hooks,
  ) {
    hooks.on(messageSent, (tx, message) => this.note(tx, message));
    hooks.on(messagesDeleted, (tx, messageIds) => this.forget(tx, messageIds));
  }

  /**
   * Ignores messages of bots, which include those of the bridge itself, and notices that do not concern outside
   * senders.
   */
  private async note(tx: Transaction, { messageId, sender, topicId }: SentMessage): Promise<void> {
    if (sender.isBot || topicId === null) return;
    const conversationId = this.conversations.idByTopic.get(topicId);
    if (conversationId === undefined) return;
    await this.jobs.enqueue(tx, {
      kind: messagingAnswer,
      group: String(conversationId),
      key: String(messageId),
      data: { conversationId, messageId },
    });
  }

  private async forget(tx: Transaction, messageIds: readonly number[]): Promise<void> {
    await this.jobs.cancel(tx, messagingAnswer, messageIds.map(String));
  }
}

/** Why an answer was not posted. */
interface AnswerFailure {
  readonly reason: string;
  /** Whether a retry may succeed. */
  readonly isPassing: boolean;
}

/** How long posting one answer may take. */
const CALL_TIMEOUT_MS = 20_000;

const MAX_ANSWER_BYTES = 1024 * 1024;

/** Statuses with which a receiver rejects a message permanently. Any other failure may be fixed at its end. */
const FINAL = [400, 413, 422];

/** The operator configured the URL, so it may be in any network. */
const ANYWHERE = new AddressRules(['0.0.0.0/0', '::/0']);

interface Row {
  readonly address: string;
  readonly source: string;
  readonly via: string | null;
  readonly content: string;
  readonly senderId: number;
  readonly sentAt: number;
}

/** Posts answers to the address that the operator configured. */
@Injectable()
export class PostAnswerService {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly accounts: AccountDirectory,
    private readonly traces: Traces,
  ) {}

  /** Payload with the current text of an answer; null if its message was deleted. */
  async payload({ number, messageId, conversationId }: AnswerJob): Promise<AnswerWire | null> {
    const [row] = await this.database.read.query<Row>(
      `SELECT c.address, c.source, c.via, m.content, m.sender_id AS "senderId", m.sent_at AS "sentAt"
       FROM message m JOIN messaging_conversation c ON c.id = ? WHERE m.id = ?`,
      [conversationId, messageId],
    );
    if (!row) return null;
    return {
      id: `answer-${number ?? messageId}`,
      to: row.address,
      source: row.source,
      via: row.via,
      text: row.content,
      sender_full_name: this.accounts.byId(row.senderId)?.fullName ?? '',
      message_id: messageId,
      timestamp: row.sentAt,
    };
  }

  /**
   * Posts an answer.
   * @param signal aborts the call, which is a temporary failure
   * @returns null if the receiver accepted it
   */
  async post(url: string, payload: AnswerWire, signal: AbortSignal): Promise<AnswerFailure | null> {
    const request = {
      url,
      headers: {
        'content-type': 'application/json',
        'user-agent': `Parley/${ADVERTISED_VERSION}`,
        'idempotency-key': payload.id,
      },
      body: JSON.stringify(payload),
      timeoutMs: CALL_TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
      signal,
    };
    try {
      return failureOf(await this.traces.post('bridge answer', request, ANYWHERE));
    } catch (error) {
      if (!(error instanceof OutboundFailure)) throw error;
      return { reason: error.message, isPassing: !error.isFinal };
    }
  }

  get url(): string | null {
    return this.config.messagingSendUrl;
  }
}

function failureOf({ status }: OutboundAnswer): AnswerFailure | null {
  if (status >= 200 && status <= 299) return null;
  return { reason: `the receiver responded with status ${status}`, isPassing: !FINAL.includes(status) };
}

/** Stores answers while no URL is configured, to try out the bridge. */
@Injectable()
export class MockLogService {
  constructor(
    @InjectRepository(MessagingMockEntry) private readonly entries: ReadRepository<MessagingMockEntry>,
    private readonly clock: Clock,
  ) {}

  async add(tx: Transaction, payload: AnswerWire): Promise<void> {
    await tx
      .repository(MessagingMockEntry)
      .insert({ payload: JSON.stringify(payload), createdAt: this.clock.nowMs() });
  }

  /** Returns a page of the log, oldest first. @throws UnprocessableEntity */
  async list(query: PageQuery): Promise<PageAnswer<MockLogEntryWire>> {
    const window = pageWindow(query);
    const rows = await this.entries.find({
      where: { id: MoreThan(window.afterId) },
      order: { id: 'ASC' },
      take: window.size + 1,
      skip: window.offset,
    });
    return pageAnswer(rows, await this.entries.count(), window, ({ id, payload, createdAt }) => ({
      id,
      logged_at: Math.floor(createdAt / 1000),
      payload: JSON.parse(payload) as AnswerWire,
    }));
  }
}

/** Maximum concurrent calls per node; answers of one conversation are posted in order. */
const MAX_CALLS = 16;

const MINUTE_MS = 60_000;

/** Retry delays; the last one repeats. */
const RETRY_AFTER_MS = [5_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS];

/** Retries stop after this time. */
const GIVE_UP_AFTER_MS = 24 * 60 * MINUTE_MS;

/** Time for everything except the call. */
const MARGIN_MS = 30_000;

/** Posts answers to outside senders. */
@Injectable()
export class DeliverAnswersService {
  private readonly logger = new Logger('MessagingBridge');

  constructor(
    jobs: Jobs,
    private readonly calls: PostAnswerService,
    private readonly mockLog: MockLogService,
    private readonly transactions: TransactionService,
    private readonly channels: ChannelDirectory,
    private readonly messages: SystemMessageService,
  ) {
    jobs.handle(messagingAnswer, {
      work: (job) => this.deliver(job),
      failed: (job, error) => this.giveUp(job, error),
      retry: { delaysMs: RETRY_AFTER_MS, forMs: GIVE_UP_AFTER_MS },
      timeoutMs: CALL_TIMEOUT_MS + MARGIN_MS,
      concurrency: MAX_CALLS,
      orderedByGroup: true,
      leavesMachine: true,
    });
  }

  private async deliver(job: RunningJob<AnswerJob>): Promise<void> {
    const payload = await this.calls.payload(job.data);
    if (!payload) return;
    const { url } = this.calls;
    if (url === null) {
      await this.transactions.run(async (tx) => {
        if (await job.complete(tx)) await this.mockLog.add(tx, payload);
      });
      return;
    }
    const failure = await this.calls.post(url, payload, job.signal);
    if (failure) throw new (failure.isPassing ? Error : UnrecoverableError)(failure.reason);
  }

  private async giveUp(job: RunningJob<AnswerJob>, error: unknown): Promise<void> {
    const { messageId } = job.data;
    const reason = error instanceof Error ? error.message : String(error);
    this.logger.warn(`Cannot deliver message ${messageId}: ${reason}`);
    await this.transactions.runExclusive(async (tx) => {
      if (await job.complete(tx)) await this.tell(tx, messageId, reason);
    });
  }

  /** Reports the failure in the topic of the answer. */
  private async tell(tx: Transaction, messageId: number, reason: string): Promise<void> {
    const [place] = await tx.query<{ channelId: number; topic: string }>(
      `SELECT t.channel_id AS "channelId", t.name AS topic FROM message m JOIN topic t ON t.id = m.topic_id
       WHERE m.id = ?`,
      [messageId],
    );
    const channel = place && this.channels.byId(place.channelId);
    if (!channel || channel.isArchived) return;
    const content = `Message ${messageId} was not delivered: ${reason}. It will not be retried.`;
    await this.messages.sendToChannel(tx, 'notification-bot', { channel, topic: place.topic }, { content });
  }
}
