import { getRepositoryToken } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { SavedSnippet } from '../../src/features/personal/personal.entity';
import { WriteThroughReads } from '../../src/platform/database/database.errors';
import { expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

/** Behind a pooler, connections of PostgreSQL do not refuse writes by themselves. */
const POOLERS = process.env.TEST_ENGINE === 'postgres' ? ['none', 'transaction'] : ['none'];

describe.each(POOLERS)('an injected repository, with DATABASE_POOLER=%s', (pooler) => {
  let app: TestApp;
  let snippets: Repository<SavedSnippet>;
  let id: number;

  beforeAll(async () => {
    app = await TestApp.start({ env: { DATABASE_POOLER: pooler } });
    // With all its methods, which the type that services have leaves out.
    snippets = app.nest.get<Repository<SavedSnippet>>(getRepositoryToken(SavedSnippet), { strict: false });
    const answer = await app.as(app.cast.mia).post('/saved_snippets', { title: 'Hello', content: 'Hi all' });
    id = expectSuccess(answer).saved_snippet_id;
  });

  afterAll(() => app.stop());

  it('reads what was committed', async () => {
    await expect(snippets.findOneBy({ id })).resolves.toMatchObject({ title: 'Hello', content: 'Hi all' });
    await expect(snippets.countBy({ userId: app.cast.mia.id })).resolves.toBe(1);
    await expect(snippets.existsBy({ id: id + 1 })).resolves.toBe(false);
    const [found, count] = await snippets.findAndCount({ order: { id: 'DESC' }, take: 1 });
    expect([found.map((snippet) => snippet.id), count]).toEqual([[id], 1]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['insert', () => snippets.insert({ userId: app.cast.mia.id, title: 'x', content: 'y', createdAt: 1 })],
    ['save', async () => snippets.save({ ...(await snippets.findOneByOrFail({ id })), title: 'x' })],
    ['update', () => snippets.update({ id }, { title: 'x' })],
    ['delete', () => snippets.delete({ id })],
    ['clear', () => snippets.clear()],
    ['a query builder', () => snippets.createQueryBuilder().delete().where({ id }).execute()],
    ['a statement', () => snippets.query('DELETE FROM saved_snippet')],
    ['the entity manager', () => snippets.manager.delete(SavedSnippet, { id })],
    ['a transaction', () => snippets.manager.transaction((manager) => manager.delete(SavedSnippet, { id }))],
  ])('refuses to write by %s', async (_way, write) => {
    await expect(write()).rejects.toThrow(WriteThroughReads);
    await expect(snippets.findOneBy({ id })).resolves.toMatchObject({ title: 'Hello' });
  });

  it('leaves the connections open where Nest would close them', async () => {
    await snippets.manager.dataSource.destroy();
    await expect(snippets.existsBy({ id })).resolves.toBe(true);
  });
});
