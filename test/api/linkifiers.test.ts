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

const TICKET = { pattern: String.raw`#(?P<id>\d+)`, url_template: 'https://tickets.example/{id}' };

const add = (parameters: object, member: Member = app.cast.adam) =>
  app.as(member).post('/realm/filters', { ...parameters });
const update = (id: number, parameters: object, member: Member = app.cast.adam) =>
  app.as(member).patch(`/realm/filters/${id}`, { ...parameters });
const remove = (id: number, member: Member = app.cast.adam) => app.as(member).delete(`/realm/filters/${id}`);
const reorder = (ids: unknown, member: Member = app.cast.adam) =>
  app.as(member).patch('/realm/linkifiers', { ordered_linkifier_ids: ids });
const list = async (member: Member = app.cast.mia) =>
  expectSuccess(await app.as(member).get('/realm/linkifiers')).linkifiers;

const everybody = () => idsOf(...Object.values(app.cast));
const addFor = async (parameters: object): Promise<number> => expectSuccess(await add(parameters)).id;

/** A linkifier for a word. @returns its ID */
const addWord = (word: string) =>
  addFor({ pattern: `${word}-(?P<id>[0-9]+)`, url_template: `https://${word}.example/{id}` });

/** The one event that the work wrote, which everybody gets. */
async function eventOf(work: () => Promise<unknown>) {
  const events = await app.captureEvents(work);
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({ audience: everybody(), options: {} });
  return events[0]?.event;
}

afterEach(async () => {
  for (const { id } of await list()) expectSuccess(await remove(id));
});

describe('GET /realm/linkifiers', () => {
  it('lists none at first [EP20-linkifiers]', async () => {
    await expect(list()).resolves.toEqual([]);
  });

  it('gives every field to everybody, guests and bots too [EP20-linkifiers, LINK-id, LINK-pattern, LINK-url_template, LINK-example_input, LINK-reverse_template, LINK-alternative_url_templates, VER-54, VER-176, VER-471]', async () => {
    const { mia, gus, robo, olivia } = app.cast;
    const full = {
      ...TICKET,
      example_input: '#12',
      reverse_template: '#{id}',
      alternative_url_templates: ['https://old.example/{id}', 'https://older.example/?t={id}'],
    };
    const first = await addFor(full);
    const second = await addWord('soup');
    for (const member of [mia, gus, robo, olivia]) {
      await expect(list(member)).resolves.toEqual([
        { id: first, ...full },
        {
          id: second,
          pattern: 'soup-(?P<id>[0-9]+)',
          url_template: 'https://soup.example/{id}',
          example_input: null,
          reverse_template: null,
          alternative_url_templates: [],
        },
      ]);
    }
  });

  it('takes no parameters [EP20-parameters]', async () => {
    const answer = await app.as(app.cast.mia).get('/realm/linkifiers', { id: 1 });
    expectSuccess(answer, { ignored: ['id'] });
  });

  it('has an older path that is gone [VER-54]', async () => {
    const answer = await app.as(app.cast.mia).get('/realm/filters');
    expectError(answer, 'Method Not Allowed', {
      code: null,
      status: 405,
      data: { allowed_methods: ['POST'] },
    });
  });
});

describe('The state of a client that registers', () => {
  it('has them where the client knows URL templates', async () => {
    const { gus } = app.cast;
    await addFor(TICKET);
    await addWord('soup');
    const capabilities = ['linkifier_url_template'];
    await expect(stateOf(app, gus, { wanted: ['realm_linkifiers'], capabilities })).resolves.toEqual({
      realm_linkifiers: await list(),
    });
    await expect(stateOf(app, gus, { wanted: ['realm_linkifiers'] })).resolves.toEqual({
      realm_linkifiers: [],
    });
    await expect(stateOf(app, gus, { wanted: ['realm_filters'], capabilities })).resolves.toEqual({
      realm_filters: [],
    });
  });
});

describe('Writing linkifiers', () => {
  it('is for owners and administrators', async () => {
    const { olivia, mona, mia, gus, robo } = app.cast;
    const id = expectSuccess(await add(TICKET, olivia)).id;
    for (const member of [mona, mia, gus, robo]) {
      const answers = [
        await add({ ...TICKET, pattern: 'x(?P<id>.)' }, member),
        await update(id, TICKET, member),
        await remove(id, member),
        await reorder([id], member),
      ];
      for (const answer of answers) {
        expectError(answer, 'Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' });
      }
    }
    await expect(list()).resolves.toHaveLength(1);
  });

  it('tells everybody the whole list after each change', async () => {
    const { adam } = app.cast;
    let first = 0;
    let second = 0;
    const expectToldBy = async (work: () => Promise<unknown>) => {
      const event = await eventOf(work);
      expect(event).toEqual({ type: 'realm_linkifiers', realm_linkifiers: await list() });
    };
    await expectToldBy(async () => (first = await addWord('soup')));
    await expectToldBy(async () => (second = await addWord('bread')));
    await expectToldBy(async () => expectSuccess(await reorder([second, first], adam)));
    await expectToldBy(async () => expectSuccess(await update(first, TICKET)));
    await expectToldBy(async () => expectSuccess(await remove(second)));
    await expect(list()).resolves.toEqual([expect.objectContaining({ id: first, ...TICKET })]);
  });

  it('puts new ones last and keeps the place of those that change [EP20-order]', async () => {
    const ids = [await addWord('a'), await addWord('b'), await addWord('c')];
    const [a = 0, b = 0, c = 0] = ids;
    expectSuccess(await reorder([c, a, b]));
    expectSuccess(await update(a, TICKET));
    expectSuccess(await remove(c));
    const d = await addWord('d');
    const listed: { id: number }[] = await list();
    expect(listed.map(({ id }) => id)).toEqual([a, b, d]);
  });

  it('cuts blanks off, and takes an empty text for none', async () => {
    const id = await addFor({
      pattern: ` ${TICKET.pattern}\n`,
      url_template: `\t${TICKET.url_template} `,
      example_input: ' #12 ',
      reverse_template: ' #{id} ',
      alternative_url_templates: [' https://old.example/{id}', ' ', ''],
    });
    const whole = {
      id,
      ...TICKET,
      example_input: '#12',
      reverse_template: '#{id}',
      alternative_url_templates: ['https://old.example/{id}'],
    };
    await expect(list()).resolves.toEqual([whole]);
    // What is not sent stays.
    expectSuccess(await update(id, TICKET));
    await expect(list()).resolves.toEqual([whole]);
    expectSuccess(await update(id, { ...TICKET, reverse_template: ' ' }));
    await expect(list()).resolves.toEqual([{ ...whole, reverse_template: null }]);
    expectSuccess(await update(id, { ...TICKET, example_input: '', alternative_url_templates: [] }));
    await expect(list()).resolves.toEqual([
      { ...whole, reverse_template: null, example_input: null, alternative_url_templates: [] },
    ]);
  });

  it('needs a pattern and a template, and knows types', async () => {
    const id = await addFor(TICKET);
    const { pattern, url_template } = TICKET;
    for (const send of [
      (parameters: object) => add(parameters),
      (parameters: object) => update(id, parameters),
    ]) {
      for (const [sent, missing] of [
        [{ url_template }, 'pattern'],
        [{ pattern }, 'url_template'],
      ] as const) {
        expectError(await send(sent), `Missing '${missing}' argument`, {
          code: 'REQUEST_VARIABLE_MISSING',
          data: { var_name: missing },
        });
      }
      expectError(
        await send({ ...TICKET, alternative_url_templates: '"x"' }),
        'alternative_url_templates is not a list',
      );
      expectError(
        await send({ ...TICKET, alternative_url_templates: [1] }),
        'alternative_url_templates[0] is not a string',
      );
      expectError(await send({ ...TICKET, pattern: 'a\0b' }), 'pattern must not contain null characters');
    }
  });

  it('is refused for a linkifier that there is not', async () => {
    const id = await addFor(TICKET);
    expectSuccess(await remove(id));
    for (const unknown of [id, 0, 2_147_483_647, '99999999999999999999']) {
      const answer = await app
        .as(app.cast.adam)
        .patch(`/realm/filters/${unknown}`, { pattern: '', url_template: '}' });
      expectError(answer, 'Linkifier not found.');
      expectError(await app.as(app.cast.adam).delete(`/realm/filters/${unknown}`), 'Linkifier not found.');
    }
    const { status } = await app.as(app.cast.adam).delete('/realm/filters/x');
    expect(status).toBe(404);
  });
});

describe('A linkifier is refused', () => {
  const both = '__all__';
  const blank = 'This field cannot be blank.';
  const template = 'https://x.org/{id}';

  it.each<[string, object, Record<string, string[]>]>([
    ['without a pattern', { pattern: ' ', url_template: 'https://x.org' }, { pattern: [blank] }],
    ['without a template', { pattern: 'x', url_template: '' }, { url_template: [blank] }],
    ['with neither', { pattern: '', url_template: '' }, { pattern: [blank], url_template: [blank] }],
    ...['{id}', 'javascript:{+id}', 'data:text/html,{id}'].map(
      (url_template) =>
        [
          `for ${url_template}`,
          { pattern: '(?P<id>x)', url_template },
          { url_template: ['URL template must begin with a scheme such as https: or a path.'] },
        ] as [string, object, Record<string, string[]>],
    ),
    [
      'without a pattern for its template',
      { pattern: '', url_template: template },
      { pattern: [blank], [both]: ["Group 'id' in URL template is not present in linkifier pattern."] },
    ],
    [
      'with a broken template, which is not compared',
      { pattern: '(?P<other>x)', url_template: 'https://x.org/{id' },
      { url_template: ['Invalid URL template.'] },
    ],
    [
      'with a broken pattern',
      { pattern: '(foo', url_template: template },
      { [both]: ['Bad regular expression: missing ): (foo'] },
    ],
    [
      'with a pattern and a template that are both broken',
      { pattern: 'a**', url_template: '{' },
      {
        url_template: ['Invalid URL template.'],
        [both]: ['Bad regular expression: bad repetition operator: **'],
      },
    ],
    [
      'with a pattern that would look ahead',
      { pattern: '(?=x)(?P<id>y)', url_template: template },
      { [both]: ['Bad regular expression: invalid perl operator: (?='] },
    ],
    [
      'with a pattern that is too large',
      { pattern: '(?P<id>(abc){1000})', url_template: template },
      { [both]: ['Bad regular expression: pattern too large - compile failed'] },
    ],
    [
      'with variables that no group has, of which it names the first',
      { pattern: '(?P<id>x)', url_template: 'https://x.org/{z}{?id,b*}{+a:3}' },
      { [both]: ["Group 'a' in URL template is not present in linkifier pattern."] },
    ],
    [
      'with groups that no variable has, of which it names the first',
      { pattern: '(?P<z>x)(?P<id>x)(y)(?P<b>x)', url_template: template },
      { [both]: ["Group 'b' in linkifier pattern is not present in URL template."] },
    ],
    [
      'with an example that does not match',
      { ...TICKET, example_input: '12' },
      { [both]: ['Example input does not match the linkifier pattern.'] },
    ],
    [
      'with an open variable in the reverse template',
      { ...TICKET, example_input: '#12', reverse_template: '#{id' },
      { [both]: ["Invalid auto-conversion field: missing '}' character."] },
    ],
    [
      'with an empty variable in the reverse template',
      { ...TICKET, example_input: '#12', reverse_template: '#{}' },
      { [both]: ['Invalid auto-conversion field: empty field name.'] },
    ],
    [
      'with an unknown variable in the reverse template',
      { ...TICKET, example_input: '#12', reverse_template: '#{number}' },
      { [both]: ["Group 'number' in auto-conversion field is not present in linkifier pattern."] },
    ],
    [
      'with a reverse template that does not give the example',
      { ...TICKET, example_input: '#12', reverse_template: '{{{id}}}' },
      { [both]: ['Example text does not match auto-conversion field.'] },
    ],
    [
      'with a reverse template that gives only part of the example',
      { ...TICKET, example_input: 'see #12', reverse_template: '#{id}' },
      { [both]: ['Example text does not match auto-conversion field.'] },
    ],
    [
      'with a problem of the example before one of the groups',
      { pattern: 'x', url_template: template, example_input: 'y' },
      { [both]: ['Example input does not match the linkifier pattern.'] },
    ],
    [
      'with a broken alternative',
      { ...TICKET, alternative_url_templates: ['https://old.example/{id}', '{', '}'] },
      { alternative_url_templates: ['Invalid URL template.'] },
    ],
  ])('%s', async (_case, parameters, errors) => {
    const [msg = ''] = Object.values(errors)[0] ?? [];
    expectError(await add(parameters), msg, { data: { errors } });
    const id = await addWord('soup');
    expectError(await update(id, parameters), msg, { data: { errors } });
    await expect(list()).resolves.toEqual([expect.objectContaining({ id, pattern: 'soup-(?P<id>[0-9]+)' })]);
  });

  it('with a reverse template and no example [LINK-example_input-required]', async () => {
    const refusal = 'Example text is required for the auto-conversion field.';
    expectError(await add({ ...TICKET, reverse_template: '#{id}' }), refusal);
    const id = await addFor({ ...TICKET, example_input: '#12', reverse_template: '#{id}' });
    expectError(await update(id, { ...TICKET, example_input: '' }), refusal);
  });

  it('with a pattern that another one has', async () => {
    const exists = 'Realm filter with this Realm and Pattern already exists.';
    await addFor(TICKET);
    const other = await addWord('soup');
    const again = { pattern: ` ${TICKET.pattern}`, url_template: 'https://y.org/{id}' };
    for (const answer of [await add(again), await update(other, again)]) {
      expectError(answer, exists, { data: { errors: { [both]: [exists] } } });
    }
    const group = "Group 'x' in URL template is not present in linkifier pattern.";
    expectError(await add({ ...TICKET, url_template: 'https://y.org/{x}' }), group, {
      data: { errors: { [both]: [group, exists] } },
    });
    // Its own pattern is no obstacle, nor is one in another case.
    expectSuccess(await update(other, { pattern: 'SOUP(?P<id>x)', url_template: template }));
    expectSuccess(await update(other, { pattern: 'SOUP(?P<id>x)', url_template: `${template}/x` }));
    expectSuccess(await add({ pattern: 'soup(?P<id>x)', url_template: template }));
  });

  it('beyond its bounds', async () => {
    const long = 'x'.repeat(1001);
    expectError(
      await add({ ...TICKET, pattern: long.slice(500) }),
      'pattern is too long (limit: 500 characters)',
    );
    for (const name of ['url_template', 'example_input', 'reverse_template']) {
      expectError(await add({ ...TICKET, [name]: long }), `${name} is too long (limit: 1000 characters)`);
    }
    expectError(
      await add({ ...TICKET, alternative_url_templates: [long] }),
      'alternative_url_templates[0] is too long (limit: 1000 characters)',
    );
    expectError(
      await add({ ...TICKET, alternative_url_templates: Array.from({ length: 21 }, () => 'x') }),
      'alternative_url_templates is too long (limit: 20 items)',
    );
  });
});

describe('A linkifier may have', () => {
  it.each([
    ['variables of all kinds', '(?P<a>a)(?P<b>b)(?P<c>c)(?P<d>d)', 'https://x.org{/a}{?b,c*}{#d:3}{+a}'],
    ['no groups at all', 'help', 'https://help.example/'],
    ['unnamed groups', '(a|b)(?P<id>x)', 'https://x.org/{id}'],
    ['the other way to name groups, and flags', '(?i)(?<id>x+)', '/relative/{id}'],
    ['classes of Unicode', String.raw`(?P<id>\p{Greek}\pL+)`, 'https://x.org/{id}'],
  ])('%s', async (_case, pattern, url_template) => {
    await addFor({ pattern, url_template });
    await expect(list()).resolves.toEqual([expect.objectContaining({ pattern, url_template })]);
  });

  it('braces in its reverse template [LINK-reverse_template]', async () => {
    await addFor({
      pattern: String.raw`\{(?P<id>\d+)\}\}?`,
      url_template: 'https://x.org/{id}',
      example_input: '{12}',
      reverse_template: '{{{id}}}',
    });
    await expect(list()).resolves.toEqual([expect.objectContaining({ reverse_template: '{{{id}}}' })]);
  });
});

describe('PATCH /realm/linkifiers', () => {
  const twice = 'The ordered list must not contain duplicated linkifiers';
  const incomplete = 'The ordered list must enumerate all existing linkifiers exactly once';

  it('takes every linkifier once', async () => {
    const [a, b] = [await addWord('a'), await addWord('b')];
    expectError(await reorder([a, b, a]), twice);
    expectError(await reorder([a, a]), twice);
    for (const order of [[a], [], [a, b, 2_147_483_646], [a, 2_147_483_646], [-1, a]]) {
      expectError(await reorder(order), incomplete);
    }
    expectError(await reorder('x'), 'ordered_linkifier_ids is not valid JSON');
    expectError(await reorder([`${a}`, b]), 'ordered_linkifier_ids[0] is not an integer');
    expectError(
      await app.as(app.cast.adam).patch('/realm/linkifiers'),
      "Missing 'ordered_linkifier_ids' argument",
      {
        code: 'REQUEST_VARIABLE_MISSING',
        data: { var_name: 'ordered_linkifier_ids' },
      },
    );
  });

  it('says nothing where there is nothing to order', async () => {
    const events = await app.captureEvents(async () => expectSuccess(await reorder([])));
    expect(events).toEqual([]);
  });

  it('tells the order that there is already', async () => {
    const [a, b] = [await addWord('a'), await addWord('b')];
    const event = await eventOf(async () => expectSuccess(await reorder([a, b])));
    expect(event.realm_linkifiers).toEqual(await list());
  });
});

describe('At once', () => {
  it('added ones get places of their own, and a pattern is taken once', async () => {
    const words = Array.from({ length: 12 }, (_, at) => `word${at % 6}`);
    const answers = await Promise.all(
      words.map((word) => add({ pattern: word, url_template: `https://${word}.example` })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(6);
    const listed: { id: number; pattern: string }[] = await list();
    expect(listed.map(({ pattern }) => pattern).sort()).toEqual([...new Set(words)].sort());
    expectSuccess(await reorder(listed.map(({ id }) => id).reverse()));
    await expect(list()).resolves.toEqual(listed.reverse());
  });

  it('orders replace one another as a whole', async () => {
    const ids = [await addWord('a'), await addWord('b'), await addWord('c'), await addWord('d')];
    const orders = ids.map((_, at) => [...ids.slice(at), ...ids.slice(0, at)]);
    const events = await app.captureEvents(async () => {
      for (const answer of await Promise.all(orders.map((order) => reorder(order)))) expectSuccess(answer);
    });
    const idsOfList = (listed: { id: number }[]) => listed.map(({ id }) => id);
    const told = events.map(({ event }) => idsOfList(event.realm_linkifiers));
    expect([...told].sort()).toEqual([...orders].sort());
    expect(idsOfList(await list())).toEqual(told.at(-1));
  });

  it('orders and removals leave no linkifier twice or missing', async () => {
    const ids = [await addWord('a'), await addWord('b'), await addWord('c')];
    const [a = 0, b = 0, c = 0] = ids;
    const answers = await Promise.all([remove(a), reorder([c, b, a]), reorder([c, b]), remove(a)]);
    expect(answers.map(({ status }) => status)).toContain(400);
    const left: { id: number }[] = await list();
    expect(left.map(({ id }) => id).sort()).toEqual([b, c].sort());
  });
});
