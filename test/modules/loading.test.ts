import { join } from 'node:path';
import { CommandLine } from '../support/command-line';
import { ModuleFolders } from '../support/module-folders';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

// Each command is a process, which takes its time where other tests run beside.
jest.setTimeout(240_000);

/** A module whose parts can be replaced one by one. */
const ON_POSTGRES = process.env.TEST_ENGINE === 'postgres';

function definition(parts: string, before = ''): string {
  return `
    const { defineModule, Module, columns, idColumn, table } = require('parley/module');
    class Part {}
    Module({})(Part);
    const up = (tables) => tables.createTable(table('module_good_thing', [idColumn(), columns('text', 'name')]));
    ${before}
    module.exports = defineModule({
      name: 'good', about: 'Is good.', module: Part, migrations: [{ number: 1, name: 'things', up }], ${parts}
    });
  `;
}

/** A Nest module "Making" with a service whose constructor does this. */
function servicesOf(statement: string): string {
  return `
    class Maker { constructor(moments) { ${statement}; } }
    Reflect.defineMetadata('design:paramtypes', [require('parley/module').Moments], Maker);
    class Making {} Module({ providers: [Maker] })(Making);
  `;
}

describe('a module that cannot be', () => {
  const folders = new ModuleFolders();
  let database: TestDatabase;
  let env: Record<string, string>;

  beforeAll(async () => {
    database = await createTestDatabase();
    env = { ...database.env, DATA_DIR: join(folders.folder, 'data') };
    await new CommandLine(env).run(['init']);
  });

  afterAll(async () => {
    await database.drop();
    folders.remove();
  });

  /** What the operator reads, for a start and a command alike. */
  async function refusal(modules: string, more: Record<string, string> = {}): Promise<string> {
    const { exitCode, errors } = await new CommandLine({ ...env, PARLEY_MODULES: modules, ...more }).run([
      'module',
      'list',
    ]);
    expect(exitCode).toBe(1);
    return errors;
  }

  const mistakes: readonly (readonly [string, () => string, RegExp])[] = [
    [
      'is not there',
      () => join(folders.folder, 'nowhere'),
      /^The module \S+nowhere cannot be loaded: \S+nowhere does not exist/,
    ],
    [
      'is not installed',
      () => '@acme/nothing',
      /^The module @acme\/nothing cannot be loaded: .* Has it been installed\?/,
    ],
    [
      'is an ES module',
      () => folders.write('modern', 'export default 1', { type: 'module' }),
      /modern cannot be loaded: it is an ES module/,
    ],
    [
      'exports something else',
      () => folders.write('other', 'module.exports = {}'),
      /does not export what defineModule\(\)/,
    ],
    [
      'throws',
      () => folders.write('broken', 'throw new Error("no luck")'),
      /broken cannot be loaded: no luck\. \(\S+broken\/index\.js:1:7\)\nFix it/,
    ],
    [
      'is no JavaScript',
      () => folders.write('syntax', 'const luck = ;'),
      /syntax cannot be loaded: Unexpected token ';'\. \(\S+syntax\/index\.js:1\)\nFix it/,
    ],
    [
      'imports all of Parley',
      () => folders.write('all', `require('parley')`),
      /all\/index\.js imports "parley", which is internal to Parley/,
    ],
    [
      'has a key that nothing takes',
      () => folders.write('key', definition('entites: []')),
      /key cannot be loaded: it has the unknown key "entites"\. Known keys are name, about/,
    ],
    [
      'has lists of something else',
      () => folders.write('lists', definition('migrations: [null]')),
      /lists cannot be loaded: "migrations" is not a list of objects with/,
    ],
    [
      'throws while its services are made',
      () =>
        folders.write(
          'making',
          definition('module: Making, migrations: []', servicesOf(`throw new Error('no luck')`)),
        ),
      /making cannot be loaded: no luck\. \(\S+making\/index\.js:\d+:\d+\)\nFix it/,
    ],
    [
      'declares an event of another module',
      () => folders.write('stranger', definition('', `require('parley/module').defineEvent('module_bad')`)),
      /its "module_bad" must be named "module_good" or start with "module_good_"/,
    ],
    [
      'tells at registration what another module would',
      () =>
        folders.write(
          'teller',
          definition('module: Making, migrations: []', servicesOf(`moments.onRegister('module_bad')`)),
        ),
      /"module_bad" starts with the name of a module that is not loaded/,
    ],
    [
      'tells the same twice at registration',
      () =>
        folders.write(
          'twice',
          definition(
            'module: Making, migrations: []',
            servicesOf(`for (let i = 0; i < 2; i++) moments.onRegister('module_good')`),
          ),
        ),
      /twice cannot be loaded: "module_good" is already part of the registration response/,
    ],
    [
      'imports what is inside of Parley',
      () => folders.write('deep', `require('parley/dist/app.module')`),
      /deep\/index\.js imports "parley\/dist\/app\.module", which is internal to Parley and changes/,
    ],
    [
      'imports it by its path',
      () =>
        folders.write(
          'path',
          `require(require.resolve('parley/module').replace('module/index', 'app.module'))`,
        ),
      /imports ".*app\.module\.js", which is internal to Parley/,
    ],
    [
      'brings its own libraries',
      () => folders.write('nest', `require('@nestjs/common')`),
      /nest\/index\.js imports "@nestjs\/common"\. Import it from "parley\/module"/,
    ],
    [
      'has no proper name',
      () => folders.write('name', definition(`name: 'not good'`)),
      /its name is "not good"/,
    ],
    [
      'numbers its migrations otherwise',
      () => folders.write('number', definition(`migrations: [{ number: 7, name: 'x', up }]`)),
      /numbered 1, 2, 3/,
    ],
    [
      'has an entity with the table of another',
      () =>
        folders.write(
          'entity',
          definition(
            `module: WithRow`,
            `const { Entity, PrimaryGeneratedColumn, TypeOrmModule } = require('parley/module');
             class Row {} PrimaryGeneratedColumn()(Row.prototype, 'id'); Entity('account')(Row);
             class WithRow {} Module({ imports: [TypeOrmModule.forFeature([Row])] })(WithRow);`,
          ),
        ),
      /table of its entity Row is named "account", but must start with "module_good_"/,
    ],
    [
      'has an entity without its decorator',
      () =>
        folders.write(
          'undecorated',
          definition(
            `module: WithRow`,
            `const { TypeOrmModule } = require('parley/module');
             class Row {} class WithRow {} Module({ imports: [TypeOrmModule.forFeature([Row])] })(WithRow);`,
          ),
        ),
      /its entity Row has no @Entity\(\)/,
    ],
    [
      'makes a table of another',
      () => folders.write('table', definition(`name: 'bad'`)),
      /bad cannot use this database: its migration "bad\/1 things" failed.* it creates, changes or drops module_good_thing/,
    ],
    [
      'adds to a table of Parley',
      () =>
        folders.write(
          'adds',
          definition(
            `migrations: [{ number: 1, name: 'x', up: (tables) => tables.query('ALTER TABLE account ADD nickname text') }]`,
          ),
        ),
      /its migration "good\/1 x" failed.* it creates, changes or drops account/,
    ],
    [
      'indexes a table of Parley',
      () =>
        folders.write(
          'indexes',
          definition(
            `migrations: [{ number: 1, name: 'x', up: (tables) => tables.query('CREATE INDEX module_good_x ON message (content)') }]`,
          ),
        ),
      /its migration "good\/1 x" failed.* it creates, changes or drops message/,
    ],
    [
      'declares an event of Parley',
      () => folders.write('event', definition('', `require('parley/module').defineEvent('message')`)),
      /"message" must be "module_" and the name of the module/,
    ],
    [
      'needs what nobody provides',
      () =>
        folders.write(
          'needs',
          definition(
            'module: Wanting',
            `class Thing {} class Service {} Reflect.defineMetadata('design:paramtypes', [Thing], Service);
             class Wanting {} Module({ providers: [Service] })(Wanting);`,
          ),
        ),
      /needs cannot be loaded: .*Wanting/,
    ],
    [
      'has a variable of Parley',
      () =>
        folders.write(
          'variable',
          definition(
            'settings: Settings',
            `const { Setting, kind } = require('parley/module');
             class Settings {} Setting('PORT', kind.integer(1, 9), { section: 'x', about: 'x', default: '1' })(Settings.prototype, 'port');`,
          ),
        ),
      /its variable PORT must start with "MODULE_GOOD_"/,
    ],
  ];

  // Each is a start of the server; on PostgreSQL, those that are about its tables.
  const told = ON_POSTGRES ? mistakes.filter(([mistake]) => mistake.includes('table')) : mistakes;

  it.each(told)('does not start, and says why: it %s', async (_, folder, sentence) => {
    expect(await refusal(folder())).toMatch(sentence);
  });

  it('keeps two of one name apart, and wrong variables from what they are for', async () => {
    const settings = definition(
      'settings: Settings',
      `const { Setting, kind } = require('parley/module');
       class Settings {} Setting('MODULE_GOOD_DAYS', kind.integer(1, 9), { section: 'x', about: 'x', default: '1' })(Settings.prototype, 'days');`,
    );
    const [one, two] = [folders.write('one', settings), folders.write('two', definition(''))];
    expect(await refusal(`${one}, ${two}`)).toMatch(
      /two cannot be loaded: another module has the same name, "good"/,
    );
    expect(await refusal(`${one},${one}`)).toMatch(/^PARLEY_MODULES is .* each of them once/);
    expect(await refusal(one, { MODULE_GOOD_DAYS: 'many' })).toMatch(
      /^MODULE_GOOD_DAYS is "many", but it must be/,
    );
  });

  it('was used by a newer version of itself', async () => {
    const more = `migrations: [{ number: 1, name: 'things', up }, { number: 2, name: 'more', up: async () => {} }]`;
    const newer = { ...env, PARLEY_MODULES: folders.write('newer', definition(more)) };
    await expect(new CommandLine(newer).json(['migrate'])).resolves.toMatchObject({
      applied: expect.arrayContaining(['good/2 more']),
    });
    const older = folders.write('older', definition(''));
    expect(await refusal(older)).toMatch(
      /it was used by another version of the module, with the migration "good\/2 more"/,
    );
    await expect(
      new CommandLine({ ...env, PARLEY_MODULES: older }).json(['migrate', '--status']),
    ).resolves.toMatchObject({ unknown: ['good/2 more'] });
  });
});
