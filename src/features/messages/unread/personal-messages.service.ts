import { Injectable } from '@nestjs/common';
import { type PackedColumns, packedRows } from '../../../platform/sql/packed-rows';
import type { Queryable } from '../../../platform/sql/queryable';
import type { Requester as Reader } from '../../user-groups/user-groups.module';
import { ChannelNarrowService } from '../fetching/channel-narrow.service';
import { NarrowService } from '../fetching/narrow.service';
import { ReadStateService } from '../readers/read-state.service';
import { ownMessages } from '../scan/candidate-search';
import { MessageScanService } from '../scan/message-scan.service';
import { Flag, MessageFact } from '../store/message-flags';
import { loadIds, MAX_MESSAGE_ID } from '../store/message-rows.service';
import { anyOf, condition } from '../store/personal-conditions';

/** Messages that are in the same topic or conversation. */
export interface MessagesOfPlace {
  /** Null for direct messages, as are the next two. */
  readonly topicId: number | null;
  readonly channelId: number | null;
  readonly topicName: string | null;
  /** Null for those of a channel. */
  readonly conversationId: number | null;
  /** In no order. */
  readonly messageIds: readonly number[];
}

/** As the database packs them: the IDs of a place are one list. */
const PLACES: PackedColumns<MessagesOfPlace> = {
  topicId: 'p.topic_id',
  channelId: 'p.channel_id',
  topicName: 't.name',
  conversationId: 'p.conversation_id',
  messageIds: 'p.ids',
};

/** IDs of a place, which are part of what is packed. */
const IDS_OF_PLACE = { sqlite: 'json_group_array(m.id)', postgres: 'json_agg(m.id)' };

/** Flags of mentions in a user's row. */
const MENTIONS = Flag.mentioned | Flag.channelWildcardMentioned | Flag.topicWildcardMentioned;

/** Finds messages by what they are to one person: unread, starred, muted. */
@Injectable()
export class PersonalMessagesService {
  constructor(
    private readonly scan: MessageScanService,
    private readonly readState: ReadStateService,
    private readonly narrows: NarrowService,
    private readonly channels: ChannelNarrowService,
  ) {}

  /**
   * IDs of the newest unread messages, the newest first: direct ones, and those that are in one of the channels now.
   * Its cost grows with what is unread, not with what was ever received.
   */
  async newestUnread(
    db: Queryable,
    userId: number,
    channelIds: readonly number[],
    limit: number,
  ): Promise<number[]> {
    const set = await this.readState.load(db, userId);
    const place = condition('m.channel_id IS NULL OR m.channel_id IN (?)', channelIds);
    return this.scan.collect(
      db,
      { conditions: [place], search: ownMessages(userId), reads: { set, read: false } },
      { from: MAX_MESSAGE_ID, direction: 'older', limit },
    );
  }

  /**
   * Messages by their topics and conversations. Grouping them in the database costs a tenth of describing each of
   * thousands.
   */
  places(db: Queryable, messageIds: readonly number[]): Promise<MessagesOfPlace[]> {
    const columns = db.engine === 'sqlite' ? { ...PLACES, messageIds: 'json(p.ids)' } : PLACES;
    return packedRows(
      db,
      columns,
      `FROM (SELECT m.topic_id, m.channel_id, m.conversation_id, ${IDS_OF_PLACE[db.engine]} AS ids
         FROM message m WHERE m.id IN (?) GROUP BY m.topic_id, m.channel_id, m.conversation_id) p
       LEFT JOIN topic t ON t.id = p.topic_id`,
      [messageIds],
    );
  }

  /** Those of the messages that may mention a person; only what says which flags they have there can tell. */
  mayMention(db: Queryable, userId: number, messageIds: readonly number[]): Promise<number[]> {
    const mentioning = anyOf(
      condition('m.group_mention_set_id IS NOT NULL'),
      condition('m.topic_mention_set_id IS NOT NULL'),
      condition('(m.facts & ?) <> 0', MessageFact.channelWildcard),
      condition(
        'm.id IN (SELECT f.message_id FROM message_flag f WHERE f.user_id = ? AND (f.flags & ?) <> 0)',
        userId,
        MENTIONS,
      ),
    );
    return loadIds(db, messageIds, mentioning);
  }

  /** IDs of all that the narrow `is:starred` finds, ascending: what is out of reach by now is left out. */
  async starred(db: Queryable, reader: Reader): Promise<number[]> {
    const selection = await this.narrows.select(db, reader, [
      { operator: 'is', what: 'starred', negated: false },
    ]);
    return this.scan.collect(db, selection, { from: 1, direction: 'newer', limit: Number.MAX_SAFE_INTEGER });
  }

  /** Those of the messages that the reader has muted; what is followed or unmuted in a muted channel is not. */
  async mutedAmong(
    db: Queryable,
    reader: Reader,
    messageIds: readonly number[],
  ): Promise<ReadonlySet<number>> {
    if (messageIds.length === 0) return new Set();
    return new Set(await this.scan.among(db, { conditions: [this.channels.isMuted(reader)] }, messageIds));
  }
}
