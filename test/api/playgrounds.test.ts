import type { Member } from '../support/cast';
import { stateOf } from '../support/initial-state';
import { idsOf } from '../support/event-outline';
import { expectError, expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const RUST = {
  name: 'Rust playground',
  pygments_language: 'Rust',
  url_template: 'https://play.example/?edition=2021{&code}',
};

const BLANK = 'This field cannot be blank.';
const NO_CODE = 'Missing the required variable "code" in the URL template';
const UNSAFE = 'URL template must begin with a scheme such as https: or a path.';

const add = (parameters: object, member: Member = app.cast.adam) =>
  app.as(member).post('/realm/playgrounds', { ...parameters });
const remove = (id: number | string, member: Member = app.cast.adam) =>
  app.as(member).delete(`/realm/playgrounds/${id}`);
const state = () => stateOf(app, app.cast.gus, { wanted: ['realm_playgrounds'] });

afterEach(async () => {
  const { realm_playgrounds } = await state();
  for (const { id } of realm_playgrounds as { id: number }[]) expectSuccess(await remove(id));
});

describe('A playground', () => {
  it('comes and goes, and everybody is told', async () => {
    const everybody = idsOf(...Object.values(app.cast));
    const told = async (work: () => Promise<void>) => {
      const events = await app.captureEvents(work);
      expect(events).toEqual([
        expect.objectContaining({
          event: { type: 'realm_playgrounds', ...(await state()) },
          audience: everybody,
          options: {},
        }),
      ]);
    };
    const ids: number[] = [];
    const second = { ...RUST, name: 'Another', pygments_language: 'C++ 2.0/x_y#.-' };
    await told(async () => void ids.push(expectSuccess(await add(RUST)).id));
    await told(async () => void ids.push(expectSuccess(await add(second)).id));
    await expect(state()).resolves.toEqual({
      realm_playgrounds: [
        { id: ids[0], ...RUST },
        { id: ids[1], ...second },
      ],
    });
    await told(async () => void expectSuccess(await remove(ids[0]!)));
    await expect(state()).resolves.toEqual({ realm_playgrounds: [{ id: ids[1], ...second }] });
  });

  it('takes its language with it where code blocks without one have it', async () => {
    const { adam } = app.cast;
    const change = { default_code_block_language: RUST.pygments_language };
    const other = expectSuccess(await add({ ...RUST, pygments_language: 'Elm' })).id;
    const named = expectSuccess(await add(RUST)).id;
    expectSuccess(await app.as(adam).patch('/realm', change));
    const events = await app.captureEvents(async () => {
      expectSuccess(await remove(other));
      expectSuccess(await remove(named));
    });
    expect(events.map(({ event }) => event)).toEqual([
      expect.objectContaining({ type: 'realm_playgrounds' }),
      { type: 'realm', op: 'update', property: 'default_code_block_language', value: '' },
      { type: 'realm_playgrounds', realm_playgrounds: [] },
    ]);
    const after = await stateOf(app, adam, { wanted: ['realm'] });
    expect(after).toHaveProperty('realm_default_code_block_language', '');
  });

  it('is trimmed', async () => {
    const { id } = expectSuccess(
      await add({ name: ' a b\n', pygments_language: '\tRust ', url_template: ' https://x.org/{code} ' }),
    );
    await expect(state()).resolves.toEqual({
      realm_playgrounds: [
        { id, name: 'a b', pygments_language: 'Rust', url_template: 'https://x.org/{code}' },
      ],
    });
  });

  it('is the only one of its name for its language', async () => {
    const exists = 'Realm playground with this Realm, Pygments language and Name already exists.';
    const answers = await Promise.all([add(RUST), add(RUST), add({ ...RUST, url_template: '/{code}' })]);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(2);
    for (const answer of refused) expectError(answer, exists, { data: { errors: { __all__: [exists] } } });
    expectSuccess(await add({ ...RUST, name: 'rust playground' }));
    expectSuccess(await add({ ...RUST, pygments_language: 'rust' }));
  });

  it('is written by owners and administrators', async () => {
    const { olivia, mona, mia, gus, robo } = app.cast;
    const { id } = expectSuccess(await add(RUST, olivia));
    for (const member of [mona, mia, gus, robo]) {
      for (const answer of [await add({ ...RUST, name: 'x' }, member), await remove(id, member)]) {
        expectError(answer, 'Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' });
      }
    }
  });

  it.each<[string, object, Record<string, string[]>]>([
    ['without a name', { name: ' ' }, { name: [BLANK] }],
    ['without a language', { pygments_language: '' }, { pygments_language: [BLANK] }],
    ['without a template', { url_template: '' }, { url_template: [BLANK], __all__: [NO_CODE] }],
    ...['{code}', '{+code}/x', 'javascript:{code}', 'data:text/html,{code}'].map(
      (url_template) =>
        [`for ${url_template}`, { url_template }, { url_template: [UNSAFE] }] as [
          string,
          object,
          Record<string, string[]>,
        ],
    ),
    [
      'with a broken template',
      { url_template: 'https://x.org/{code' },
      { url_template: ['Invalid URL template.'] },
    ],
    ['without a place for the code', { url_template: 'https://x.org/' }, { __all__: [NO_CODE] }],
    ['with a place for something else', { url_template: 'https://x.org/{other}' }, { __all__: [NO_CODE] }],
    [
      'with a place for something more',
      { url_template: 'https://x.org/{code}{?other}' },
      { __all__: ['"code" should be the only variable present in the URL template'] },
    ],
  ])('is refused %s', async (_case, changes, errors) => {
    const [first = []] = Object.values(errors);
    expectError(await add({ ...RUST, ...changes }), first[0] ?? '', { data: { errors } });
    await expect(state()).resolves.toEqual({ realm_playgrounds: [] });
  });

  it.each([
    ['for a strange language', { pygments_language: 'a"b' }, 'Invalid characters in pygments language'],
    [
      'for a language of another script',
      { pygments_language: 'ж' },
      'Invalid characters in pygments language',
    ],
    ['with a long name', { name: 'x'.repeat(201) }, 'name is too long (limit: 200 characters)'],
    [
      'with a long language',
      { pygments_language: 'x'.repeat(41) },
      'pygments_language is too long (limit: 40 characters)',
    ],
    [
      'with a long template',
      { url_template: `{code}${'x'.repeat(1000)}` },
      'url_template is too long (limit: 1000 characters)',
    ],
  ])('is refused %s', async (_case, changes, refusal) => {
    expectError(await add({ ...RUST, ...changes }), refusal);
    await expect(state()).resolves.toEqual({ realm_playgrounds: [] });
  });

  it('is refused without its parts', async () => {
    for (const missing of ['name', 'pygments_language', 'url_template']) {
      expectError(await add({ ...RUST, [missing]: undefined }), `Missing '${missing}' argument`, {
        code: 'REQUEST_VARIABLE_MISSING',
        data: { var_name: missing },
      });
    }
  });

  it('is not removed where there is none', async () => {
    const { id } = expectSuccess(await add(RUST));
    expectSuccess(await remove(id));
    for (const unknown of [id, 0, '99999999999999999999']) {
      expectError(await remove(unknown), 'Invalid playground');
    }
  });

  it('is one of five hundred at most', async () => {
    const insert = 'INSERT INTO playground (name, language, url_template) VALUES (?, ?, ?)';
    await app.writeRows(async (tx) => {
      for (let name = 0; name < 499; name++) await tx.query(insert, [`${name}`, 'Rust', '{code}']);
    });
    expectSuccess(await add({ ...RUST, name: 'last' }));
    expectError(await add(RUST), 'An organization can have at most 500 playgrounds.');
    await app.writeRows((tx) => tx.query('DELETE FROM playground'));
  });
});
