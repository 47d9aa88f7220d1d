import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columns, idColumn, index, nullable, reference, table } from './table-columns';

/** All that an update must leave as it is: everything but what says from where, and with what. */
const FIXED = ['id', 'created_at', 'way', 'actor_id', 'action', 'target_user_id', 'target_id', 'details'];

const CHANGES = `(NEW.address <> '' OR NEW.client_name <> ''
  OR ${FIXED.map((name) => `NEW.${name} IS DISTINCT FROM OLD.${name}`).join(' OR ')})`;

/** Rows older than this may be deleted; none until it is set. */
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
