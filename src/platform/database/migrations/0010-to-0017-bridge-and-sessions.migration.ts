import { randomBytes, randomUUID } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columns, idColumn, index, nullable, primary, reference, table } from './table-columns';

/** Gives the database an ID, by which its nodes distinguish their messages from those of other installations. */
export class Installation1700000000010 implements MigrationInterface {
  name = 'Installation1700000000010';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `INSERT INTO server_state (key, value) VALUES ('installation', '${randomUUID()}')`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query("DELETE FROM server_state WHERE key = 'installation'");
  }
}

/** Sessions of the companion interface. */
export class LoginSessions1700000000011 implements MigrationInterface {
  name = 'LoginSessions1700000000011';

  private readonly sessions = table(
    'login_session',
    [columns('text', 'id', primary), columns('integer', 'user_id'), columns('bigint', 'expires_at')],
    {
      references: [reference('user_id', 'account')],
      indices: [index('login_session', 'user_id'), index('login_session', 'expires_at')],
    },
  );

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(this.sessions);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable(this.sessions);
  }
}

/** The bridge's bot copies the other properties of this one, which every organization has. */
const ANOTHER_BOT = 'notification-bot@zulip.com';
const BOT = 'messaging-bridge@zulip.com';

/** Columns of an account that both bots have in common. */
const COMMON_COLUMNS =
  'role, is_active, is_bot, is_system_bot, bot_type, date_joined, awaits_first_login, timezone, avatar_source, ' +
  'avatar_version, email_visibility, is_imported_stub, is_deleted, can_create_users, settings, default_all_public_channels';

/**
 * Conversations with people outside, their messages, the answers that have yet to reach them, and the bot that posts
 * for them; new organizations get that bot with the others.
 */
export class MessagingBridge1700000000012 implements MigrationInterface {
  name = 'MessagingBridge1700000000012';

  private readonly tables = [
    table(
      'messaging_conversation',
      [
        idColumn(),
        columns('text', 'source address'),
        columns('text', 'via', nullable),
        columns('integer', 'topic_id'),
        columns('bigint', 'created_at'),
      ],
      {
        indices: [
          index('messaging_conversation', 'source address', { unique: true }),
          index('messaging_conversation', 'topic_id', { unique: true }),
        ],
      },
    ),
    table(
      'messaging_receipt',
      [
        idColumn(),
        columns('text', 'source external_id'),
        columns('integer', 'message_id'),
        columns('bigint', 'created_at'),
      ],
      { indices: [index('messaging_receipt', 'source external_id', { unique: true })] },
    ),
    table(
      'messaging_answer',
      [
        idColumn(),
        columns('integer', 'conversation_id message_id attempts'),
        columns('bigint', 'due_at created_at'),
      ],
      {
        references: [
          reference('conversation_id', 'messaging_conversation'),
          reference('message_id', 'message'),
        ],
        indices: [
          index('messaging_answer', 'message_id', { unique: true }),
          index('messaging_answer', 'conversation_id id'),
          index('messaging_answer', 'due_at'),
        ],
      },
    ),
    table('messaging_mock_entry', [idColumn(), columns('text', 'payload'), columns('bigint', 'created_at')]),
  ];

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const each of this.tables) await queryRunner.createTable(each);
    await queryRunner.query(
      `INSERT INTO account (delivery_email, email_key, full_name, key_nonce, ${COMMON_COLUMNS})
       SELECT '${BOT}', '${BOT}', 'Messaging Bridge', '${randomBytes(16).toString('hex')}', ${COMMON_COLUMNS}
       FROM account WHERE email_key = '${ANOTHER_BOT}' ON CONFLICT (email_key) DO NOTHING`,
    );
  }

  /** The bot remains, as do its messages. */
  async down(queryRunner: QueryRunner): Promise<void> {
    for (const each of [...this.tables].reverse()) await queryRunner.dropTable(each);
  }
}

/** Follow-up work of a change, done in steps after it. */
export class UnfinishedWork1700000000014 implements MigrationInterface {
  name = 'UnfinishedWork1700000000014';

  private readonly work = table(
    'unfinished_work',
    [idColumn(), columns('text', 'kind data'), columns('bigint', 'due_at')],
    { indices: [index('unfinished_work', 'due_at')] },
  );

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(this.work);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable(this.work);
  }
}

const toAccount = { references: [reference('user_id', 'account')] };

/**
 * Adds numbers and origins (time, address, client) to sessions of the companion interface. The origin of existing
 * sessions is unknown, so they end: people sign in again.
 */
export class SessionOrigins1700000000015 implements MigrationInterface {
  name = 'SessionOrigins1700000000015';

  private readonly before = table(
    'login_session',
    [columns('text', 'id', primary), columns('integer', 'user_id'), columns('bigint', 'expires_at')],
    { ...toAccount, indices: [index('login_session', 'user_id'), index('login_session', 'expires_at')] },
  );

  private readonly after = table(
    'login_session',
    [
      idColumn(),
      columns('text', 'token_id'),
      columns('integer', 'user_id'),
      columns('bigint', 'created_at expires_at'),
      columns('text', 'address user_agent'),
    ],
    {
      ...toAccount,
      indices: [
        index('login_session', 'token_id', { unique: true }),
        index('login_session', 'user_id id'),
        index('login_session', 'expires_at'),
      ],
    },
  );

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable(this.before);
    await queryRunner.createTable(this.after);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable(this.after);
    await queryRunner.createTable(this.before);
  }
}

/** Removes topics from the full-text search that were deleted before their search rows were deleted with them. */
export class ForgottenTopics1700000000016 implements MigrationInterface {
  name = 'ForgottenTopics1700000000016';

  async up(queryRunner: QueryRunner): Promise<void> {
    const isPostgres = queryRunner.dataSource.options.type === 'postgres';
    // A contentless FTS5 table lists its rows in a companion table.
    const [key, listed] = isPostgres
      ? ['topic_id', 'SELECT topic_id FROM topic_search']
      : ['rowid', 'SELECT id FROM topic_search_docsize'];
    await queryRunner.query(
      `DELETE FROM topic_search WHERE ${key} IN (${listed} EXCEPT SELECT id FROM topic)`,
    );
  }

  /** Nothing to restore. */
  async down(): Promise<void> {}
}

/** The answer to a repeated send request reports the sender's topic policy, like the first answer. */
export class SentEchoPolicies1700000000017 implements MigrationInterface {
  name = 'SentEchoPolicies1700000000017';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE sent_echo ADD COLUMN topic_policy integer');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE sent_echo DROP COLUMN topic_policy');
  }
}
