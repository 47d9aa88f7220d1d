import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestPerson } from '../../src/testing';
import { CommandLine } from '../support/command-line';
import { ModuleFolders } from '../support/module-folders';
import { ServerProcess } from '../support/server-process';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

// Each command is a process, which takes its time where other tests run beside.
jest.setTimeout(240_000);

const PATH = '/modules/rooms';

describe('a module that the command line wrote', () => {
  const folders = new ModuleFolders();
  let databases: TestDatabase[];
  let env: Record<string, string>;
  let restored: Record<string, string>;
  let server: ServerProcess | undefined;

  beforeAll(async () => {
    databases = [await createTestDatabase(), await createTestDatabase()];
    const [origin, target] = databases.map((database) => ({ ...database.env, RATE_LIMIT_PER_MINUTE: '0' }));
    env = { ...origin, DATA_DIR: join(folders.folder, 'data'), LOG_LEVEL: 'warn' };
    restored = { ...target, DATA_DIR: join(folders.folder, 'restored'), LOG_LEVEL: 'warn' };
    const made = await new CommandLine(env).json(['module', 'new', 'rooms', '--in', folders.folder]);
    expect(made.files.some((file: string) => file.endsWith('rooms/test/rooms.test.ts'))).toBe(true);
    const module = folders.compile(join(folders.folder, 'rooms'));
    for (const each of [env, restored]) each.PARLEY_MODULES = module;
  });

  afterAll(async () => {
    server?.signal('SIGKILL');
    await server?.exitCode();
    for (const database of databases) await database.drop();
    folders.remove();
  });

  let site: URL;

  /** @returns the owner of the organization */
  async function serve(of = env): Promise<TestPerson> {
    server = new ServerProcess([new CommandLine(of).program, 'serve'], { env: of });
    site = await server.ready();
    const text = readFileSync(join(env.DATA_DIR as string, 'zuliprc'), 'utf8');
    const [, email = '', apiKey = ''] = /email=(\S+)\nkey=(\w+)/.exec(text) ?? [];
    return new TestPerson(site.origin, 'owner', 0, email, apiKey);
  }

  async function stop(): Promise<ServerProcess> {
    server?.signal('SIGTERM');
    await server?.exitCode();
    return server as ServerProcess;
  }

  const without = (of: Record<string, string>) => ({ ...of, PARLEY_MODULES: '' });

  it('has its tables made beside those of Parley, and is listed with its routes', async () => {
    const parley = new CommandLine(env);
    const { pending } = await parley.json(['migrate', '--status']);
    expect(pending.at(-1)).toBe('rooms/1 rooms');
    await parley.run(['init']);
    await expect(parley.json(['migrate', '--status'])).resolves.toMatchObject({ pending: [], unknown: [] });
    const { modules } = await parley.json(['module', 'list']);
    expect(modules).toEqual([
      {
        name: 'rooms',
        isLoaded: true,
        version: '0.1.0',
        from: env.PARLEY_MODULES,
        about: 'Keeps rooms by name.',
        tables: ['module_rooms_room'],
        migrations: ['1 rooms'],
        routes: [
          `GET /api/v1${PATH}: accounts`,
          `POST /api/v1${PATH}: accounts`,
          `DELETE /api/v1${PATH}/{id}: administrators`,
        ],
      },
    ]);
    await expect(parley.run(['check'])).resolves.toMatchObject({ exitCode: 0 });
  });

  it('serves: routes that are closed to strangers, events, state, and its place in the API description', async () => {
    const owner = await serve();
    expect((await fetch(new URL(`/api/v1${PATH}`, site))).status).toBe(401);
    const queue = await owner.post('/register', { fetch_event_types: ['module_rooms'] });
    expect(queue['module_rooms']).toEqual([]);
    await expect(owner.post(PATH, { name: ' Blue ', colour: 'blue' })).resolves.toMatchObject({
      id: 1,
      ignored_parameters_unsupported: ['colour'],
    });
    const { queue_id, last_event_id } = queue;
    await expect(owner.get('/events', { queue_id, last_event_id, dont_block: true })).resolves.toMatchObject({
      events: [{ type: 'module_rooms', op: 'add', room: { id: 1, name: 'Blue' } }],
    });
    const description = (await (await fetch(new URL('/api/docs-json', site))).json()) as {
      paths: Record<string, Record<string, object>>;
    };
    expect(description.paths[`/api/v1${PATH}`]?.['post']).toMatchObject({
      summary: 'Adds one room',
      tags: ['module rooms'],
      requestBody: {
        content: {
          'application/x-www-form-urlencoded': {
            schema: { properties: { name: { description: 'What people call it.', maxLength: 60 } } },
          },
        },
      },
    });
    expect(Object.keys(description.paths[`/api/v1${PATH}/{id}`] ?? {})).toEqual(['delete']);
    expect((await (await fetch(new URL('/api/docs', site))).text()).includes('Adds one room')).toBe(true);
    // A running server may not lose what it works with.
    await expect(new CommandLine(env).run(['module', 'remove', 'rooms', '--yes'])).resolves.toMatchObject({
      exitCode: 1,
      errors: expect.stringMatching(/^The module rooms is in use/),
    });
  });

  it('is saved and restored with everything, by a server with it and by one without', async () => {
    const backup = join(folders.folder, 'backup');
    await new CommandLine(env).json(['backup', backup, '--with-secret']);
    await stop();
    await expect(new CommandLine(without(restored)).run(['restore', backup])).resolves.toMatchObject({
      exitCode: 0,
    });
    const owner = await serve(restored);
    await expect(owner.get(PATH)).resolves.toMatchObject({ rooms: [{ id: 1, name: 'Blue' }] });
    await stop();
  });

  it('can be left out, which the server says, and come back', async () => {
    const owner = await serve(without(env));
    await expect(owner.get(PATH)).rejects.toMatchObject({ status: 404 });
    const { output } = await stop();
    expect(
      output.match(/The database has 1 table of the module rooms, which is not in PARLEY_MODULES/g),
    ).toHaveLength(1);
    await expect(new CommandLine(without(env)).json(['module', 'list'])).resolves.toMatchObject({
      modules: [{ name: 'rooms', isLoaded: false, tables: ['module_rooms_room'] }],
    });
    const back = await serve();
    await expect(back.get(PATH)).resolves.toMatchObject({ rooms: [{ id: 1, name: 'Blue' }] });
    await stop();
  });

  it('is removed once it is left out, and says so in the audit log', async () => {
    const parley = new CommandLine(without(env));
    const { exitCode, errors } = await parley.run(['module', 'remove', 'rooms']);
    expect([exitCode, errors]).toEqual([
      1,
      'This drops module_rooms_room, and all data in them. Use --yes to confirm.\n',
    ]);
    await expect(parley.json(['module', 'remove', 'rooms', '--yes'])).resolves.toMatchObject({
      tables: ['module_rooms_room'],
    });
    await expect(parley.json(['module', 'list'])).resolves.toEqual({ modules: [] });
    await expect(parley.json(['module', 'remove', 'rooms', '--yes'])).resolves.toEqual({
      error: 'The database has no tables of a module rooms.',
    });
    const { output } = await parley.run(['audit', '--action', 'server']);
    expect(output).toMatch(/server\.module_removed .*rooms/);
    // Where it comes back, it begins anew.
    const owner = await serve();
    await expect(owner.get(PATH)).resolves.toMatchObject({ rooms: [] });
    await stop();
  });
});
