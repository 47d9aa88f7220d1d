import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  columns,
  idColumn,
  index,
  nullable,
  primary,
  reference,
  table,
} from '../../platform/database/migrations/table-columns';

/** Tables of received mail, and of reply addresses of notification mails. */
export class MailGateway1700000000061 implements MigrationInterface {
  name = 'MailGateway1700000000061';

  async up(queryRunner: QueryRunner): Promise<void> {
    const bytes = queryRunner.dataSource.options.type === 'postgres' ? 'bytea' : 'blob';
    await queryRunner.createTable(
      table(
        'reply_address',
        [
          idColumn(),
          columns('text', 'token_hash key_mark'),
          columns('integer', 'user_id message_id'),
          columns('bigint', 'created_at'),
        ],
        {
          references: [reference('user_id', 'account')],
          indices: [
            index('reply_address', 'token_hash', { unique: true }),
            index('reply_address', 'user_id'),
            index('reply_address', 'message_id'),
          ],
        },
      ),
    );
    await queryRunner.createTable(
      table(
        'received_mail',
        [
          idColumn(),
          columns('text', 'digest target options'),
          columns('integer', 'user_id'),
          columns('bigint', 'received_at'),
        ],
        {
          references: [reference('user_id', 'account')],
          indices: [
            index('received_mail', 'digest', { unique: true }),
            index('received_mail', 'user_id'),
            index('received_mail', 'received_at'),
          ],
        },
      ),
    );
    await queryRunner.createTable(
      table('received_mail_content', [
        columns('integer', 'mail_id', primary),
        { name: 'content', type: bytes, ...nullable },
      ]),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const name of ['received_mail_content', 'received_mail', 'reply_address']) {
      await queryRunner.dropTable(name);
    }
  }
}
