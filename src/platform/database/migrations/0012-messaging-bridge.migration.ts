import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columns, idColumn, index, nullable, reference, table } from './table-columns';

/** Conversations with people outside, what came from them, and the answers that have yet to reach them. */
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
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const each of [...this.tables].reverse()) await queryRunner.dropTable(each);
  }
}
