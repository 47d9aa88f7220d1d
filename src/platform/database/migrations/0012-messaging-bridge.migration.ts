import { randomBytes } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columns, idColumn, index, nullable, reference, table } from './table-columns';

/** The bot of the bridge is in everything else like this one, which every organization has. */
const ANOTHER_BOT = 'notification-bot@zulip.com';
const BOT = 'messaging-bridge@zulip.com';

/** Columns of an account that both bots have in common. */
const COMMON_COLUMNS =
  'role, is_active, is_bot, is_system_bot, bot_type, date_joined, awaits_first_login, timezone, avatar_source, ' +
  'avatar_version, email_visibility, is_imported_stub, is_deleted, can_create_users, settings, default_all_public_channels';

/**
 * Conversations with people outside, what came from them, the answers that have yet to reach them, and the bot that posts
 * what they write; a new organization gets that one with its others.
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

  /** The bot stays, as what it has posted does. */
  async down(queryRunner: QueryRunner): Promise<void> {
    for (const each of [...this.tables].reverse()) await queryRunner.dropTable(each);
  }
}
