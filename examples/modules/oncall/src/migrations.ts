import { columns, idColumn, index, type ModuleMigration, nullable, table } from 'parley/module';

export const migrations: ModuleMigration[] = [
  {
    number: 1,
    name: 'rotations',
    up: (tables) =>
      tables.createTable(
        table(
          'module_oncall_rotation',
          [
            idColumn(),
            columns('integer', 'group_id set_up_by'),
            columns('integer', 'channel_id', nullable),
            columns('text', 'calendar topic on_call'),
            columns('bigint', 'until', nullable),
            columns('text', 'problem', nullable),
          ],
          { indices: [index('module_oncall_rotation', 'group_id', { unique: true })] },
        ),
      ),
  },
];
