import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.service';
import { OrganizationDirectory } from '../../organization-settings';
import type { Requester as Reader } from '../../user-groups';
import { flagNames } from '../store/message-flags';
import { MAX_MESSAGES, MessageRangeService, parseRange, type RequestedRange } from './message-range.service';
import { MessageRecordsService, type MessageView } from '../store/message-records.service';
import { loadMessages } from '../store/message-rows.service';
import { MessageScanService } from '../scan/message-scan.service';
import { MessageAccess } from '../readers/message.access';
import { IdsWithRange, TooManyMessages } from '../store/messages.errors';
import {
  matchesWire,
  type FetchedMessage,
  type FetchedMessages,
  type MatchesWire,
} from './fetched-messages.wire';
import { NarrowService } from './narrow.service';
import { PersonalFlagsService } from '../readers/personal-flags.service';
import type { SearchQuery } from './search-query';

/** How messages are to be shown, regardless of the reader. */
type Form = Omit<MessageView, 'reader'>;

/** Which messages to fetch, and in which form. */
export interface FetchRequest {
  /** Terms as they were sent. */
  readonly narrow: readonly unknown[];
  readonly range: RequestedRange;
  /** Fetches these instead of a range. */
  readonly messageIds?: readonly number[];
  readonly form: Form;
}

/** Fetches messages for a reader, and tells which ones a narrow would fetch. */
@Injectable()
export class FetchMessagesService {
  constructor(
    private readonly database: Database,
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
    return messageIds
      ? this.fetchIds(reader, request, messageIds)
      : this.fetchRange(reader, request, parseRange(request.range));
  }

  /** @throws InvalidMessage */
  async fetchOne(
    reader: Reader,
    messageId: number,
    form: Form,
  ): Promise<{ message: FetchedMessage; rawContent: string }> {
    const db = this.database.read;
    const { message } = await this.access.forReading(db, reader, messageId);
    const [shown] = await this.show(reader, [messageId], form);
    return { message: shown as FetchedMessage, rawContent: message.content };
  }

  /**
   * Those of the messages that fetching with the narrow would find, for clients that cannot work it out themselves.
   * @param narrow terms as they were sent
   * @throws BadRequest, BadNarrow
   */
  async match(
    reader: Reader,
    messageIds: readonly number[],
    narrow: readonly unknown[],
  ): Promise<Record<string, MatchesWire>> {
    if (messageIds.length > MAX_MESSAGES) throw new TooManyMessages(MAX_MESSAGES);
    const { db, selection, searched } = await this.narrows.open(reader, narrow);
    const ids = await this.scan.among(db, selection, messageIds);
    const messages = await loadMessages(this.database.read, ids);
    const matches = messages.map(({ id, renderedContent, topicName }) => {
      const shownTopic = topicName === '' ? this.organization.settings.empty_topic_display_name : topicName;
      return [id, matchesWire(renderedContent, shownTopic ?? '', searched)] as const;
    });
    return Object.fromEntries(matches);
  }

  private async fetchRange(
    reader: Reader | null,
    { narrow, form }: FetchRequest,
    range: ReturnType<typeof parseRange>,
  ): Promise<FetchedMessages> {
    const { db, selection, searched } = await this.narrows.open(reader, narrow);
    const found = await this.ranges.around(db, reader?.userId ?? null, selection, range);
    return {
      anchor: found.anchor,
      messages: await this.show(reader, found.ids, form, searched),
      found_anchor: found.foundAnchor,
      found_oldest: found.foundOldest,
      found_newest: found.foundNewest,
      history_limited: false,
    };
  }

  private async fetchIds(
    reader: Reader | null,
    { narrow, range, form }: FetchRequest,
    messageIds: readonly number[],
  ): Promise<FetchedMessages> {
    if (Object.values(range).some((value) => value !== undefined)) throw new IdsWithRange();
    if (messageIds.length > MAX_MESSAGES) throw new TooManyMessages(MAX_MESSAGES);
    const { db, selection, searched } = await this.narrows.open(reader, narrow);
    const ids = await this.scan.among(db, selection, messageIds);
    return {
      messages: await this.show(reader, ids, form, searched),
      found_anchor: false,
      found_oldest: false,
      found_newest: false,
      history_limited: false,
    };
  }

  private async show(
    reader: Reader | null,
    ids: readonly number[],
    form: Form,
    searched: SearchQuery | null = null,
  ): Promise<FetchedMessage[]> {
    if (ids.length === 0) return [];
    const db = this.database.read;
    const messages = await loadMessages(db, ids);
    const states = await this.personalFlags.states(db, reader, messages);
    const records = await this.records.records(db, messages, { ...form, reader });
    return records.map((record, at) => ({
      ...record,
      flags: flagNames(states.get(record.id)?.flags ?? 0),
      ...(searched && matchesWire(messages[at]?.renderedContent ?? '', record.subject, searched)),
    }));
  }
}
