import { dirname, join } from 'node:path';
import type { Parley, PermissionCase } from '../../src/testing';
import { compiledServer } from '../support/compiled-server';
import { ModuleFolders } from '../support/module-folders';

// The server is a process of its own, which takes its time where other tests run beside.
jest.setTimeout(240_000);

/** Doors with everything on them that can say who may come in. */
const DOORS = `
  import { AdministratorOnly, Controller, defineModule, Get, Module, NoGuests, Parameter, Parameters,
    PathParameter, Post, Public, text } from 'parley/module';

  class KnockDto {
    @Parameter(text({ notBlank: true })) name!: string;
  }

  class RoomDto {
    @PathParameter() id!: number;
  }

  @Controller()
  class Doors {
    @Get('open') @Public() open() { return {}; }
    @Post('inner') @NoGuests() inner(@Parameters() dto: KnockDto) { return { name: dto.name }; }
    @Post('rooms/:id(\\\\d+)') @AdministratorOnly() room(@Parameters() { id }: RoomDto) { return { id }; }
  }

  @Controller('back')
  class BackDoors {
    @Get() back() { return {}; }
  }

  @Module({ controllers: [BackDoors] })
  class BackModule {}

  @Module({ imports: [BackModule], controllers: [Doors] })
  class DoorsModule {}
  export default defineModule({ name: 'doors', about: 'Has doors.', module: DoorsModule });
`;

describe('the routes of a module', () => {
  const folders = new ModuleFolders();
  let parley: Parley;
  /** The program as it is installed, which a module finds under its name. */
  const { startParley, ACCOUNTS } =
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- compiled before the tests
    require(join(dirname(compiledServer()), 'testing/index.js')) as typeof import('../../src/testing');

  const members = ACCOUNTS.filter((role) => role !== 'guest');
  const rooms = () => Promise.resolve({ id: 7 });
  const right: readonly PermissionCase[] = [
    { request: 'GET /modules/doors/open', allowed: ['anonymous', ...ACCOUNTS] },
    { request: 'POST /modules/doors/inner', parameters: { name: 'Ann' }, allowed: members },
    { request: 'POST /modules/doors/rooms/{id}', prepare: rooms, allowed: ['administrator', 'owner'] },
    { request: 'GET /modules/doors/back', allowed: ACCOUNTS },
  ];

  beforeAll(async () => {
    const folder = folders.write('doors', '', { main: 'dist/index.js' });
    folders.source(folder, 'index.ts', DOORS);
    parley = await startParley({ modules: [folders.compile(folder)] });
  });

  afterAll(async () => {
    await parley?.stop();
    folders.remove();
  });

  it('are tried in every role, and every one of them', async () => {
    await expect(parley.expectPermissions(right)).resolves.toBeUndefined();
    const [open, inner, room, back] = right as [
      PermissionCase,
      PermissionCase,
      PermissionCase,
      PermissionCase,
    ];
    await expect(
      parley.expectPermissions([
        { ...open, allowed: ACCOUNTS },
        { ...inner, parameters: {} },
        { ...room, request: 'POST /modules/doors/halls/{id}' },
        back,
      ]),
    ).rejects.toMatchObject({
      problems: [
        'POST /modules/doors/rooms/{id}: there is no case for it',
        'POST /modules/doors/halls/{id}: there is no such route',
        'GET /modules/doors/open: anonymous may, and should not',
        ...members.map(
          (role) => `POST /modules/doors/inner: ${role} may not, and should: Missing 'name' argument (400)`,
        ),
        ...['administrator', 'owner'].map(
          (role) => `POST /modules/doors/halls/{id}: ${role} may not, and should: Page not found (404)`,
        ),
      ],
    });
    // A refusal that would have met everybody shows nothing about who may.
    await expect(
      parley.expectPermissions([open, { ...inner, parameters: {}, allowed: [] }, room, back]),
    ).rejects.toThrow(
      "POST /modules/doors/inner: owner is refused for something else: Missing 'name' argument",
    );
  });

  it('are measured by their paths', async () => {
    await parley.as('alice').post('/modules/doors/inner', { name: 'Ann' });
    const figures = await (await fetch(`${parley.url}/metrics`)).text();
    expect(figures).toMatch(
      /^parley_http_request_duration_seconds_count\{method="POST",route="\/api\/v1\/modules\/doors\/inner",status="2xx"[^}]*\} \d+$/m,
    );
  });
});
