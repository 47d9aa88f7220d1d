import { Role } from '../../src/platform/actor';
import { addAccount, PASSWORD } from '../support/cast';
import type { CompanionClient } from '../support/companion-client';
import { TestApp } from '../support/test-app';

interface Listed {
  readonly user_id: number;
}

const PEOPLE = 130;
const ENDED = { status: 401, body: { detail: 'Invalid or expired token' } };

describe('Lists of the companion interface', () => {
  let app: TestApp;
  let client: CompanionClient;
  let everybody: number[];

  beforeAll(async () => {
    app = await TestApp.start();
    for (let i = 0; i < PEOPLE; i++) {
      const name = `Person ${String(i).padStart(3, '0')}`;
      await addAccount(app.nest, { deliveryEmail: `p${i}@example.com`, fullName: name, role: Role.member });
    }
    client = await app.companionAs(app.cast.adam);
    everybody = await walk('?page_size=50');
  });

  afterAll(() => app.stop());

  const list = (query: string) => client.get(`/auth/users${query}`);
  const idsOf = (items: readonly Listed[]) => items.map(({ user_id }) => user_id);

  /** Everybody, by the cursors of the answers. */
  async function walk(query: string): Promise<number[]> {
    const seen: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await list(`${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...idsOf(body.items));
      cursor = body.next_cursor;
    }
    return seen;
  }

  it('say how many there are, in the order of their IDs', async () => {
    const { status, body } = await list('');
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: everybody.length, page: 1, page_size: 20 });
    expect(everybody.length).toBeGreaterThanOrEqual(PEOPLE);
    expect(everybody).toEqual([...new Set(everybody)].sort((a, b) => a - b));
  });

  it('take limit for page_size [COMP-limit]', async () => {
    const [first, second] = [await list('?limit=30&page=2'), await list('?page_size=30&page=2')];
    expect(first.body).toEqual(second.body);
    expect(first.body).toMatchObject({ page: 2, page_size: 30 });
    expect(idsOf(first.body.items)).toEqual(everybody.slice(30, 60));
  });

  it('hold a hundred entries at most, and say so [COMP-maximum, LIM-4]', async () => {
    for (const query of ['?page_size=101', '?limit=1000000', `?limit=1${'0'.repeat(400)}`]) {
      const { body } = await list(query);
      expect(body.page_size).toBe(100);
      expect(idsOf(body.items)).toEqual(everybody.slice(0, 100));
    }
    expect(idsOf((await list('?limit=500&page=2')).body.items)).toEqual(everybody.slice(100));
  });

  it('refuse limit and page_size together [COMP-both, ERR-paging]', async () => {
    expect(await list('?limit=5&page_size=5')).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['query', 'limit'], msg: expect.any(String), type: 'value_error' }] },
    });
  });

  it('are the same by pages and by cursors, of whatever size', async () => {
    for (const size of [1, 7, 99]) expect(await walk(`?limit=${size}`)).toEqual(everybody);
    const byPages: number[] = [];
    for (let page = 1; page <= Math.ceil(everybody.length / 40); page++) {
      byPages.push(...idsOf((await list(`?limit=40&page=${page}`)).body.items));
    }
    expect(byPages).toEqual(everybody);
  });

  it('go on where a cursor left off, whoever comes or goes meanwhile', async () => {
    const { body } = await list('?limit=10');
    const gone = everybody[5] as number;
    expect((await client.delete(`/auth/users/${gone}`)).status).toBeLessThan(300);
    const next = await list(`?limit=10&cursor=${body.next_cursor}`);
    expect(idsOf(next.body.items)).toEqual(everybody.slice(10, 20));
  });
});

describe('A session of the companion interface', () => {
  let app: TestApp;
  let owner: CompanionClient;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.companionAs(app.cast.olivia);
  });

  afterAll(() => app.stop());

  const STRONG = 'seven quiet herons in the reeds';

  /** Somebody new, and a session of theirs. */
  async function newcomer(name: string) {
    const email = `${name}@example.com`;
    const person = { email, full_name: name, password: PASSWORD, role: 'administrator' };
    const { body } = await owner.post('/auth/users', person);
    return { id: body.user_id as number, client: await app.companionAs({ email }) };
  }

  it.each([
    ['another password', { password: STRONG }],
    ['another role', { role: 'member' }],
    ['a deactivation', { is_active: false }],
  ])('ends with %s given by an administrator', async (what, change) => {
    const { id, client } = await newcomer(what.split(' ')[1] as string);
    expect(
      (await owner.patch(`/auth/users/${id}`, { full_name: 'Renamed', can_create_users: true })).status,
    ).toBe(200);
    expect((await client.get('/auth/me')).status).toBe(200);
    expect((await owner.patch(`/auth/users/${id}`, change)).status).toBe(200);
    expect(await client.get('/auth/me')).toMatchObject(ENDED);
  });

  it('ends when its owner is deleted, who cannot sign in again', async () => {
    const { id, client } = await newcomer('dee');
    expect((await owner.delete(`/auth/users/${id}`)).status).toBeLessThan(300);
    expect(await client.get('/auth/me')).toMatchObject(ENDED);
    const answer = await app
      .companion()
      .post('/auth/login', { email: 'dee@example.com', password: PASSWORD });
    expect(answer.status).toBe(401);
  });
});
