import { createChannel } from '../support/channel-setup';
import { idsOf } from '../support/event-outline';
import { expectError, expectSuccess } from '../support/expect-answer';
import { stateOf } from '../support/initial-state';
import type { Member } from '../support/cast';
import { TestApp } from '../support/test-app';

let app: TestApp;
let members: number[];

beforeAll(async () => {
  app = await TestApp.start();
  const { gus, ...others } = app.cast;
  members = idsOf(...Object.values(others));
  for (const name of ['alpha', 'beta', 'gamma', 'delta']) await createChannel(app, app.cast.mia, name);
});

afterAll(() => app.stop());

const PATH = '/default_stream_groups';
const create = (name: string, channels: readonly string[] = [], description = 'For us', by = app.cast.adam) =>
  app.as(by).post(`${PATH}/create`, { group_name: name, description, stream_names: channels });
const update = (id: number, changes: Record<string, unknown>) =>
  app.as(app.cast.adam).patch(`${PATH}/${id}`, changes);
const changeChannels = (id: number, op: string, names: readonly string[]) =>
  app.as(app.cast.adam).patch(`${PATH}/${id}/streams`, { op, stream_names: names });

interface Group {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly streams: readonly number[];
}

const groupsFor = async (member: Member): Promise<Group[]> =>
  (await stateOf(app, member, { wanted: ['default_stream_groups'] })).realm_default_stream_groups;
const groupNamed = async (name: string): Promise<Group> =>
  (await groupsFor(app.cast.mia)).find((group) => group.name === name)!;

const make = async (name: string, channels: readonly string[] = []): Promise<number> => {
  expectSuccess(await create(name, channels));
  return (await groupNamed(name)).id;
};

const idOf = async (name: string): Promise<number> =>
  expectSuccess(await app.as(app.cast.mia).get('/get_stream_id', { stream: name })).stream_id;

/** The events of the work, of this kind alone. */
const told = async (work: () => Promise<unknown>) =>
  (await app.captureEvents(work)).filter(({ event }) => event.type === 'default_stream_groups');

describe('Default channel groups', () => {
  afterEach(async () => {
    for (const { id } of await groupsFor(app.cast.olivia)) {
      expectSuccess(await app.as(app.cast.olivia).delete(`${PATH}/${id}`));
    }
  });

  it('are made by administrators, and known to all but guests, sorted by name', async () => {
    const { gus, mia } = app.cast;
    const [alpha, gamma] = [await idOf('alpha'), await idOf('gamma')];
    const events = await told(async () => {
      expectSuccess(await create(' Writing ', ['gamma', 'alpha', 'Gamma']));
      expectSuccess(await create('Art', [], ''));
    });
    const writing = {
      id: expect.any(Number),
      name: 'Writing',
      description: 'For us',
      streams: [alpha, gamma],
    };
    const art = { id: expect.any(Number), name: 'Art', description: '', streams: [] };
    expect(events.map(({ event, audience }) => [event, audience])).toEqual([
      [{ type: 'default_stream_groups', default_stream_groups: [writing] }, members],
      [{ type: 'default_stream_groups', default_stream_groups: [art, writing] }, members],
    ]);
    await expect(groupsFor(mia)).resolves.toEqual([art, writing]);
    await expect(groupsFor(gus)).resolves.toEqual([]);
  });

  it.each(['mona', 'mia', 'gus'] as const)('are not made or changed by %s', async (who) => {
    const id = await make('Closed');
    const client = app.as(app.cast[who]);
    for (const answer of [
      await create('Mine', [], '', app.cast[who]),
      await client.patch(`${PATH}/${id}`, { new_description: 'x' }),
      await client.patch(`${PATH}/${id}/streams`, { op: 'add', stream_names: ['alpha'] }),
      await client.delete(`${PATH}/${id}`),
    ]) {
      expectError(answer, 'Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' });
    }
    await expect(groupNamed('Closed')).resolves.toMatchObject({ description: 'For us', streams: [] });
  });

  it('have a name of their own', async () => {
    await make('Taken');
    expectError(await create('Taken'), "Default channel group 'Taken' already exists");
    expectError(await create('Taken', [], 'another'), "Default channel group 'Taken' already exists");
    expectError(await create('  '), "Invalid default channel group name '  '");
    expectError(await create('x'.repeat(61)), 'Default channel group name too long (limit: 60 characters)');
    expectError(await create('a\0b'), "Default channel group name 'ab' contains NULL (0x00) characters.");
    expectError(await create('a\u200bb'), 'Invalid character in default channel group name, at position 2.');
    expectError(
      await create('Long', [], 'x'.repeat(1025)),
      'description is too long (limit: 1024 characters)',
    );
  });

  it('hold channels that everybody can reach and that newcomers do not get anyway', async () => {
    await createChannel(app, app.cast.adam, 'secret', { invite_only: true });
    await createChannel(app, app.cast.mia, 'hidden', { invite_only: true });
    await createChannel(app, app.cast.adam, 'usual', { is_default_stream: true });
    await createChannel(app, app.cast.adam, 'gone');
    expectSuccess(await app.as(app.cast.adam).delete(`/streams/${await idOf('gone')}`));
    const id = await make('Fit', ['alpha']);
    for (const [name, refusal] of [
      ['nowhere', "Invalid channel name 'nowhere'"],
      ['hidden', "Invalid channel name 'hidden'"],
      ['gone', "Invalid channel name 'gone'"],
      ['usual', "'usual' is a default channel and cannot be added to 'Fit'"],
      ['secret', "'secret' is private and cannot be added to 'Fit'"],
    ] as const) {
      expectError(await changeChannels(id, 'add', ['beta', name]), refusal);
      expectError(await create('Fit', ['beta', name]), refusal);
    }
    expectError(await changeChannels(id, 'remove', ['nowhere']), "Invalid channel name 'nowhere'");
    await expect(groupNamed('Fit')).resolves.toMatchObject({ streams: [await idOf('alpha')] });
  });

  it('are renamed and described', async () => {
    const id = await make('Before');
    await make('Other');
    const events = await told(async () => {
      expectSuccess(await update(id, { new_group_name: 'After', new_description: 'New' }));
      expectSuccess(await update(id, { new_description: 'New' }));
      expectSuccess(await update(id, { new_description: 'Newer', new_group_name: '' }));
      expectSuccess(await update(id, { new_group_name: 'Again', new_description: '' }));
    });
    expect(events.map(({ event }) => event.default_stream_groups[0])).toMatchObject([
      { id, name: 'After', description: 'New' },
      { id, name: 'After', description: 'Newer' },
      { id, name: 'Again', description: '' },
    ]);
    const nothing = 'You must pass "new_description" or "new_group_name".';
    expectError(await update(id, {}), nothing);
    expectError(await update(id, { new_group_name: '', new_description: '' }), nothing);
    expectError(await update(id, { new_group_name: ' ' }), "Invalid default channel group name ' '");
    expectError(
      await update(id, { new_group_name: 'Again' }),
      "This default channel group is already named 'Again'",
    );
    expectError(
      await update(id, { new_group_name: 'Other' }),
      "Default channel group 'Other' already exists",
    );
    expectError(
      await update(999_999, { new_group_name: 'x' }),
      "Default channel group with id '999999' does not exist.",
    );
  });

  it('get and lose channels, all of a request or none', async () => {
    const [alpha, beta, delta] = [await idOf('alpha'), await idOf('beta'), await idOf('delta')];
    const id = await make('Changing', ['alpha']);
    const events = await told(async () => {
      expectSuccess(await changeChannels(id, 'add', ['delta', 'beta', 'beta']));
      expectSuccess(await changeChannels(id, 'remove', ['alpha', 'delta']));
      expectSuccess(await changeChannels(id, 'remove', []));
    });
    expect(events.map(({ event }) => event.default_stream_groups[0].streams)).toEqual([
      [alpha, beta, delta],
      [beta],
    ]);
    expectError(
      await changeChannels(id, 'add', ['alpha', 'beta']),
      "Channel 'beta' is already present in default channel group 'Changing'",
    );
    expectError(
      await changeChannels(id, 'remove', ['beta', 'alpha']),
      "Channel 'alpha' is not present in default channel group 'Changing'",
    );
    expectError(
      await changeChannels(id, 'replace', ['alpha']),
      'Invalid value for "op". Specify one of "add" or "remove".',
    );
    expectError(
      await changeChannels(999_999, 'add', []),
      "Default channel group with id '999999' does not exist.",
    );
    await expect(groupNamed('Changing')).resolves.toMatchObject({ streams: [beta] });
  });

  it('are deleted, and leave their channels alone', async () => {
    const id = await make('Short', ['alpha']);
    const events = await told(() => app.as(app.cast.adam).delete(`${PATH}/${id}`));
    expect(events).toMatchObject([{ event: { default_stream_groups: [] }, audience: members }]);
    expectError(
      await app.as(app.cast.adam).delete(`${PATH}/${id}`),
      `Default channel group with id '${id}' does not exist.`,
    );
    await expect(idOf('alpha')).resolves.toEqual(expect.any(Number));
  });

  it('lose a channel that is archived or made private, and follow its name', async () => {
    const adam = app.as(app.cast.adam);
    const [first, second] = [
      await createChannel(app, app.cast.adam, 'one'),
      await createChannel(app, app.cast.adam, 'two'),
    ];
    await make('Tidy', ['one', 'two']);
    const events = await told(async () => {
      expectSuccess(await adam.patch(`/streams/${first}`, { new_name: 'zwei' }));
      expectSuccess(await adam.patch(`/streams/${first}`, { new_name: 'zweite' }));
      expectSuccess(await adam.patch(`/streams/${first}`, { is_private: true }));
      expectSuccess(await adam.delete(`/streams/${second}`));
      expectSuccess(await adam.patch(`/streams/${second}`, { is_archived: false }));
    });
    expect(events.map(({ event }) => event.default_stream_groups[0].streams)).toEqual([
      [second, first],
      [second],
      [],
    ]);
  });

  it('are told to guests who become members, and taken from members who become guests', async () => {
    const { olivia, gus } = app.cast;
    await make('Known');
    const group = await groupNamed('Known');
    const setRole = async (role: number) =>
      expectSuccess(await app.as(olivia).patch(`/users/${gus.id}`, { role }));
    const events = await told(async () => {
      await setRole(400);
      await setRole(600);
    });
    expect(events.map(({ event, audience }) => [event.default_stream_groups, audience])).toEqual([
      [[group], [gus.id]],
      [[], [gus.id]],
    ]);
  });

  it('are as many as can be sent', async () => {
    const id = await make('First');
    await app.writeRows(async (tx) => {
      for (let number = 2; number <= 99; number++) {
        await tx.query('INSERT INTO default_channel_group (name, description) VALUES (?, ?)', [
          `Group ${number}`,
          '',
        ]);
      }
    });
    expectSuccess(await create('Last'));
    expectError(await create('One more'), 'There can be at most 100 default channel groups.');
    expectError(
      await changeChannels(
        id,
        'add',
        Array.from({ length: 501 }, (_, number) => `c${number}`),
      ),
      'stream_names is too long (limit: 500 items)',
    );
    await app.writeRows(async (tx) => void (await tx.query('DELETE FROM default_channel_group')));
  });
});
