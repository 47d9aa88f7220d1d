import { createChannel } from '../support/channel-setup';
import { idsOf } from '../support/event-outline';
import { expectError, expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

let app: TestApp;
let everybody: number[];

beforeAll(async () => {
  app = await TestApp.start();
  everybody = idsOf(...Object.values(app.cast));
});

afterAll(() => app.stop());

const create = (name: string, description = '') =>
  app.as(app.cast.adam).post('/channel_folders/create', { name, description });

const make = async (name: string, description = ''): Promise<number> =>
  expectSuccess(await create(name, description)).channel_folder_id;

const update = (id: number, changes: Record<string, unknown>) =>
  app.as(app.cast.adam).patch(`/channel_folders/${id}`, changes);

const list = async (parameters = {}) =>
  expectSuccess(await app.as(app.cast.gus).get('/channel_folders', parameters)).channel_folders;

const idsListed = async (parameters = {}): Promise<number[]> =>
  (await list(parameters)).map((folder: { id: number }) => folder.id);

describe('channel folders', () => {
  it('are made by administrators and seen by everybody', async () => {
    const before = Math.floor(Date.now() / 1000);
    const events = await app.captureEvents(() => create(' Backend ', 'All **servers**'));
    const [folder] = await list();
    expect(folder).toEqual({
      id: expect.any(Number),
      name: 'Backend',
      order: 0,
      description: 'All **servers**',
      rendered_description: '<p>All <strong>servers</strong></p>',
      date_created: expect.any(Number),
      creator_id: app.cast.adam.id,
      is_archived: false,
    });
    expect(folder.date_created).toBeGreaterThanOrEqual(before);
    expect(events).toMatchObject([
      { event: { type: 'channel_folder', op: 'add', channel_folder: folder }, audience: everybody },
    ]);
  });

  it.each(['mona', 'mia', 'gus'] as const)('are not written by %s', async (who) => {
    const client = app.as(app.cast[who]);
    for (const answer of [
      await client.post('/channel_folders/create', { name: 'Mine', description: '' }),
      await client.patch('/channel_folders/1', { name: 'Mine' }),
      await client.patch('/channel_folders', { order: [1] }),
    ]) {
      expectError(answer, 'Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' });
    }
  });

  it('have names of their own, archived ones included, and limits', async () => {
    const id = await make('Unique');
    expectSuccess(await update(id, { is_archived: true }));
    expectError(await create('UNIQUE'), "Channel folder 'UNIQUE' already exists");
    expectError(await create('  '), "Channel folder name can't be empty.");
    expectError(await create('a\nb'), 'Invalid character in channel folder name, at position 2.');
    expectError(await create('x'.repeat(61)), 'name is too long (limit: 60 characters)');
    expectError(await create('Long', 'x'.repeat(1025)), 'description is too long (limit: 1024 characters)');
    expectError(
      await app.as(app.cast.adam).post('/channel_folders/create', { name: 'Bare' }),
      "Missing 'description' argument",
      { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'description' } },
    );
  });

  it('change, which is told with what changed', async () => {
    const id = await make('Front', 'Old');
    const events = await app.captureEvents(async () => {
      expectSuccess(await update(id, { name: 'Frontend', description: 'New' }));
      expectSuccess(await update(id, { name: 'Frontend', description: 'New' }));
      expectSuccess(await update(id, { name: 'FRONTEND' }));
    });
    expect(events.map(({ event }) => event)).toEqual([
      {
        type: 'channel_folder',
        op: 'update',
        channel_folder_id: id,
        data: { name: 'Frontend', description: 'New', rendered_description: '<p>New</p>' },
      },
      { type: 'channel_folder', op: 'update', channel_folder_id: id, data: { name: 'FRONTEND' } },
    ]);
    expect((await list()).find((folder: { id: number }) => folder.id === id)).toMatchObject({
      name: 'FRONTEND',
      description: 'New',
      rendered_description: '<p>New</p>',
    });
    await make('Third');
    expectError(await update(id, { name: 'third' }), "Channel folder 'third' already exists");
    expectError(await update(999_999, { name: 'x' }), 'Invalid channel folder ID');
  });

  it('are archived empty, and listed then only when asked for', async () => {
    const id = await make('Short-lived');
    const channel = await createChannel(app, app.cast.mia, 'Kept', { folder_id: id });
    expectError(
      await update(id, { is_archived: true }),
      'You need to remove all the channels from this folder to archive it.',
    );
    expectSuccess(await app.as(app.cast.mia).patch(`/streams/${channel}`, { folder_id: null }));
    const events = await app.captureEvents(() => update(id, { is_archived: true }));
    expect(events.map(({ event }) => event.data)).toEqual([{ is_archived: true }]);
    await expect(idsListed()).resolves.not.toContain(id);
    await expect(idsListed({ include_archived: true })).resolves.toContain(id);
    expectSuccess(await update(id, { is_archived: false }));
    await expect(idsListed()).resolves.toContain(id);
  });

  it('stand in an order that names each of them once', async () => {
    const ids = await idsListed({ include_archived: true });
    const order = [...ids].reverse();
    const reorder = (to: unknown) => app.as(app.cast.adam).patch('/channel_folders', { order: to });
    const events = await app.captureEvents(async () => {
      expectSuccess(await reorder(order));
      expectSuccess(await reorder(order));
    });
    expect(events).toMatchObject([
      { event: { type: 'channel_folder', op: 'reorder', order }, audience: everybody },
    ]);
    await expect(idsListed({ include_archived: true })).resolves.toEqual(order);
    for (const wrong of [order.slice(1), [...order, 999_999], [...order.slice(1), order[1]]]) {
      expectError(await reorder(wrong), 'Invalid order mapping.');
    }
    const last = await make('Newest');
    expect((await idsListed()).at(-1)).toBe(last);
  });
});
