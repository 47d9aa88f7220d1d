import { Injectable } from '@nestjs/common';
import { yieldToEventLoop } from '../../../platform/clock';
import {
  type FetchedMessage,
  type FetchedMessages,
  matchesWire,
  type MatchesWire,
} from './fetched-messages.api';
import { MAX_MESSAGES, MessageRangeService, parseRange, type RequestedRange } from './message-range.service';
import { NarrowService } from './narrow.service';
import type { SearchQuery } from './search';
import { Database } from '../../../platform/database/database.service';
import { ReplicaReader } from '../../../platform/database/replica-reader';
import { RawJson } from '../../../platform/http/envelope.interceptor';
import type { Queryable } from '../../../platform/sql/queryable';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import type { Requester as Reader } from '../../user-groups/user-groups.module';
import { MessageAccess } from '../readers/message.access';
import { PersonalFlagsService } from '../readers/personal-flags.service';
import { MessageScanService } from '../scan/message-scan.service';
import { flagNames } from '../store/message-flags';
import { IdsWithRange, MessagesTooLarge, TooManyMessages } from '../store/message-records.api';
import {
  jsonMembers,
  kept,
  MessageRecordsService,
  type MessageView,
  type RecordText,
} from '../store/message-records.service';
import { loadMessages, type MessageRow } from '../store/message-rows.service';
import { FieldsTooLarge } from '../store/messages.hooks';

/** Approximate limit for the characters of messages in one response, which is built in memory as a single string. */
const MAX_LENGTH = 8 * 2 ** 20;

/** Milliseconds of work before yielding to other requests. */
const TURN_MS = 20;

/** Messages read from the database at a time, unless they carry too much data. */
const MESSAGES_AT_A_TIME = 250;

/** Limits how much one response contains and how long it may block the event loop. */
class AnswerBudget {
  /** Messages to read at a time. */
  messagesAtATime = MESSAGES_AT_A_TIME;
  private length = 0;
  private turnBegan = performance.now();

  get isSpent(): boolean {
    return this.length > MAX_LENGTH;
  }

  /** Charges part of the response against the budget. */
  spend(characters: number): void {
    this.length += characters;
  }

  /** Whether to yield to other requests. */
  get isTurnOver(): boolean {
    return performance.now() - this.turnBegan >= TURN_MS;
  }

  async endTurn(): Promise<void> {
    await yieldToEventLoop();
    this.turnBegan = performance.now();
  }
}

/** How to present messages, regardless of the reader. */
type Form = Omit<MessageView, 'reader'>;

/** Which messages to fetch, and in which form. */
export interface FetchRequest {
  /** Unparsed terms. */
  readonly narrow: readonly unknown[];
  readonly range: RequestedRange;
  /** IDs to fetch instead of a range. */
  readonly messageIds?: readonly number[];
  readonly form: Form;
}

/** Fetches messages for a reader, and reports which messages match a narrow. */
@Injectable()
export class FetchMessagesService {
  constructor(
    private readonly database: Database,
    private readonly replica: ReplicaReader,
    private readonly narrows: NarrowService,
    private readonly scan: MessageScanService,
    private readonly ranges: MessageRangeService,
    private readonly records: MessageRecordsService,
    private readonly personalFlags: PersonalFlagsService,
    private readonly access: MessageAccess,
    private readonly organization: OrganizationDirectory,
  ) {}

  /**
   * @param reader null for a person without an account
   * @throws BadRequest, BadNarrow, Unauthorized
   */
  async fetch(reader: Reader | null, request: FetchRequest): Promise<FetchedMessages> {
    const { messageIds } = request;
    return this.replica.read((replica) =>
      messageIds
        ? this.fetchIds(reader, request, messageIds, replica)
        : this.fetchRange(reader, request, parseRange(request.range), replica),
    );
  }

  /** @throws InvalidMessage */
  async fetchOne(
    reader: Reader,
    messageId: number,
    form: Form,
  ): Promise<{ message: RawJson<FetchedMessage>; rawContent: string }> {
    const db = this.database.read;
    const { message } = await this.access.forReading(db, reader, messageId);
    const [record] = await this.read(db, reader, [messageId], form);
    return { message: new RawJson(record ? textOf(record, null) : 'null'), rawContent: message.content };
  }

  /**
   * Filters the messages down to those that match the narrow, for clients that cannot evaluate it themselves.
   * @param narrow unparsed terms
   * @throws BadRequest, BadNarrow, MessagesTooLarge
   */
  async match(
    reader: Reader,
    messageIds: readonly number[],
    narrow: readonly unknown[],
  ): Promise<Record<string, MatchesWire>> {
    if (messageIds.length > MAX_MESSAGES) throw new TooManyMessages(MAX_MESSAGES);
    const { db, rows, selection, searched } = await this.narrows.open(reader, narrow);
    const ids = await this.scan.among(db, selection, messageIds);
    const budget = new AnswerBudget();
    const matches: Record<string, MatchesWire> = {};
    for (let start = 0; start < ids.length; start += MESSAGES_AT_A_TIME) {
      const some = ids.slice(start, start + MESSAGES_AT_A_TIME);
      for (const { id, renderedContent, topicName } of await loadMessages(rows, some)) {
        const shownTopic = topicName === '' ? this.organization.settings.empty_topic_display_name : topicName;
        const match = matchesWire(renderedContent, shownTopic ?? '', searched);
        matches[id] = match;
        budget.spend(match.match_content.length + match.match_subject.length);
        if (budget.isSpent) throw new MessagesTooLarge();
        if (budget.isTurnOver) await budget.endTurn();
      }
    }
    return matches;
  }

  private async fetchRange(
    reader: Reader | null,
    { narrow, form }: FetchRequest,
    range: ReturnType<typeof parseRange>,
    replica: Queryable | null,
  ): Promise<FetchedMessages> {
    const { db, rows, selection, searched } = await this.narrows.open(reader, narrow, replica);
    const found = await this.ranges.around(db, reader?.userId ?? null, selection, range);
    const { messages, left } = await this.show(
      rows,
      reader,
      outward(found.ids, found.anchor),
      form,
      searched,
    );
    return {
      anchor: found.anchor,
      messages,
      found_anchor: found.foundAnchor,
      found_oldest: found.foundOldest && !left.some((id) => id < found.anchor),
      found_newest: found.foundNewest && !left.some((id) => id > found.anchor),
      history_limited: false,
    };
  }

  private async fetchIds(
    reader: Reader | null,
    { narrow, range, form }: FetchRequest,
    messageIds: readonly number[],
    replica: Queryable | null,
  ): Promise<FetchedMessages> {
    if (Object.values(range).some((value) => value !== undefined)) throw new IdsWithRange();
    if (messageIds.length > MAX_MESSAGES) throw new TooManyMessages(MAX_MESSAGES);
    const { db, rows, selection, searched } = await this.narrows.open(reader, narrow, replica);
    const ids = await this.scan.among(db, selection, messageIds);
    const { messages, left } = await this.show(rows, reader, ids, form, searched);
    // Clients would take a missing message for a deleted one.
    if (left.length > 0) throw new MessagesTooLarge();
    return {
      messages,
      found_anchor: false,
      found_oldest: false,
      found_newest: false,
      history_limited: false,
    };
  }

  /** The messages, in ascending order of ID. If they do not all fit, the last ones in the list are left out. */
  private async show(
    db: Queryable,
    reader: Reader | null,
    ids: readonly number[],
    form: Form,
    searched: SearchQuery | null,
  ): Promise<{ messages: FetchedMessages['messages']; left: readonly number[] }> {
    const budget = new AnswerBudget();
    const shown = new Map<number, string>();
    for (let start = 0; start < ids.length;) {
      const records = await this.readFirst(db, reader, ids.slice(start), form, budget);
      const some = ids.slice(start, start + budget.messagesAtATime);
      for (const [at, id] of some.entries()) {
        if (budget.isSpent) return { messages: inOrder(shown), left: ids.slice(start + at) };
        const record = records.get(id);
        if (!record) continue;
        const text = textOf(record, searched);
        shown.set(id, text);
        budget.spend(text.length);
        if (budget.isTurnOver) await budget.endTurn();
      }
      start += some.length;
    }
    return { messages: inOrder(shown), left: [] };
  }

  /** Reads as many messages from the start of the list as the budget allows at a time. */
  private async readFirst(
    db: Queryable,
    reader: Reader | null,
    ids: readonly number[],
    form: Form,
    budget: AnswerBudget,
  ): Promise<Map<number, ReadRecord>> {
    for (;;) {
      const some = ids.slice(0, budget.messagesAtATime);
      try {
        return new Map((await this.read(db, reader, some, form)).map((one) => [one.id, one]));
      } catch (error) {
        if (!(error instanceof FieldsTooLarge) || some.length === 1) throw error;
        budget.messagesAtATime = Math.ceil(some.length / 2);
      }
    }
  }

  private async read(
    db: Queryable,
    reader: Reader | null,
    ids: readonly number[],
    form: Form,
  ): Promise<ReadRecord[]> {
    const messages = await loadMessages(db, ids);
    const states = await this.personalFlags.states(db, reader, messages);
    const texts = await this.records.texts(db, messages, { ...form, reader });
    const flagsText = kept((flags: number) => jsonMembers({ flags: flagNames(flags) }));
    return texts.map(({ members, topic }, at) => {
      const { id, renderedContent: html } = messages[at] as MessageRow;
      return { id, members, topic, html, flags: flagsText(states.get(id)?.flags ?? 0) };
    });
  }
}

/** A message as shown to the reader, before search highlighting. */
interface ReadRecord extends RecordText {
  readonly id: number;
  /** The HTML to search, whatever the format of the record. */
  readonly html: string;
  /** Part of the record. */
  readonly flags: string;
}

function textOf({ members, flags, html, topic }: ReadRecord, searched: SearchQuery | null): string {
  const matches = searched ? `,${jsonMembers(matchesWire(html, topic, searched))}` : '';
  return `{${members()},${flags}${matches}}`;
}

/** Sorts ascending IDs by distance from an anchor, alternating between the two sides. */
function outward(ids: readonly number[], anchor: number): number[] {
  const older = ids.filter((id) => id < anchor).reverse();
  const newer = ids.filter((id) => id >= anchor);
  const shorter = Math.min(older.length, newer.length);
  const inTurn = newer.slice(0, shorter).flatMap((id, at) => [id, older[at] as number]);
  return [...inTurn, ...newer.slice(shorter), ...older.slice(shorter)];
}

function inOrder(texts: ReadonlyMap<number, string>): FetchedMessages['messages'] {
  const ascending = [...texts.keys()].sort((one, other) => one - other);
  return new RawJson(`[${ascending.map((id) => texts.get(id)).join(',')}]`);
}
