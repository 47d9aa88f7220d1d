import { randomUUID } from 'node:crypto';
import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { columns, idColumn, index, nullable, primary, reference, table } from './table-columns';

/** Gives the organization a permanent UUID, which survives moves. Clients generate avatars from it. */
export class OrganizationUuid1700000000028 implements MigrationInterface {
  name = 'OrganizationUuid1700000000028';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `INSERT INTO organization_setting (name, value) VALUES ('uuid', '"${randomUUID()}"')`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query("DELETE FROM organization_setting WHERE name = 'uuid'");
  }
}

/** A table for metadata of uploaded pictures and of their thumbnails. */
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

/** The names of the personal settings of an account, on each engine. */
const NAMES = {
  sqlite: '(SELECT json_group_array(key) FROM json_each(account.settings))',
  postgres:
    "(SELECT COALESCE(json_agg(name), '[]')::text FROM json_object_keys(account.settings::json) AS name)",
};

/**
 * Records which settings users have changed themselves. That is unknown for existing settings, so they count as
 * changed.
 */
export class EditedSettings1700000000030 implements MigrationInterface {
  name = 'EditedSettings1700000000030';

  async up(queryRunner: QueryRunner): Promise<void> {
    const engine = queryRunner.dataSource.options.type === 'postgres' ? 'postgres' : 'sqlite';
    await queryRunner.query("ALTER TABLE account ADD COLUMN edited_settings text NOT NULL DEFAULT '[]'");
    await queryRunner.query(
      `UPDATE account SET edited_settings = ${NAMES[engine]} WHERE settings <> '{}' AND NOT is_bot`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE account DROP COLUMN edited_settings');
  }
}

/** Indexes reminders by message, and clears the text of those whose message is already deleted. */
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

/** A table for email invitations, and for links that several people can use. */
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

/** Adds browser sessions, which use a cookie. Existing sessions keep their token. */
export class BrowserSessions1700000000033 implements MigrationInterface {
  name = 'BrowserSessions1700000000033';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query("ALTER TABLE login_session ADD COLUMN kind text NOT NULL DEFAULT 'token'");
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query("DELETE FROM login_session WHERE kind <> 'token'");
    await queryRunner.query('ALTER TABLE login_session DROP COLUMN kind');
  }
}

/** A table of the applied migrations of modules. */
export class ModuleMigrations1700000000036 implements MigrationInterface {
  name = 'ModuleMigrations1700000000036';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table('module_migration', [
        columns('text', 'module', primary),
        columns('integer', 'number', primary),
        columns('text', 'name'),
        columns('bigint', 'applied_at'),
      ]),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('module_migration');
  }
}

/** A table for the latest calls of each outgoing webhook. */
export class WebhookDeliveries1700000000037 implements MigrationInterface {
  name = 'WebhookDeliveries1700000000037';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table(
        'webhook_call',
        [
          idColumn(),
          columns('integer', 'bot_id message_id duration_ms attempt'),
          columns('integer', 'status', nullable),
          columns('bigint', 'called_at'),
          columns('text', 'error answer', nullable),
        ],
        {
          references: [reference('bot_id', 'account')],
          indices: [index('webhook_call', 'bot_id id')],
        },
      ),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('webhook_call');
  }
}

/** A table for resumable uploads in progress. */
export class UnfinishedUploads1700000000038 implements MigrationInterface {
  name = 'UnfinishedUploads1700000000038';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table(
        'unfinished_upload',
        [
          columns('text', 'id', primary),
          columns('integer', 'owner_id'),
          columns('text', 'file_name content_type pieces'),
          columns('bigint', 'length received touched_at'),
        ],
        {
          references: [reference('owner_id', 'account')],
          indices: [index('unfinished_upload', 'owner_id'), index('unfinished_upload', 'touched_at')],
        },
      ),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('unfinished_upload');
  }
}

/** Lists the words of SQLite's search index in order, which it already maintains; PostgreSQL does not need this. */
export class SearchTerms1700000000039 implements MigrationInterface {
  name = 'SearchTerms1700000000039';

  async up(queryRunner: QueryRunner): Promise<void> {
    if (queryRunner.dataSource.options.type === 'postgres') return;
    await queryRunner.query(
      'CREATE VIRTUAL TABLE message_search_terms USING fts5vocab(message_search, instance)',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    if (queryRunner.dataSource.options.type !== 'postgres') {
      await queryRunner.query('DROP TABLE message_search_terms');
    }
  }
}
