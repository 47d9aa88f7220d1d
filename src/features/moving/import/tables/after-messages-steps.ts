import { chunksOf } from '../../../../platform/collections';
import type { Transaction } from '../../../../platform/database/transaction.service';
import { insertRows, type NewRow } from '../../../../platform/sql/insert-rows';
import type { SqlRunner } from '../../../../platform/sql/queryable';
import { ArchiveRow } from '../records/archive-row';
import { type ImportContext, type ImportStep, Unique, usable, usableRows } from './import-context';
import { emojiOf } from './personal-step';

const BATCH = 1_000;

/** Reactions to messages that are there. */
export class ReactionsStep implements ImportStep {
  readonly name = 'reactions';

  async prepare(context: ImportContext): Promise<(tx: Transaction) => Promise<void>> {
    const { survey, ledger } = context;
    const unique = new Unique();
    const rows = await usableRows(context, ['zerver_reaction'], (row) => {
      const messageId = survey.messages.find(row.id('message'));
      const userId = survey.accounts.get(row.id('user_profile'));
      const emoji = emojiOf(context, row);
      unique.require(messageId ?? 0, userId, emoji.emoji_type, emoji.emoji_code);
      return { old: row.name, row: { message_id: messageId ?? 0, user_id: userId, ...emoji } };
    });
    return async (tx) => {
      const custom = new Set(
        (await tx.query<{ id: number }>('SELECT id FROM custom_emoji')).map(({ id }) => String(id)),
      );
      for (const some of chunksOf(rows, BATCH)) {
        const there = await existing(
          tx,
          some.map(({ row }) => row.message_id),
        );
        const kept = some.filter(({ old, row }) => {
          const isThere =
            there.has(row.message_id) && (row.emoji_type !== 'realm_emoji' || custom.has(row.emoji_code));
          if (!isThere)
            ledger.note('left out', 'zerver_reaction', old, 'Its message or its emoji is not there.');
          return isThere;
        });
        await insertRows(
          tx,
          'reaction',
          kept.map(({ row }) => row),
        );
      }
      await tx.query('UPDATE message SET facts = facts | 64 WHERE id IN (SELECT message_id FROM reaction)');
    };
  }
}

/** Links from messages to files: readers of a message may read its files. */
export class LinksStep implements ImportStep {
  readonly name = 'links';

  async prepare(context: ImportContext): Promise<(tx: Transaction) => Promise<void>> {
    const { source, survey, ledger } = context;
    const links: NewRow[] = [];
    for await (const { table, row } of source.rows('attachment.json')) {
      if (row === null) continue;
      usable(ledger, new ArchiveRow(table, row), (each) => {
        const id = survey.attachments.get(each.id());
        for (const message of new Set(each.ids('messages')))
          links.push({ attachment_id: id, message_id: survey.messages.find(message) ?? 0 });
      });
    }
    return async (tx) => {
      const files = new Set(
        (await tx.query<{ id: number }>('SELECT id FROM attachment')).map(({ id }) => id),
      );
      for (const some of chunksOf(links, BATCH)) {
        const there = await existing(
          tx,
          some.map((link) => link.message_id as number),
        );
        const kept = some.filter(
          (link) => there.has(link.message_id as number) && files.has(link.attachment_id as number),
        );
        await insertRows(tx, 'attachment_message', kept);
      }
    };
  }
}

async function existing(tx: SqlRunner, messageIds: readonly number[]): Promise<Set<number>> {
  const rows = await tx.query<{ id: number }>('SELECT id FROM message WHERE id IN (?)', [[0, ...messageIds]]);
  return new Set(rows.map(({ id }) => id));
}
