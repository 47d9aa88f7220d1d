import { Injectable } from '@nestjs/common';
import { entityRows } from '../../../platform/sql/entity-rows';
import type { KeyLimit } from '../../../platform/actor';
import type { Queryable } from '../../../platform/sql/queryable';
import type { Transaction } from '../../../platform/database/transaction.service';
import { MessageRendererService } from '../../messages/messages.module';
import { MessageEdit } from './message-edit.entity';

/** A stored edit; null for parts that did not change. */
export type StoredEdit = Readonly<MessageEdit>;

/** Who may see which edits, according to the organization's setting. */
export type Visibility = 'all' | 'moves' | 'none';

/** An edit of one message, or the same edit of many. */
export interface NewEdit {
  readonly userId: number;
  /** UNIX seconds. */
  readonly editedAt: number;
  readonly content?: { readonly before: string; readonly renderedBefore: string };
  readonly topic?: { readonly before: string; readonly after: string };
  readonly channelId?: { readonly before: number; readonly after: number };
}

/** Limits on the returned history. */
interface EditLimits {
  readonly editsPerMessage: number;
  /** Total size of content and its HTML, over all messages. */
  readonly bytes: number;
}

/** Stores and reads the history of edits. */
@Injectable()
export class EditHistoryService {
  constructor(private readonly renderer: MessageRendererService) {}

  async note(tx: Transaction, messageIds: readonly number[], edit: NewEdit): Promise<void> {
    await tx.query(
      `INSERT INTO message_edit (message_id, user_id, edited_at, prev_content, prev_rendered_content,
         prev_topic, topic, prev_channel_id, channel_id)
       SELECT id, ?, ?, ?, ?, ?, ?, ?, ? FROM message WHERE id IN (?) ORDER BY id`,
      [
        edit.userId,
        edit.editedAt,
        edit.content?.before ?? null,
        edit.content?.renderedBefore ?? null,
        edit.topic?.before ?? null,
        edit.topic?.after ?? null,
        edit.channelId?.before ?? null,
        edit.channelId?.after ?? null,
        messageIds,
      ],
    );
  }

  /**
   * The newest edits of the messages, newest first, with the images that are ready by now. Edits beyond a limit are
   * left out, starting with those that are not the newest of their message.
   */
  async newest(db: Queryable, messageIds: readonly number[], limits: EditLimits): Promise<StoredEdit[]> {
    const edits = await entityRows(
      db,
      MessageEdit,
      `WHERE id IN (
         SELECT id FROM (
           SELECT id, place, SUM(size) OVER (ORDER BY place, id) AS total FROM (
             SELECT id, ROW_NUMBER() OVER (PARTITION BY message_id ORDER BY id DESC) AS place,
               COALESCE(octet_length(prev_content), 0) + COALESCE(octet_length(prev_rendered_content), 0) AS size
             FROM message_edit WHERE message_id IN (?)
           ) sized
         ) counted WHERE place <= ? AND total <= ?
       ) ORDER BY id DESC`,
      [messageIds, limits.editsPerMessage, limits.bytes],
    );
    const shown: StoredEdit[] = [];
    for (const edit of edits) {
      const html = edit.prevRenderedContent;
      shown.push(
        html === null ? edit : { ...edit, prevRenderedContent: await this.renderer.withPictures(db, html) },
      );
    }
    return shown;
  }
}

/** The visible parts of edits: if only moves are visible, edits of content are left out. */
export function visibleEdits(edits: readonly StoredEdit[], visibility: Visibility): StoredEdit[] {
  if (visibility === 'none') return [];
  if (visibility === 'all') return [...edits];
  return edits
    .filter(({ prevTopic, prevChannelId }) => prevTopic !== null || prevChannelId !== null)
    .map((edit) => ({ ...edit, prevContent: null, prevRenderedContent: null }));
}

/**
 * The edits that a named API key may see: if it is limited to channels, nothing from before a message came into one of
 * them. @param edits newest first
 */
export function editsWithinLimit(
  edits: readonly StoredEdit[],
  limit: KeyLimit | null | undefined,
): readonly StoredEdit[] {
  const channelIds = limit?.channelIds;
  if (!channelIds) return edits;
  const arrived = new Set<number>();
  return edits.filter(({ messageId, prevChannelId }) => {
    if (prevChannelId !== null && !channelIds.has(prevChannelId)) arrived.add(messageId);
    return !arrived.has(messageId);
  });
}
