import { TableIndex, type MigrationInterface, type QueryRunner, type Table } from 'typeorm';
import { columns, idColumn, index, nullable, reference, table } from './table-columns';

/** Tables in an order in which every reference points to a table before it. */
function tables(): Table[] {
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
    for (const each of tables()) await queryRunner.createTable(each);
    await queryRunner.createIndex('subscription_period', new TableIndex(periodsByEnd));
    await queryRunner.dropIndex('subscription_period', periods.name!);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createIndex('subscription_period', new TableIndex(periods));
    await queryRunner.dropIndex('subscription_period', periodsByEnd.name!);
    for (const each of tables().reverse()) await queryRunner.dropTable(each);
  }
}
