import type { EntityTarget } from 'typeorm';
import { Channel } from '../../src/features/channels/store/channel.entity';
import { UserGroup } from '../../src/features/user-groups/groups/user-group.entity';
import { Account } from '../../src/features/users/accounts/account.entity';
import { Database } from '../../src/platform/database/database.service';
import { entityRows, insertEntity } from '../../src/platform/sql/entity-rows';
import { TransactionService } from '../../src/platform/database/transaction.service';
import { TestApp } from '../support/test-app';
import { engines } from '../support/test-database';

describe.each(engines)('Rows of entities on %s', (engine) => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start({ engine });
  });

  afterAll(() => app.stop());

  const byTypeOrm = async <E extends { id: number }>(entity: EntityTarget<E>): Promise<E[]> => {
    const rows = await app.get(Database).read.repository(entity).find();
    return rows.map((row) => ({ ...row })).sort((a, b) => a.id - b.id);
  };

  it.each(Object.entries({ Account, UserGroup, Channel }))(
    'of %s are those that TypeORM reads',
    async (_, entity) => {
      const rows = await entityRows(app.get(Database).read, entity, 'ORDER BY id');
      expect(rows.length).toBeGreaterThan(0);
      expect(rows).toEqual(await byTypeOrm<{ id: number }>(entity));
    },
  );

  it('are picked by a condition', async () => {
    const { mia, max } = app.cast;
    const rows = await entityRows(app.get(Database).read, Account, 'WHERE id IN (?) ORDER BY id DESC', [
      [mia.id, max.id],
    ]);
    expect(rows.map(({ id }) => id)).toEqual([mia.id, max.id].sort((a, b) => b - a));
  });

  it('are written as TypeORM reads them', async () => {
    const [template] = await byTypeOrm(Channel);
    const { id: _, ...values } = { ...(template as Channel), name: 'Copy', nameKey: 'copy', isPrivate: true };
    const written = await app.get(TransactionService).run((tx) => insertEntity(tx, Channel, values));
    expect(written).toEqual((await byTypeOrm(Channel)).at(-1));
    expect(written).toMatchObject({ name: 'Copy', isPrivate: true });
  });
});
