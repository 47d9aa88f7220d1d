import { type MigrationInterface, type QueryRunner, type Table, TableIndex } from 'typeorm';
import { columns, idColumn, index, nullable, primary, reference, table } from './table-columns';

/** Tables, ordered so that references point to earlier ones. */
function reactionTables(): Table[] {
  return [
    table(
      'custom_emoji',
      [
        idColumn(),
        columns('text', 'name file_key'),
        columns('integer', 'author_id', nullable),
        columns('boolean', 'is_animated is_deactivated'),
      ],
      { references: [reference('author_id', 'account')] },
    ),
    table(
      'reaction',
      [
        idColumn(),
        columns('integer', 'message_id user_id'),
        columns('text', 'emoji_type emoji_code emoji_name'),
      ],
      {
        references: [reference('message_id', 'message'), reference('user_id', 'account')],
        indices: [index('reaction', 'message_id emoji_type emoji_code user_id', { unique: true })],
      },
    ),
  ];
}

/** Index for finding former subscribers who left after a message was sent. */
const periodsByEnd = index('subscription_period', 'channel_id last_message_id');
const periods = index('subscription_period', 'channel_id');

/** Emoji of the organization, and reactions to messages. */
export class Reactions1700000000002 implements MigrationInterface {
  name = 'Reactions1700000000002';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const each of reactionTables()) await queryRunner.createTable(each);
    await queryRunner.createIndex('subscription_period', new TableIndex(periodsByEnd));
    await queryRunner.dropIndex('subscription_period', periods.name!);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createIndex('subscription_period', new TableIndex(periods));
    await queryRunner.dropIndex('subscription_period', periodsByEnd.name!);
    for (const each of reactionTables().reverse()) await queryRunner.dropTable(each);
  }
}

/** Tables, ordered so that references point to earlier ones. */
function personalTables(): Table[] {
  return [
    table('alert_word', [idColumn(), columns('integer', 'user_id'), columns('text', 'word word_key')], {
      references: [reference('user_id', 'account')],
      indices: [index('alert_word', 'user_id word_key', { unique: true })],
    }),
    table(
      'muted_user',
      [columns('integer', 'user_id muted_user_id', primary), columns('bigint', 'muted_at')],
      { references: [reference('user_id', 'account'), reference('muted_user_id', 'account')] },
    ),
    table(
      'user_status',
      [
        columns('integer', 'user_id', primary),
        columns('text', 'status_text emoji_name emoji_code emoji_type'),
      ],
      { references: [reference('user_id', 'account')] },
    ),
    table(
      'presence',
      [
        columns('integer', 'user_id', primary),
        columns('bigint', 'active_at', nullable),
        columns('bigint', 'connected_at update_id'),
      ],
      {
        references: [reference('user_id', 'account')],
        indices: [index('presence', 'update_id')],
      },
    ),
  ];
}

/** Personal data: alert words, muted users, status and presence. */
export class Personal1700000000003 implements MigrationInterface {
  name = 'Personal1700000000003';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const each of personalTables()) await queryRunner.createTable(each);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const each of personalTables().reverse()) await queryRunner.dropTable(each);
  }
}

function linkifierTables(): Table[] {
  return [
    table(
      'linkifier',
      [
        idColumn(),
        columns('integer', 'position'),
        columns('text', 'pattern url_template'),
        columns('text', 'example_input reverse_template', nullable),
        columns('text', 'alternative_url_templates'),
      ],
      { indices: [index('linkifier', 'pattern', { unique: true })] },
    ),
    table('playground', [idColumn(), columns('text', 'name language url_template')], {
      indices: [index('playground', 'language name', { unique: true })],
    }),
  ];
}

/** Patterns that turn text into links, and code playgrounds. */
export class Linkifiers1700000000004 implements MigrationInterface {
  name = 'Linkifiers1700000000004';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const each of linkifierTables()) await queryRunner.createTable(each);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const each of linkifierTables().reverse()) await queryRunner.dropTable(each);
  }
}

const messageEdit = () =>
  table(
    'message_edit',
    [
      idColumn(),
      columns('integer', 'message_id user_id'),
      columns('bigint', 'edited_at'),
      columns('text', 'prev_content prev_rendered_content prev_topic topic', nullable),
      columns('integer', 'prev_channel_id channel_id', nullable),
    ],
    {
      indices: [index('message_edit', 'message_id')],
    },
  );

/** Edit history of messages. */
export class MessageChanges1700000000005 implements MigrationInterface {
  name = 'MessageChanges1700000000005';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(messageEdit());
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable(messageEdit());
  }
}

/** How far each table is indexed. On PostgreSQL, rows after `until_id` were indexed when written. */
const progress = table('search_progress', [
  columns('text', 'name', primary),
  columns('integer', 'indexed_id'),
  columns('integer', 'until_id', nullable),
]);

/** Bits of `message.facts` that narrows ask for; a partial index on each selects few messages. */
const facts = [
  ['links', 4],
  ['images', 8],
  ['attachments', 16],
  ['reactions', 64],
] as const;
const factIndices = facts.map(
  ([name, bit]) =>
    new TableIndex({ name: `ix_message_${name}`, columnNames: ['id'], where: `(facts & ${bit}) <> 0` }),
);
const topicsByName = new TableIndex(index('topic', 'name_key'));

/** Full-text search, and indexes for other searches over many messages. */
export class Search1700000000006 implements MigrationInterface {
  name = 'Search1700000000006';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(progress);
    const isPostgres = queryRunner.dataSource.options.type === 'postgres';
    for (const what of ['message', 'topic']) {
      const newest = `(SELECT COALESCE(MAX(id), 0) FROM ${what})`;
      // SQLite always indexes messages after writing them.
      const until = !isPostgres && what === 'message' ? 'NULL' : newest;
      await queryRunner.query(`INSERT INTO search_progress VALUES ('${what}', 0, ${until})`);
      if (isPostgres) {
        // Without a foreign key: it would look up and lock each message. IDs are never reused.
        await queryRunner.query(
          `CREATE TABLE ${what}_search (${what}_id integer PRIMARY KEY, document tsvector NOT NULL)`,
        );
        await queryRunner.query(`CREATE INDEX ix_${what}_search ON ${what}_search USING gin (document)`);
      } else {
        // The words arrive folded and separated, so the simplest tokenizer is enough.
        await queryRunner.query(
          `CREATE VIRTUAL TABLE ${what}_search USING fts5(words, content='', contentless_delete=1, tokenize='ascii')`,
        );
      }
    }
    for (const each of factIndices) await queryRunner.createIndex('message', each);
    await queryRunner.createIndex('topic', topicsByName);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropIndex('topic', topicsByName);
    for (const each of factIndices) await queryRunner.dropIndex('message', each);
    for (const what of ['topic', 'message']) await queryRunner.query(`DROP TABLE ${what}_search`);
    await queryRunner.dropTable(progress);
  }
}

function realtimeTables(): Table[] {
  return [
    table(
      'event_queue',
      [
        columns('text', 'id', primary),
        columns('integer', 'user_id'),
        columns('text', 'options'),
        columns('bigint', 'start_number'),
        columns('integer', 'idle_timeout_seconds'),
        columns('bigint', 'last_seen_at'),
      ],
      { references: [reference('user_id', 'account')], indices: [index('event_queue', 'user_id')] },
    ),
    table(
      'sent_echo',
      [
        idColumn(),
        columns('integer', 'user_id'),
        columns('text', 'request_key'),
        columns('integer', 'message_id'),
        columns('bigint', 'created_at'),
      ],
      {
        references: [reference('user_id', 'account')],
        indices: [index('sent_echo', 'user_id request_key', { unique: true })],
      },
    ),
  ];
}

/** Client queues, and the outcomes of send requests that may be retried. */
export class Realtime1700000000007 implements MigrationInterface {
  name = 'Realtime1700000000007';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const each of realtimeTables()) await queryRunner.createTable(each);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const each of realtimeTables().reverse()) await queryRunner.dropTable(each);
  }
}

/** Messages that outgoing webhooks have yet to receive. */
export class OutgoingWebhooks1700000000008 implements MigrationInterface {
  name = 'OutgoingWebhooks1700000000008';

  private readonly deliveries = table(
    'webhook_delivery',
    [
      idColumn(),
      columns('integer', 'message_id bot_id'),
      columns('text', 'cause'),
      columns('integer', 'attempts'),
      columns('bigint', 'due_at'),
      columns('text', 'reply', nullable),
    ],
    {
      references: [reference('message_id', 'message'), reference('bot_id', 'account')],
      indices: [
        index('webhook_delivery', 'message_id bot_id', { unique: true }),
        index('webhook_delivery', 'due_at'),
      ],
    },
  );

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(this.deliveries);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable(this.deliveries);
  }
}
