import { columns, idColumn, index, type ModuleMigration, nullable, primary, table } from 'parley/module';

/** Numbered 1, 2, 3. What was released never changes. */
export const migrations: ModuleMigration[] = [
  {
    number: 1,
    name: 'polls',
    up: async (tables) => {
      await tables.createTable(
        table(
          'module_polls_poll',
          [
            idColumn(),
            columns('integer', 'message_id creator_id'),
            columns('text', 'question'),
            columns('bigint', 'closes_at'),
            columns('boolean', 'is_closed'),
          ],
          { indices: [index('module_polls_poll', 'message_id', { unique: true })] },
        ),
      );
      await tables.createTable(
        table('module_polls_option', [
          columns('integer', 'poll_id position', primary),
          columns('text', 'emoji text'),
          columns('integer', 'votes', nullable),
        ]),
      );
    },
  },
];
