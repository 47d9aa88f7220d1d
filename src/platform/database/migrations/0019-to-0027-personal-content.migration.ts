import type { MigrationInterface, QueryRunner, Table } from 'typeorm';
import { columns, idColumn, index, nullable, primary, reference, table } from './table-columns';

/** A table for saved snippets: texts that people insert into messages. */
export class SavedSnippets1700000000019 implements MigrationInterface {
  name = 'SavedSnippets1700000000019';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table(
        'saved_snippet',
        [
          idColumn(),
          columns('integer', 'user_id'),
          columns('text', 'title content'),
          columns('bigint', 'created_at'),
        ],
        { references: [reference('user_id', 'account')], indices: [index('saved_snippet', 'user_id')] },
      ),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('saved_snippet');
  }
}

/** Saved views in the left sidebar of clients. */
export class NavigationViews1700000000020 implements MigrationInterface {
  name = 'NavigationViews1700000000020';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table(
        'navigation_view',
        [
          idColumn(),
          columns('integer', 'user_id'),
          columns('text', 'fragment'),
          columns('boolean', 'is_pinned'),
          columns('text', 'name', nullable),
        ],
        {
          references: [reference('user_id', 'account')],
          indices: [index('navigation_view', 'user_id fragment', { unique: true })],
        },
      ),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('navigation_view');
  }
}

/** Onboarding steps that users have seen. */
export class OnboardingSteps1700000000021 implements MigrationInterface {
  name = 'OnboardingSteps1700000000021';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table('onboarding_step', [columns('integer', 'user_id', primary), columns('text', 'step', primary)], {
        references: [reference('user_id', 'account')],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('onboarding_step');
  }
}

/** A table for drafts. */
export class Drafts1700000000022 implements MigrationInterface {
  name = 'Drafts1700000000022';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table(
        'draft',
        [
          idColumn(),
          columns('integer', 'user_id'),
          columns('integer', 'channel_id', nullable),
          columns('text', 'recipient_ids topic content'),
          columns('bigint', 'edited_at'),
        ],
        {
          references: [reference('user_id', 'account'), reference('channel_id', 'channel')],
          indices: [index('draft', 'user_id edited_at')],
        },
      ),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('draft');
  }
}

/** Stores how many bytes each account has uploaded, for quotas. */
export class UploadSpace1700000000023 implements MigrationInterface {
  name = 'UploadSpace1700000000023';

  private readonly space = table(
    'upload_space',
    [columns('integer', 'user_id', primary), columns('bigint', 'bytes')],
    { references: [reference('user_id', 'account')] },
  );

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(this.space);
    await queryRunner.query(
      `INSERT INTO upload_space (user_id, bytes)
       SELECT owner_id, SUM(size) FROM attachment GROUP BY owner_id`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable(this.space);
  }
}

/** Columns that no update may change: all but address and client. */
const FIXED = ['id', 'created_at', 'way', 'actor_id', 'action', 'target_user_id', 'target_id', 'details'];

const CHANGES = `(NEW.address <> '' OR NEW.client_name <> ''
  OR ${FIXED.map((name) => `NEW.${name} IS DISTINCT FROM OLD.${name}`).join(' OR ')})`;

/** Rows older than this may be deleted; none may until it is set. */
const IS_KEPT = `OLD.created_at >= COALESCE(
  (SELECT CAST(value AS bigint) FROM server_state WHERE key = 'audit log kept since'), 0)`;

const REFUSAL = 'The audit log is append-only.';

const ON_SQLITE = [
  `CREATE TRIGGER audit_entry_stays BEFORE DELETE ON audit_entry WHEN ${IS_KEPT}
   BEGIN SELECT RAISE(ABORT, '${REFUSAL}'); END`,
  `CREATE TRIGGER audit_entry_stays_as_it_is BEFORE UPDATE ON audit_entry WHEN ${CHANGES}
   BEGIN SELECT RAISE(ABORT, '${REFUSAL}'); END`,
];

const ON_POSTGRES = [
  `CREATE FUNCTION audit_entry_refuse() RETURNS trigger LANGUAGE plpgsql AS
   $$ BEGIN RAISE EXCEPTION '${REFUSAL}'; END $$`,
  `CREATE FUNCTION audit_entry_delete() RETURNS trigger LANGUAGE plpgsql AS
   $$ BEGIN
     IF ${IS_KEPT} THEN RAISE EXCEPTION '${REFUSAL}'; END IF;
     RETURN OLD;
   END $$`,
  `CREATE TRIGGER audit_entry_stays BEFORE DELETE ON audit_entry
   FOR EACH ROW EXECUTE FUNCTION audit_entry_delete()`,
  `CREATE TRIGGER audit_entry_stays_as_it_is BEFORE UPDATE ON audit_entry
   FOR EACH ROW WHEN ${CHANGES} EXECUTE FUNCTION audit_entry_refuse()`,
  `CREATE TRIGGER audit_entry_stays_whole BEFORE TRUNCATE ON audit_entry
   FOR EACH STATEMENT EXECUTE FUNCTION audit_entry_refuse()`,
];

/**
 * The audit log. Triggers refuse to delete retained rows, and to change anything but the erasure of a deleted person's
 * addresses and clients: a faulty statement cannot remove entries.
 */
export class Audit1700000000024 implements MigrationInterface {
  name = 'Audit1700000000024';

  private readonly entries = table(
    'audit_entry',
    [
      idColumn(),
      columns('bigint', 'created_at'),
      columns('text', 'way address client_name'),
      columns('integer', 'actor_id', nullable),
      columns('text', 'action'),
      columns('integer', 'target_user_id target_id', nullable),
      columns('text', 'details'),
    ],
    {
      references: [reference('actor_id', 'account'), reference('target_user_id', 'account')],
      indices: [
        index('audit_entry', 'actor_id id'),
        index('audit_entry', 'target_user_id id'),
        index('audit_entry', 'action target_id id'),
        index('audit_entry', 'created_at'),
      ],
    },
  );

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(this.entries);
    for (const statement of isPostgres(queryRunner) ? ON_POSTGRES : ON_SQLITE) {
      await queryRunner.query(statement);
    }
  }

  /** The triggers go with the table. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable(this.entries);
    await queryRunner.query("DELETE FROM server_state WHERE key = 'audit log kept since'");
    if (!isPostgres(queryRunner)) return;
    await queryRunner.query('DROP FUNCTION audit_entry_delete');
    await queryRunner.query('DROP FUNCTION audit_entry_refuse');
  }
}

function isPostgres({ dataSource }: QueryRunner): boolean {
  return dataSource.options.type === 'postgres';
}

function scheduledTables(): Table[] {
  return [
    table(
      'scheduled_message',
      [
        idColumn(),
        columns('integer', 'user_id'),
        columns('integer', 'channel_id', nullable),
        columns('text', 'recipient_ids topic content rendered_content client_name'),
        columns('boolean', 'is_read_by_sender'),
        columns('bigint', 'deliver_at'),
        columns('boolean', 'has_failed'),
      ],
      {
        references: [reference('user_id', 'account'), reference('channel_id', 'channel')],
        indices: [index('scheduled_message', 'user_id deliver_at')],
      },
    ),
    table(
      'reminder',
      [
        idColumn(),
        columns('integer', 'user_id target_message_id'),
        columns('text', 'note content rendered_content'),
        columns('bigint', 'deliver_at'),
        columns('boolean', 'has_failed'),
      ],
      {
        references: [reference('user_id', 'account')],
        indices: [index('reminder', 'user_id deliver_at')],
      },
    ),
  ];
}

/** Tables for scheduled messages and for reminders. */
export class ScheduledMessages1700000000025 implements MigrationInterface {
  name = 'ScheduledMessages1700000000025';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const each of scheduledTables()) await queryRunner.createTable(each);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const each of scheduledTables().reverse()) await queryRunner.dropTable(each);
  }
}

/** A table for widgets attached to messages, such as polls and their votes. */
export class Submessages1700000000026 implements MigrationInterface {
  name = 'Submessages1700000000026';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table(
        'submessage',
        [idColumn(), columns('integer', 'message_id sender_id'), columns('text', 'msg_type content')],
        {
          references: [reference('message_id', 'message'), reference('sender_id', 'account')],
          indices: [index('submessage', 'message_id')],
        },
      ),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('submessage');
  }
}

/** Groups of channels offered to new users. */
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
