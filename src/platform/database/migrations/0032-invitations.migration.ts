import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columns, idColumn, index, nullable, reference, table } from './table-columns';

/** A table for invitations of people, and for links with which several people can join. */
export class Invitations1700000000032 implements MigrationInterface {
  name = 'Invitations1700000000032';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table(
        'invitation',
        [
          idColumn(),
          columns('text', 'nonce email email_key channel_ids group_ids state'),
          columns('text', 'welcome_text', nullable),
          columns('integer', 'inviter_id role mails_asked'),
          columns('integer', 'used_by_id', nullable),
          columns('boolean', 'is_multiuse with_default_channels notifies_inviter'),
          columns('bigint', 'created_at'),
          columns('bigint', 'expires_at ended_at', nullable),
        ],
        {
          references: [reference('inviter_id', 'account'), reference('used_by_id', 'account')],
          indices: [
            index('invitation', 'nonce', { unique: true }),
            index('invitation', 'inviter_id'),
            index('invitation', 'used_by_id'),
            index('invitation', 'email_key'),
            index('invitation', 'created_at'),
          ],
        },
      ),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('invitation');
  }
}
