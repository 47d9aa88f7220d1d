import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columns, idColumn, index, primary, reference, table } from './table-columns';

/** Groups of channels that newcomers may choose. */
export class DefaultChannelGroups1700000000027 implements MigrationInterface {
  name = 'DefaultChannelGroups1700000000027';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table('default_channel_group', [idColumn(), columns('text', 'name description')], {
        indices: [index('default_channel_group', 'name', { unique: true })],
      }),
    );
    await queryRunner.createTable(
      table('default_channel_group_channel', [columns('integer', 'group_id channel_id', primary)], {
        references: [reference('group_id', 'default_channel_group'), reference('channel_id', 'channel')],
        indices: [index('default_channel_group_channel', 'channel_id')],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('default_channel_group_channel');
    await queryRunner.dropTable('default_channel_group');
  }
}
