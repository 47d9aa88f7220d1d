import type { MigrationInterface, QueryRunner, Table } from 'typeorm';
import { columns, idColumn, index, nullable, primary, table } from './table-columns';

function isPostgres(runner: QueryRunner): boolean {
  return runner.dataSource.options.type === 'postgres';
}

function tables(runner: QueryRunner): Table[] {
  const postgres = isPostgres(runner);
  const bytes = postgres ? 'bytea' : 'blob';
  return [
    table(
      'audience',
      [
        idColumn(),
        columns('text', 'hash'),
        { name: 'members', type: bytes },
        columns('bigint', 'last_used_at'),
      ],
      { indices: [index('audience', 'hash', { unique: true })] },
    ),
    table(
      'event_log',
      [
        {
          name: 'number',
          // SQLite assigns row numbers only to columns of exactly this type, which has 64 bits there.
          type: postgres ? 'bigint' : 'integer',
          isPrimary: true,
          isGenerated: true,
          generationStrategy: 'increment',
        },
        columns('bigint', 'created_at'),
        columns('text', 'type payload'),
        columns('text', 'options', nullable),
        { name: 'audience', type: bytes, isNullable: true },
        // Without a foreign key: on PostgreSQL each event would lock the row of its audience.
        columns('integer', 'audience_id', nullable),
      ],
      {
        indices: [
          { ...index('event_log', 'audience_id'), where: 'audience_id IS NOT NULL' },
          { name: 'ix_event_log_snapshot', columnNames: ['number'], where: `type = 'snapshot'` },
        ],
      },
    ),
    ...(postgres ? [table('event_log_head', [columns('bigint', 'number')])] : []),
    table('directory_version', [columns('integer', 'id', primary), columns('bigint', 'version')]),
    table('server_state', [columns('text', 'key', primary), columns('text', 'value')]),
  ];
}

/** The platform's own tables: the event log, the version of the directories, the server's state. */
export class Platform1700000000000 implements MigrationInterface {
  name = 'Platform1700000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const each of tables(queryRunner)) await queryRunner.createTable(each);
    if (isPostgres(queryRunner)) await queryRunner.query('INSERT INTO event_log_head (number) VALUES (0)');
    await queryRunner.query('INSERT INTO directory_version (id, version) VALUES (1, 0)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const each of tables(queryRunner).reverse()) await queryRunner.dropTable(each);
  }
}
