import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type Indexed, type Phrase, type PreparedSearch, SearchIndex, type SearchQuery } from './search';
import { messageWords, nameWords } from './words';
import { rowsPutBack } from '../../../platform/database/database.hooks';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import type { Queryable } from '../../../platform/sql/queryable';
import { topicNamed, topicRemoved } from '../../channels/channels.module';
import type { CandidateSearch, Resolved } from '../scan/candidate-search';
import { ALL_MESSAGES, type IdRange } from '../store/message-rows.service';
import { messageEdited, messagesDeleted, messageSent, messagesMoved } from '../store/messages.hooks';
import { allOf, anyOf, condition, NEVER, type SqlCondition } from '../store/personal-conditions';

/** What is looked for. */
interface Search {
  readonly prepared: PreparedSearch;
  readonly phrases: readonly Phrase[];
  /** Phrases that occur in at least one topic name. */
  readonly named: ReadonlySet<Phrase>;
}

/**
 * Finds messages by their words. Each phrase must occur in the text of the message or in the name of its topic. The two
 * are indexed separately, so renaming a topic costs the same however many messages it has.
 */
@Injectable()
export class SearchMessagesService {
  constructor(private readonly index: SearchIndex) {}

  /** @param query null for a text without words, which matches no message */
  async find(db: Queryable, query: SearchQuery | null): Promise<Resolved> {
    if (!query) return { condition: NEVER };
    const prepared = await this.index.prepare(db, query);
    const search = { prepared, phrases: query.phrases, named: await phrasesOfTopics(db, prepared, query) };
    const test = fulfilled(search, ALL_MESSAGES);
    if (prepared.isFrequent) return { condition: test };
    const lead: CandidateSearch = {
      idsIn: (range) => idsOf(search, range, prepared.messages),
      idsOfFew: (range) => idsOf(search, range, prepared.messagesByWord),
      implied: (range) => fulfilled(search, range),
    };
    return { condition: test, lead, isExact: true };
  }
}

/** Phrases that occur in at least one topic name: usually none. */
async function phrasesOfTopics(
  db: Queryable,
  prepared: PreparedSearch,
  { phrases }: SearchQuery,
): Promise<ReadonlySet<Phrase>> {
  const named = new Set<Phrase>();
  for (const phrase of phrases) {
    const { sql, values } = prepared.topics(phrase);
    const [topic] = await db.query(`SELECT id FROM (${sql}) named LIMIT 1`, values);
    if (topic) named.add(phrase);
  }
  return named;
}

/** The condition that each phrase occurs in the text of message `m` or in the name of its topic. */
function fulfilled({ prepared, phrases, named }: Search, range: IdRange): SqlCondition {
  const others = phrases.filter((phrase) => !named.has(phrase));
  return allOf(
    ...Array.from(named, (phrase) => anyOf(inTopic(prepared, phrase), prepared.has([phrase], range))),
    ...(others.length === 0 ? [] : [prepared.has(others, range)]),
  );
}

/** Queries for the messages with all phrases in their text, and for those that have some in the topic name. */
function idsOf(search: Search, range: IdRange, messages: PreparedSearch['messages']): SqlCondition[] {
  const { phrases, named } = search;
  return [messages(phrases, range), ...(named.size === 0 ? [] : [withTopic(search, range, messages)])];
}

/** Messages whose topic contains at least one of the phrases, and which contain the others. */
function withTopic(
  { prepared, phrases, named }: Search,
  range: IdRange,
  messages: PreparedSearch['messages'],
): SqlCondition {
  const inText = (some: readonly Phrase[]) => isIn('m.id', messages(some, range));
  const others = phrases.filter((phrase) => !named.has(phrase));
  const { sql, values } = allOf(
    anyOf(...Array.from(named, (phrase) => inTopic(prepared, phrase))),
    ...(named.size === 1
      ? []
      : Array.from(named, (phrase) => anyOf(inTopic(prepared, phrase), inText([phrase])))),
    ...(others.length === 0 ? [] : [inText(others)]),
    condition('m.id BETWEEN ? AND ?', range.low, range.high),
  );
  return condition(`SELECT m.id FROM message m WHERE ${sql}`, ...values);
}

function inTopic(prepared: PreparedSearch, phrase: Phrase): SqlCondition {
  return isIn('m.topic_id', prepared.topics(phrase));
}

function isIn(column: string, { sql, values }: SqlCondition): SqlCondition {
  return condition(`${column} IN (SELECT id FROM (${sql}) found)`, ...values);
}

/** Rows and characters to index in one transaction, for which other writers wait. */
const ROWS_PER_STEP = 100;
const TEXT_PER_STEP = 100_000;

/**
 * How many new messages may wait before they are indexed; fewer if they have as much text as one step indexes. Until
 * then each search scans them all.
 */
const SENT_PER_ROUND = 64;

interface Row {
  readonly id: number;
  readonly text: string;
}

/** Keeps the full-text index in sync with messages and topics. */
@Injectable()
export class IndexMessagesService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Search');
  private sentSince = 0;
  private textSince = 0;
  private round: Promise<void> | undefined;
  private isStopping = false;

  constructor(
    private readonly index: SearchIndex,
    private readonly transactions: TransactionService,
    hooks: Hooks,
  ) {
    hooks.on(topicNamed, (tx, { id, name }) =>
      this.index.replace(tx, 'topic', { id, words: nameWords(name) }),
    );
    hooks.on(topicRemoved, (tx, topicId) => this.index.remove(tx, 'topic', [topicId]));
    hooks.on(messageSent, ({ engine }, { rendered }) => {
      if (engine !== 'sqlite') return;
      this.textSince += rendered.html.length;
      if (++this.sentSince >= SENT_PER_ROUND || this.textSince >= TEXT_PER_STEP) this.catchUp();
    });
    hooks.on(messageEdited, (tx, { messageId, rendered }) =>
      this.index.replace(tx, 'message', { id: messageId, words: messageWords(rendered.html) }),
    );
    hooks.on(messagesMoved, (tx, { to }) =>
      this.index.replace(tx, 'topic', { id: to.topicId, words: nameWords(to.topic) }),
    );
    hooks.on(messagesDeleted, (tx, messageIds) => this.index.remove(tx, 'message', messageIds));
    hooks.on(rowsPutBack, (tx) => this.restart(tx));
  }

  /** Older databases contain messages that were never indexed. */
  onApplicationBootstrap(): void {
    this.catchUp();
  }

  /** Before the connections close. */
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    await this.round;
  }

  /** Indexes topics at once, since searches find them only through the index, and messages later. */
  private async restart(tx: Transaction): Promise<void> {
    await this.index.clear(tx);
    await tx.query(
      `UPDATE search_progress SET indexed_id = 0, until_id =
         CASE WHEN name = 'topic' THEN (SELECT COALESCE(MAX(id), 0) FROM topic) ELSE NULL END`,
    );
    for (let isDone = false; !isDone;) isDone = await this.step(tx, 'topic');
    tx.afterCommit(() => this.catchUp());
  }

  /**
   * Indexes messages and topics as they are written. Requires that nobody else writes messages meanwhile. If older
   * messages are still waiting, the new ones wait for the next start as well.
   */
  async addWritten(
    tx: Transaction,
    messages: readonly { readonly id: number; readonly html: string }[],
    topics: readonly { readonly id: number; readonly name: string }[],
  ): Promise<void> {
    const named = topics.map(({ id, name }) => ({ id, words: nameWords(name) }));
    if (named.length > 0) await this.index.add(tx, 'topic', named);
    const [first, last] = [messages[0], messages.at(-1)];
    if (!first || !last) return;
    const progressed = await tx.query(
      `UPDATE search_progress SET indexed_id = ?
       WHERE name = 'message' AND indexed_id >= (SELECT COALESCE(MAX(id), 0) FROM message WHERE id < ?)
       RETURNING indexed_id`,
      [last.id, first.id],
    );
    if (progressed.length === 0) return;
    await this.index.add(
      tx,
      'message',
      messages.map(({ id, html }) => ({ id, words: messageWords(html) })),
    );
  }

  private catchUp(): void {
    this.sentSince = this.textSince = 0;
    this.round ??= this.indexAll()
      .catch((error: unknown) => this.logger.error(error))
      .finally(() => (this.round = undefined));
  }

  /** Indexes everything, yielding to other writers for as long as each step takes. */
  private async indexAll(): Promise<void> {
    for (const what of ['topic', 'message'] as const) {
      for (let isDone = false; !isDone && !this.isStopping;) {
        const began = performance.now();
        isDone = await this.transactions.run((tx) => this.step(tx, what));
        if (!isDone) await pause(performance.now() - began);
      }
    }
  }

  /**
   * A step that was not full is the last one. Continuing until nothing is left would never end while people write, and
   * would index a handful of messages at the cost of a hundred.
   * @returns whether everything is indexed
   */
  private async step(tx: Transaction, what: Indexed): Promise<boolean> {
    const { rows, isMore } = await nextRows(tx, what);
    const last = rows.at(-1);
    if (!last) return true;
    const wordsOf = what === 'message' ? messageWords : nameWords;
    await this.index.add(
      tx,
      what,
      rows.map(({ id, text }) => ({ id, words: wordsOf(text) })),
    );
    await tx.query('UPDATE search_progress SET indexed_id = ? WHERE name = ?', [last.id, what]);
    return !isMore;
  }
}

/** The next rows to index, and whether more may follow. */
async function nextRows(tx: Queryable, what: Indexed): Promise<{ rows: Row[]; isMore: boolean }> {
  const [progress] = await tx.query<{ indexedId: number; untilId: number | null }>(
    `SELECT indexed_id AS "indexedId", until_id AS "untilId" FROM search_progress WHERE name = ?
     ${tx.engine === 'postgres' ? 'FOR UPDATE' : ''}`,
    [what],
  );
  if (!progress || progress.indexedId === progress.untilId) return { rows: [], isMore: false };
  const text = what === 'message' ? 'rendered_content' : 'name';
  const rows = await tx.query<Row>(
    `SELECT id, ${text} AS text FROM ${what} WHERE id > ? AND id <= COALESCE(?, id) ORDER BY id LIMIT ?`,
    [progress.indexedId, progress.untilId, ROWS_PER_STEP],
  );
  let length = 0;
  const taken = rows.filter((row, at) => {
    const isWithin = at === 0 || length < TEXT_PER_STEP;
    length += row.text.length;
    return isWithin;
  });
  return { rows: taken, isMore: rows.length === ROWS_PER_STEP || taken.length < rows.length };
}
