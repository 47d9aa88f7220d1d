import { Injectable } from '@nestjs/common';
import { entityRows } from '../../../platform/sql/entity-rows';
import type { KeyLimit } from '../../../platform/actor';
import type { Queryable } from '../../../platform/sql/queryable';
import type { Transaction } from '../../../platform/database/transaction.service';
import { MessageRendererService } from '../../messages/messages.module';
import { MessageEdit } from './message-edit.entity';

/** An edit as its row tells; what it did not change is null. */
export type StoredEdit = Readonly<MessageEdit>;

/** Who may see what of edits: an organization's choice. */
export type Visibility = 'all' | 'moves' | 'none';

/** An edit of one message, or of many alike. */
export interface NewEdit {
  readonly userId: number;
  /** UNIX seconds. */
  readonly editedAt: number;
  readonly content?: { readonly before: string; readonly renderedBefore: string };
  readonly topic?: { readonly before: string; readonly after: string };
  readonly channelId?: { readonly before: number; readonly after: number };
}

/** How much of the history is wanted. */
interface EditLimits {
  readonly editsPerMessage: number;
  /** Of content and its HTML, over all messages. */
  readonly bytes: number;
}

/** Reads and writes what edits changed of messages. */
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
   * The newest edits of the messages, newest first, with the pictures that are ready by now. Those that go beyond a limit are left out, beginning with those that
   * are not the newest of their message.
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

/** What may be seen of edits: where only moves may, edits of content are left out and say nothing of it. */
export function visibleEdits(edits: readonly StoredEdit[], visibility: Visibility): StoredEdit[] {
  if (visibility === 'none') return [];
  if (visibility === 'all') return [...edits];
  return edits
    .filter(({ prevTopic, prevChannelId }) => prevTopic !== null || prevChannelId !== null)
    .map((edit) => ({ ...edit, prevContent: null, prevRenderedContent: null }));
}

/**
 * What a named API key shows of edits: where it is limited to channels, nothing of what messages were before they came into
 * one of them. @param edits newest first
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
