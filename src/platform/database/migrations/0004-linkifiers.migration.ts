import type { MigrationInterface, QueryRunner, Table } from 'typeorm';
import { columns, idColumn, index, nullable, table } from './table-columns';

function tables(): Table[] {
  return [
    table(
      'linkifier',
      [
        idColumn(),
        columns('integer', 'position'),
        columns('text', 'pattern url_template'),
        columns('text', 'example_input reverse_template', nullable),
        columns('text', 'alternative_url_templates'),
      ],
      { indices: [index('linkifier', 'pattern', { unique: true })] },
    ),
    table('playground', [idColumn(), columns('text', 'name language url_template')], {
      indices: [index('playground', 'language name', { unique: true })],
    }),
  ];
}

/** Patterns that turn text into links, and sites where code can be tried. */
export class Linkifiers1700000000004 implements MigrationInterface {
  name = 'Linkifiers1700000000004';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const each of tables()) await queryRunner.createTable(each);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const each of tables().reverse()) await queryRunner.dropTable(each);
  }
}
