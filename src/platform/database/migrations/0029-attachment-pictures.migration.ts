import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columns, nullable, primary, reference, table } from './table-columns';

/** A table for what is known of uploaded pictures, and of the smaller versions of them. */
export class AttachmentPictures1700000000029 implements MigrationInterface {
  name = 'AttachmentPictures1700000000029';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table(
        'attachment_picture',
        [
          columns('integer', 'attachment_id', primary),
          columns('integer', 'width height'),
          columns('boolean', 'is_animated'),
          columns('text', 'transcoded', nullable),
          columns('text', 'thumbnails'),
          columns('bigint', 'bytes'),
        ],
        { references: [reference('attachment_id', 'attachment')] },
      ),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('attachment_picture');
  }
}
