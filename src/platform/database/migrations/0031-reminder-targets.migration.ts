import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { index } from './table-columns';

/** Finds the reminders of messages that are deleted, and takes the text of those away that are gone already. */
export class ReminderTargets1700000000031 implements MigrationInterface {
  name = 'ReminderTargets1700000000031';

  private readonly byTarget = new TableIndex(index('reminder', 'target_message_id'));

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createIndex('reminder', this.byTarget);
    const gone = 'You requested a reminder for a message that has been deleted.';
    await queryRunner.query(
      `UPDATE reminder SET content = '${gone}', rendered_content = '<p>${gone}</p>'
       WHERE NOT EXISTS (SELECT 1 FROM message m WHERE m.id = reminder.target_message_id)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropIndex('reminder', this.byTarget);
  }
}
