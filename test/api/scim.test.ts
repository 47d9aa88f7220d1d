import { Role } from '../../src/platform/actor';
import type { Answer, Method } from '../support/api-client';
import { AuditReader } from '../support/audit-setup';
import { browserOf } from '../support/browser-client';
import { addAccount } from '../support/cast';
import { expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';
const USERS = '/Users';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

let app: TestApp;

/** A directory that calls with its key. */
type Directory = (method: Method, path: string, body?: unknown, type?: string) => Promise<Answer>;

/** A new key, made by the owner. */
async function newKey(name: string): Promise<{ id: number; key: string }> {
  const owner = await app.companionAs(app.cast.olivia);
  const { status, body } = await owner.post('/directories/keys', { directory: name });
  expect(status).toBe(201);
  return body;
}

function withKey(key: string, more: Readonly<Record<string, string>> = {}): Directory {
  return async (method, path, body, type = 'application/scim+json') => {
    const answer = await app.client().send({
      method,
      url: `/scim/v2${path}`,
      headers: {
        ...more,
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': type }),
      },
      payload: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = String(answer.body);
    if (text === '') return answer;
    expect(answer.headers['content-type']).toBe('application/scim+json; charset=utf-8');
    return { ...answer, body: JSON.parse(text) };
  };
}

const patch = (...Operations: readonly unknown[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
});

let okta: Directory;
let entra: Directory;

beforeAll(async () => {
  app = await TestApp.start();
  okta = withKey((await newKey('okta')).key);
  entra = withKey((await newKey('entra')).key);
});

afterAll(() => app.stop());

const idOf = ({ status, body }: Answer): number => {
  expect(status).toBe(201);
  return Number(body.id);
};

const numberOf = ({ value }: { value: string }) => Number(value);

const add = async (directory: Directory, userName: string, more: object = {}) =>
  idOf(await directory('POST', '/Users', { schemas: [USER], userName, active: true, ...more }));

describe('Keys of directories', () => {
  it('are made and seen by owners alone, shown once, and end at once', async () => {
    const admin = await app.companionAs(app.cast.adam);
    expect((await admin.post('/directories/keys', { directory: 'x' })).status).toBe(403);
    const owner = await app.companionAs(app.cast.olivia);
    expect((await owner.post('/directories/keys', { directory: 'Not a name' })).status).toBe(422);
    const { id, key } = await newKey('short-lived');
    const { body } = await owner.get('/directories/keys');
    expect(body.keys).toContainEqual({
      id,
      directory: 'short-lived',
      created_at: expect.any(Number),
      last_used_at: null,
    });
    const directory = withKey(key);
    expect((await directory('GET', '/Users?count=1')).status).toBe(200);
    expect((await owner.delete(`/directories/keys/${id}`)).status).toBe(204);
    expect((await owner.delete(`/directories/keys/${id}`)).status).toBe(404);
    const { status, headers, body: refusal } = await directory('GET', '/Users?count=1');
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect(refusal).toMatchObject({ schemas: [ERROR], status: '401' });
  });

  it('are no keys of people, and people have none of theirs', async () => {
    const { apiKey } = app.credentialsOf(app.cast.olivia);
    const token = (await app.companionAs(app.cast.olivia)).token!;
    const wrong = `parley-scim-1-${'a'.repeat(24)}`;
    for (const key of [apiKey, token, wrong, `${wrong}a`, 'parley-scim-999-', '']) {
      expect((await withKey(key)('GET', '/Users')).status).toBe(401);
    }
    const { key } = await newKey('curious');
    const headers = { authorization: `Bearer ${key}` };
    const main = await app.client().send({ method: 'GET', url: '/api/v1/users', headers });
    expect(main.status).toBe(400);
    const companion = await app.companion().withToken(key).get('/auth/users');
    expect(companion.status).toBe(401);
  });
});

describe('What a directory is told of this server', () => {
  it('is what it can do', async () => {
    const { body } = await okta('GET', '/ServiceProviderConfig');
    expect(body).toMatchObject({ patch: { supported: true }, filter: { supported: true, maxResults: 200 } });
    const { body: types } = await okta('GET', '/ResourceTypes');
    expect(types.Resources.map(({ endpoint }: { endpoint: string }) => endpoint)).toEqual([
      '/Users',
      '/Groups',
    ]);
    expect((await okta('GET', '/ResourceTypes/Group')).body).toMatchObject({ schema: GROUP });
    const { body: schema } = await okta('GET', `/Schemas/${USER}`);
    expect(schema.attributes.map(({ name }: { name: string }) => name)).toContain('userName');
    expect((await okta('GET', '/Schemas')).body.totalResults).toBe(2);
    expect((await okta('GET', '/Schemas/none')).status).toBe(404);
    expect((await okta('GET', '/Bulk')).body).toMatchObject({ schemas: [ERROR], status: '404' });
  });
});

describe('Okta', () => {
  it('looks for a person, makes, renames, deactivates and brings them back', async () => {
    expect((await okta('GET', '/Users?startIndex=1&count=2')).body.Resources).toHaveLength(2);
    const search = `/Users?filter=${encodeURIComponent('userName eq "ada@example.com"')}&startIndex=1&count=100`;
    expect((await okta('GET', search)).body).toMatchObject({ totalResults: 0, Resources: [] });
    const ada = {
      schemas: [USER],
      userName: 'ada@example.com',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [{ primary: true, value: 'ada@example.com', type: 'work' }],
      displayName: 'Ada Lovelace',
      locale: 'en-US',
      externalId: '00u1',
      groups: [],
      password: 'is not wanted',
      active: true,
    };
    const made = await okta('POST', '/Users', ada);
    const id = idOf(made);
    expect(made.body).toMatchObject({
      id: String(id),
      userName: 'ada@example.com',
      externalId: '00u1',
      displayName: 'Ada Lovelace',
      active: true,
      roles: [{ value: 'member', primary: true }],
      meta: { resourceType: 'User', location: `http://chat.example.com/scim/v2${USERS}/${id}` },
    });
    expect((await okta('GET', search)).body).toMatchObject({
      totalResults: 1,
      Resources: [{ id: String(id) }],
    });
    expect((await okta('POST', '/Users', ada)).body).toMatchObject({ status: '409', scimType: 'uniqueness' });
    const renamed = { ...ada, displayName: 'Ada King', name: { givenName: 'Ada', familyName: 'King' } };
    expect((await okta('PUT', `${USERS}/${id}`, renamed, 'application/json')).body.displayName).toBe(
      'Ada King',
    );
    const off = await okta('PATCH', `${USERS}/${id}`, patch({ op: 'replace', value: { active: false } }));
    expect([off.status, off.body.active]).toEqual([200, false]);
    expect(app.isActive({ id })).toBe(false);
    const on = await okta('PUT', `${USERS}/${id}`, { ...renamed, active: true });
    expect([on.body.active, app.isActive({ id })]).toEqual([true, true]);
  });

  it('pushes a group with its members, and takes it away and back', async () => {
    const [ann, ben] = [await add(okta, 'ann@example.com'), await add(okta, 'ben@example.com')];
    const id = idOf(
      await okta('POST', '/Groups', {
        schemas: [GROUP],
        displayName: 'Bridge builders',
        members: [{ value: String(ann), display: 'ann@example.com' }],
      }),
    );
    expect((await okta('GET', '/Groups?count=100&startIndex=1')).body).toMatchObject({ totalResults: 1 });
    const members = async () => (await okta('GET', `/Groups/${id}`)).body.members.map(numberOf);
    await okta(
      'PATCH',
      `/Groups/${id}`,
      patch({ op: 'add', path: 'members', value: [{ value: String(ben) }] }),
    );
    expect(await members()).toEqual([ann, ben]);
    await okta('PATCH', `/Groups/${id}`, patch({ op: 'remove', path: `members[value eq "${ann}"]` }));
    expect(await members()).toEqual([ben]);
    const vague = patch({ op: 'remove', path: 'members[value gt "0"]' });
    expect((await okta('PATCH', `/Groups/${id}`, vague)).body.scimType).toBe('invalidFilter');
    const renaming = patch({ op: 'replace', value: { id: String(id), displayName: 'Builders' } });
    expect((await okta('PATCH', `/Groups/${id}`, renaming)).body.displayName).toBe('Builders');
    expect((await okta('DELETE', `/Groups/${id}`)).status).toBe(204);
    expect((await okta('GET', `/Groups/${id}`)).status).toBe(404);
    const again = await okta('POST', '/Groups', {
      displayName: 'Builders',
      members: [{ value: String(ann) }],
    });
    expect(idOf(again)).toBe(id);
    expect(await members()).toEqual([ann]);
  });
});

describe('Entra ID', () => {
  it('asks for nobody, makes a person, and changes them in both of its ways', async () => {
    const nobody = encodeURIComponent('userName eq "5f0c3f4e-0000-4000-8000-000000000000"');
    expect(await entra('GET', `/Users?filter=${nobody}`)).toMatchObject({
      status: 200,
      body: { totalResults: 0 },
    });
    const id = await add(entra, 'grace@example.com', {
      schemas: [USER, ENTERPRISE],
      externalId: 'oid-1',
      displayName: 'Grace Hopper',
      name: { formatted: 'Grace Hopper' },
      [ENTERPRISE]: { department: 'Navy' },
      roles: [],
    });
    const older = patch(
      { op: 'Replace', path: 'active', value: 'False' },
      { op: 'Add', path: 'emails[type eq "work"].value', value: 'grace@example.com' },
      { op: 'Replace', path: `${ENTERPRISE}:department`, value: 'Yale' },
      { op: 'Replace', path: 'displayName', value: 'Grace M. Hopper' },
    );
    expect((await entra('PATCH', `${USERS}/${id}`, older)).body).toMatchObject({
      active: false,
      displayName: 'Grace M. Hopper',
    });
    const newer = patch({
      op: 'replace',
      value: { active: true, 'name.familyName': 'Murray', [`${ENTERPRISE}:department`]: 'Harvard' },
    });
    expect((await entra('PATCH', `${USERS}/${id}`, newer)).body).toMatchObject({
      active: true,
      displayName: 'Grace Murray',
    });
    const byId = `/Users?filter=${encodeURIComponent('externalId eq "oid-1" and active eq true')}`;
    expect((await entra('GET', byId)).body.totalResults).toBe(1);
    expect((await entra('DELETE', `${USERS}/${id}`)).status).toBe(204);
    expect(app.isActive({ id })).toBe(false);
  });

  it('names people otherwise than by their address, and moves them to another', async () => {
    const emails = [{ value: 'joan@example.com', type: 'work', primary: 'True' }];
    const id = await add(entra, 'jclarke', { emails });
    const byName = `/Users?filter=${encodeURIComponent('userName eq "JClarke"')}`;
    expect((await entra('GET', byName)).body).toMatchObject({
      totalResults: 1,
      Resources: [{ id: String(id), userName: 'jclarke', emails: [{ value: 'joan@example.com' }] }],
    });
    const moved = patch({ op: 'Replace', path: 'emails[type eq "work"].value', value: 'joan.c@example.com' });
    expect((await entra('PATCH', `${USERS}/${id}`, moved)).body.emails[0].value).toBe('joan.c@example.com');
    const taken = patch({ op: 'Replace', path: 'emails[type eq "work"].value', value: app.cast.mia.email });
    expect((await entra('PATCH', `${USERS}/${id}`, taken)).body).toMatchObject({ scimType: 'uniqueness' });
    const twin = { userName: 'JClarke', emails: [{ value: 'twin@example.com' }] };
    expect((await entra('POST', '/Users', twin)).body).toMatchObject({
      status: '409',
      scimType: 'uniqueness',
    });
  });

  it('keeps groups without reading their members', async () => {
    const [kay, lin] = [await add(entra, 'kay@example.com'), await add(entra, 'lin@example.com')];
    const group = idOf(await entra('POST', '/Groups', { displayName: 'Compilers', externalId: 'g-1' }));
    const both = [{ value: String(kay) }, { value: String(lin) }];
    await entra('PATCH', `/Groups/${group}`, patch({ op: 'Add', path: 'members', value: both }));
    const search = `/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "compilers"')}`;
    const { body } = await entra('GET', search);
    expect(body.Resources).toEqual([
      expect.objectContaining({ id: String(group), displayName: 'Compilers', externalId: 'g-1' }),
    ]);
    expect(body.Resources[0]).not.toHaveProperty('members');
    await entra('PATCH', `/Groups/${group}`, patch({ op: 'Remove', path: 'members', value: [both[0]] }));
    expect((await entra('GET', `/Groups/${group}`)).body.members).toEqual([
      expect.objectContaining({ value: String(lin) }),
    ]);
    await entra('PUT', `/Groups/${group}`, { displayName: 'Compilers', members: [both[0]] });
    expect((await entra('GET', `/Groups/${group}`)).body.members.map(numberOf)).toEqual([kay]);
  });
});

describe('A directory', () => {
  it('ends sessions with the account, and leaves its name in the audit log', async () => {
    const reader = await AuditReader.of(app);
    const { max } = app.cast;
    const browser = await browserOf(app, max);
    expect(await browser.whoAmI()).toBe(max.id);
    const refresh = patch({ op: 'replace', path: 'active', value: false });
    expect((await okta('PATCH', `${USERS}/${max.id}`, refresh)).status).toBe(200);
    expect(await browser.whoAmI()).toBeNull();
    const entry = (await reader.news()).find(({ action }) => action === 'user.deactivated');
    expect(entry).toMatchObject({ way: 'directory', client: 'okta', actor_id: null, target_user_id: max.id });
    await okta('PATCH', `${USERS}/${max.id}`, patch({ op: 'replace', path: 'active', value: true }));
  });

  it('neither sees bots nor people and groups of another one', async () => {
    const { robo, olivia } = app.cast;
    expect((await okta('GET', `${USERS}/${robo.id}`)).status).toBe(404);
    const id = await add(okta, 'own@example.com');
    expect((await entra('GET', `${USERS}/${id}`)).body).toMatchObject({ schemas: [ERROR], status: '404' });
    const off = patch({ op: 'replace', path: 'active', value: false });
    expect((await entra('PATCH', `${USERS}/${id}`, off)).status).toBe(404);
    const all = (await entra('GET', '/Users?count=200')).body.Resources.map(
      ({ id: each }: { id: string }) => each,
    );
    expect(all).toContain(String(olivia.id));
    expect(all).not.toContain(String(id));
    expect(all).not.toContain(String(robo.id));
    const { body } = await app.as(olivia).post('/user_groups/create', {
      name: 'Own group',
      description: '',
      members: [olivia.id],
    });
    expect((await okta('GET', `/Groups/${body.group_id}`)).status).toBe(404);
    expect((await okta('POST', '/Groups', { displayName: 'Own group' })).body.scimType).toBe('uniqueness');
    const stranger = { displayName: 'Strangers', members: [{ value: String(robo.id) }] };
    expect((await okta('POST', '/Groups', stranger)).body.scimType).toBe('invalidValue');
  });

  it('does not rule the organization', async () => {
    const { olivia, mia } = app.cast;
    const tries: [number, object][] = [
      [olivia.id, { op: 'replace', path: 'active', value: false }],
      [olivia.id, { op: 'replace', path: 'userName', value: 'mallory@example.com' }],
      [olivia.id, { op: 'replace', path: 'roles', value: [{ value: 'member' }] }],
      [mia.id, { op: 'replace', path: 'roles[primary eq "True"].value', value: 'owner' }],
      [mia.id, { op: 'remove', path: 'userName' }],
    ];
    for (const [id, operation] of tries) {
      const { status, body } = await okta('PATCH', `${USERS}/${id}`, patch(operation));
      expect({ operation, status, type: body.scimType }).toEqual({
        operation,
        status: 400,
        type: 'mutability',
      });
    }
    const former = await addAccount(app.nest, {
      deliveryEmail: 'former@example.com',
      fullName: 'Former Owner',
      role: Role.owner,
    });
    const active = (value: boolean) => patch({ op: 'replace', path: 'active', value });
    expect((await okta('PATCH', `${USERS}/${former.id}`, active(false))).status).toBe(200);
    const back = await okta('PATCH', `${USERS}/${former.id}`, active(true));
    expect([back.status, back.body.scimType, app.isActive(former)]).toEqual([400, 'mutability', false]);
    const owner = await okta('POST', '/Users', { userName: 'm@example.com', roles: [{ value: 'owner' }] });
    expect(owner.body).toMatchObject({ status: '400', scimType: 'mutability' });
    const moderator = patch({ op: 'replace', path: 'roles', value: [{ value: 'moderator' }] });
    const id = await add(okta, 'mod@example.com');
    expect((await okta('PATCH', `${USERS}/${id}`, moderator)).body.roles[0].value).toBe('moderator');
    // Mia owns a bot, as the companion interface says as well.
    const off = await okta(
      'PATCH',
      `${USERS}/${mia.id}`,
      patch({ op: 'replace', path: 'active', value: false }),
    );
    expect([off.status, app.isActive(mia)]).toEqual([409, true]);
  });

  it('changes the version that it has seen, if it says so', async () => {
    const { key } = await newKey('careful');
    const careful = withKey(key);
    const ada = await add(careful, 'careful@example.com');
    const group = idOf(await careful('POST', '/Groups', { displayName: 'Careful' }));
    const name = patch({ op: 'replace', path: 'displayName', value: 'Changed' });
    for (const path of [`${USERS}/${ada}`, `/Groups/${group}`]) {
      const { headers, body } = await careful('GET', path);
      const etag = String(headers['etag']);
      expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
      expect(body.meta.version).toBe(etag);
      const unchanged = await withKey(key, { 'if-none-match': etag })('GET', path);
      expect(unchanged.status).toBe(304);
      // Only reading has an answer without a body.
      const written = await withKey(key, { 'if-none-match': '*' })('PATCH', path, patch());
      expect(written.status).toBe(400);
      const named = patch({ op: 'replace', path: 'externalId', value: '7' });
      const answered = await withKey(key, { 'if-none-match': '*' })('PATCH', path, named);
      expect([answered.status, answered.body.externalId]).toEqual([200, '7']);
      const current = String((await careful('GET', path)).headers['etag']);
      const bound = withKey(key, { 'if-match': current });
      const { status, headers: after } = await bound('PATCH', path, name);
      expect([status, after['etag'] === current]).toEqual([200, false]);
      for (const method of ['PATCH', 'PUT'] as const) {
        const late = await bound(method, path, name);
        expect(late).toMatchObject({ status: 412, body: { schemas: [ERROR], status: '412' } });
      }
      const { statusCode } = await app.nest.inject({
        method: 'DELETE',
        url: `/scim/v2${path}`,
        headers: { authorization: `Bearer ${key}`, 'if-match': current },
      });
      expect(statusCode).toBe(412);
      expect((await withKey(key, { 'if-match': '*' })('DELETE', path)).status).toBe(204);
    }
  });

  it('changes nothing in an organization that is deactivated', async () => {
    const closed = await TestApp.start();
    const { olivia, max, mona } = closed.cast;
    const owner = await closed.companionAs(olivia);
    const { body } = await owner.post('/directories/keys', { directory: 'late' });
    const send = (method: Method, path: string, payload: unknown) =>
      closed.nest.inject({
        method,
        url: `/scim/v2${path}`,
        headers: { authorization: `Bearer ${body.key}`, 'content-type': 'application/scim+json' },
        payload: JSON.stringify(payload),
      });
    const active = (value: boolean) => patch({ op: 'replace', path: 'active', value });
    expect((await send('PATCH', `${USERS}/${mona.id}`, active(false))).statusCode).toBe(200);
    expectSuccess(await closed.as(olivia).post('/realm/deactivate'));
    const late = { schemas: [USER], userName: 'late@example.com', active: true };
    for (const refused of [
      await send('POST', '/Users', late),
      await send('PATCH', `${USERS}/${mona.id}`, active(true)),
      await send('PATCH', `${USERS}/${max.id}`, active(false)),
      await send('POST', '/Groups', { schemas: [GROUP], displayName: 'Late' }),
    ]) {
      expect(refused.statusCode).toBe(403);
      expect(refused.json()).toMatchObject({
        schemas: [ERROR],
        detail: 'This organization has been deactivated',
      });
    }
    await closed.stop();
  });

  it('changes all that it asks for, or nothing', async () => {
    const id = await add(okta, 'whole@example.com', { displayName: 'Whole' });
    const half = patch(
      { op: 'replace', path: 'displayName', value: 'Half' },
      { op: 'replace', path: 'userName', value: app.cast.adam.email },
    );
    expect((await okta('PATCH', `${USERS}/${id}`, half)).status).toBe(409);
    expect((await okta('GET', `${USERS}/${id}`)).body.displayName).toBe('Whole');
  });

  it.each<[string, Method, string, unknown, string | null]>([
    ['no JSON', 'POST', '/Users', '{', null],
    ['a list', 'POST', '/Users', '[]', 'invalidSyntax'],
    ['no name', 'POST', '/Users', { displayName: 'Nobody' }, 'invalidValue'],
    ['no address', 'POST', '/Users', { userName: 'nobody' }, 'invalidValue'],
    [
      'an account that is not active',
      'POST',
      '/Users',
      { userName: 'n@example.com', active: 'false' },
      'invalidValue',
    ],
    ['no truth value', 'POST', '/Users', { userName: 'n@example.com', active: 'maybe' }, 'invalidValue'],
    ['a role that is none', 'POST', '/Users', { userName: 'n@example.com', roles: ['king'] }, 'invalidValue'],
    [
      'too long a name',
      'POST',
      '/Users',
      { userName: 'n@example.com', displayName: 'x'.repeat(1001) },
      'invalidValue',
    ],
    ['no operations', 'PATCH', `${USERS}/OWN`, {}, 'invalidSyntax'],
    ['an unknown operation', 'PATCH', `${USERS}/OWN`, patch({ op: 'move', path: 'active' }), 'invalidSyntax'],
    [
      'too many operations',
      'PATCH',
      `${USERS}/OWN`,
      patch(...Array(10_000).fill({ op: 'add', path: 'active', value: true })),
      'invalidValue',
    ],
    [
      'a path that is none',
      'PATCH',
      `${USERS}/OWN`,
      patch({ op: 'add', path: '[]', value: 1 }),
      'invalidPath',
    ],
    [
      'nothing that is kept here',
      'PATCH',
      `${USERS}/OWN`,
      patch({ op: 'add', path: 'nickName', value: 'x' }),
      'invalidPath',
    ],
    ['no operator', 'GET', '/Users?filter=userName', undefined, 'invalidFilter'],
    ['an open quotation', 'GET', '/Users?filter=userName%20eq%20%22a', undefined, 'invalidFilter'],
    [
      'a filter 100 deep',
      'GET',
      `/Users?filter=${'('.repeat(100)}active%20pr${')'.repeat(100)}`,
      undefined,
      'invalidFilter',
    ],
    [
      'too long a filter',
      'GET',
      `/Users?filter=active%20pr${'%20and%20active%20pr'.repeat(300)}`,
      undefined,
      'invalidFilter',
    ],
    ['a count that is none', 'GET', '/Users?count=all', undefined, 'invalidValue'],
    [
      'members that are none',
      'POST',
      '/Groups',
      { displayName: 'G', members: [{ value: 'x' }] },
      'invalidValue',
    ],
    ['no name of a group', 'POST', '/Groups', {}, 'invalidValue'],
    ['a name that is reserved', 'POST', '/Groups', { displayName: 'role:mine' }, 'invalidValue'],
  ])('is refused %s', async (_what, method, path, body, scimType) => {
    const own = path.includes('OWN') ? path.replace('OWN', String(app.cast.mia.id)) : path;
    const { status, body: refusal } = await okta(method, own, body);
    expect([status, refusal.scimType ?? null, refusal.schemas]).toEqual([400, scimType, [ERROR]]);
  });

  it('finds people by any filter, a page at a time', async () => {
    const found = async (filter: string) => {
      const { body } = await okta('GET', `/Users?attributes=userName&filter=${encodeURIComponent(filter)}`);
      return body.Resources.map(({ userName }: { userName: string }) => userName);
    };
    const { mia } = app.cast;
    expect(await found(`emails[type eq "work" and value eq "${mia.email.toUpperCase()}"]`)).toEqual([
      mia.email,
    ]);
    expect(await found(`not (userName ne "${mia.email}")`)).toEqual([mia.email]);
    expect(await found(`id eq "${mia.id}" or userName sw "nobody"`)).toEqual([mia.email]);
    expect(await found(`${USER}:userName co "${mia.email.slice(0, 8)}" and roles.value eq "owner"`)).toEqual(
      [],
    );
    const { body } = await okta('GET', '/Users?startIndex=2&count=1');
    expect([body.startIndex, body.itemsPerPage, body.Resources.length]).toEqual([2, 1, 1]);
    expect((await okta('GET', '/Users?count=0')).body.Resources).toEqual([]);
  });
});
