import type { MigrationInterface, QueryRunner, Table } from 'typeorm';
import { columns, idColumn, index, nullable, primary, reference, table } from './table-columns';

/** Tables in an order in which every reference points to a table before it. */
function tables(): Table[] {
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

/** What people keep for themselves: alert words, whom they muted, their status and when they were there. */
export class Personal1700000000003 implements MigrationInterface {
  name = 'Personal1700000000003';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const each of tables()) await queryRunner.createTable(each);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const each of tables().reverse()) await queryRunner.dropTable(each);
  }
}
