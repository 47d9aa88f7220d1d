import {
  type ImportContext,
  type ImportStep,
  type PreparedStep,
  Unique,
  usable,
  usableRows,
} from './import-context';
import { emojiOf } from './personal-step';
import { chunksOf } from '../../../../platform/collections';
import { rowsPutBack } from '../../../../platform/database/database.hooks';
import type { Transaction } from '../../../../platform/database/transaction.service';
import type { Hooks } from '../../../../platform/hooks/hooks';
import { insertRows, type NewRow } from '../../../../platform/sql/entity-rows';
import type { SqlRunner } from '../../../../platform/sql/queryable';
import type { DescriptionRenderer } from '../../../channels/channels.module';
import { profileTextsPort } from '../../../users/users.module';
import { ArchiveRow } from '../records/archive-row';

/** Tables with rows that the first start creates, referencing tables first. */
const FIRST_START = [
  'message_flag',
  'read_block',
  'read_watermark',
  'message',
  'topic',
  'subscription_period',
  'subscription',
  'channel',
];

/** Removes the welcome channel of the first owner. */
export class ClearingStep implements ImportStep {
  readonly name = 'clearing';

  constructor(private readonly hooks: Hooks) {}

  prepare(): Promise<PreparedStep> {
    return Promise.resolve(async (tx) => {
      if (tx.engine === 'postgres') await tx.query('DELETE FROM message_search');
      for (const table of FIRST_START) await tx.query(`DELETE FROM ${table}`);
      await tx.query(
        'DELETE FROM user_group_member WHERE group_id IN (SELECT id FROM user_group WHERE name IS NULL)',
      );
      await tx.query('DELETE FROM user_group WHERE name IS NULL');
      await this.hooks.run(rowsPutBack, tx);
    });
  }
}

/** Renders descriptions of channels and people, now that everyone they may mention exists. */
export class DescriptionsStep implements ImportStep {
  readonly name = 'descriptions';

  constructor(
    private readonly descriptions: DescriptionRenderer,
    private readonly hooks: Hooks,
  ) {}

  prepare(): Promise<PreparedStep> {
    return Promise.resolve(async (tx) => {
      for (const table of ['channel', 'channel_folder']) {
        const rows = await tx.query<{ id: number; description: string }>(
          `SELECT id, description FROM ${table}`,
        );
        for (const { id, description } of rows) {
          const html = this.descriptions.render(description, null);
          await tx.query(`UPDATE ${table} SET rendered_description = ? WHERE id = ?`, [html, id]);
        }
      }
      const texts = this.hooks.provider(profileTextsPort);
      const values = await tx.query<{ user_id: number; field_id: number; value: string }>(
        'SELECT user_id, field_id, value FROM custom_profile_value WHERE rendered_value IS NOT NULL',
      );
      for (const { user_id: userId, field_id: fieldId, value } of values) {
        await tx.query(
          'UPDATE custom_profile_value SET rendered_value = ? WHERE user_id = ? AND field_id = ?',
          [texts?.render(value) ?? '', userId, fieldId],
        );
      }
    });
  }
}

/** Tables whose rows were inserted with explicit IDs. */
const NUMBERED = [
  'account',
  'user_group',
  'channel',
  'channel_folder',
  'custom_emoji',
  'custom_profile_field',
  'attachment',
  'topic',
  'direct_conversation',
  'message',
];

/** Updates counts and message IDs of channels and topics, read watermarks, and ID sequences. */
export class SumsStep implements ImportStep {
  readonly name = 'sums';

  prepare({ survey }: ImportContext): Promise<PreparedStep> {
    return Promise.resolve(async (tx) => {
      await tx.query(
        `UPDATE topic SET message_count = (SELECT COUNT(*) FROM message m WHERE m.topic_id = topic.id),
           max_message_id = (SELECT MAX(m.id) FROM message m WHERE m.topic_id = topic.id)`,
      );
      await tx.query(
        `UPDATE direct_conversation SET max_message_id =
           (SELECT MAX(m.id) FROM message m WHERE m.conversation_id = direct_conversation.id)`,
      );
      await tx.query(
        `UPDATE channel SET first_message_id = (SELECT MIN(m.id) FROM message m WHERE m.channel_id = channel.id),
           last_message_at = (SELECT MAX(m.sent_at) FROM message m WHERE m.channel_id = channel.id)`,
      );
      await tx.query(
        'INSERT INTO read_watermark (user_id, message_id) SELECT id, CAST(? AS integer) FROM account WHERE is_system_bot = ?',
        [survey.messages.last, false],
      );
      await raiseNumbers(tx, survey.messages.last);
    });
  }
}

/** Raises ID sequences. Messages at the end of the archive may be left out, but their IDs stay reserved. */
async function raiseNumbers(tx: Transaction, lastMessage: number): Promise<void> {
  if (tx.engine === 'sqlite') {
    await tx.query(`UPDATE sqlite_sequence SET seq = MAX(seq, CAST(? AS integer)) WHERE name = 'message'`, [
      lastMessage,
    ]);
    return;
  }
  for (const table of NUMBERED) {
    await tx.query(
      `SELECT setval(pg_get_serial_sequence('${table}', 'id'),
         GREATEST((SELECT MAX(id) FROM ${table}), (SELECT last_value FROM ${table}_id_seq)${table === 'message' ? `, ${lastMessage}` : ''}))`,
    );
  }
}

const BATCH = 1_000;

/** Reactions to imported messages. */
export class ReactionsStep implements ImportStep {
  readonly name = 'reactions';

  async prepare(context: ImportContext): Promise<PreparedStep> {
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

/** Links from messages to files, which let readers of a message read its files. */
export class LinksStep implements ImportStep {
  readonly name = 'links';

  async prepare(context: ImportContext): Promise<PreparedStep> {
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

/** Returns those of the messages that exist. */
export async function existing(tx: SqlRunner, messageIds: readonly number[]): Promise<Set<number>> {
  const rows = await tx.query<{ id: number }>('SELECT id FROM message WHERE id IN (?)', [[0, ...messageIds]]);
  return new Set(rows.map(({ id }) => id));
}
