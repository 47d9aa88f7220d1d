import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandLine } from '../support/command-line';
import { ModuleFolders } from '../support/module-folders';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

// Each command is a process, which takes its time where other tests run beside.
jest.setTimeout(240_000);

const TOOL = `
  const { defineModule, Injectable, IsString, kind, Module, Moments, Setting } = require('parley/module');

  class Settings {}
  Setting('MODULE_TOOL_GREETING', kind.text(), { section: 'Tool', about: 'How to greet.', default: 'Hello' })(
    Settings.prototype, 'greeting');

  class GreetInput {}
  IsString()(GreetInput.prototype, 'name');

  class Tools {
    constructor(moments, settings) {
      moments.onCommand('tool', 'greet', GreetInput, async ({ name }) => ({ text: settings.greeting + ', ' + name }));
      moments.onCheck('module_tool_quiet', 'Nobody is greeted loudly.', async () =>
        settings.greeting === settings.greeting.toUpperCase() ? ['Somebody would be greeted with ' + settings.greeting] : []);
    }
  }
  Injectable()(Tools);
  Reflect.defineMetadata('design:paramtypes', [Moments, Settings], Tools);

  class ToolModule {}
  Module({ providers: [Tools] })(ToolModule);
  exports.default = defineModule({ name: 'tool', about: 'Greets.', module: ToolModule, settings: Settings });
`;

describe('a module', () => {
  const folders = new ModuleFolders();
  let database: TestDatabase;
  let env: Record<string, string>;

  beforeAll(async () => {
    database = await createTestDatabase();
    const folder = folders.write('tool', TOOL);
    // As where it was installed for its own tests, with a Parley that is not the one that runs it.
    const other = join(folder, 'node_modules/parley');
    mkdirSync(other, { recursive: true });
    writeFileSync(
      join(other, 'package.json'),
      JSON.stringify({ name: 'parley', version: '0.0.1', exports: { './module': './other.js' } }),
    );
    writeFileSync(join(other, 'other.js'), 'throw new Error("This is another Parley.")');
    env = { ...database.env, DATA_DIR: join(folders.folder, 'data'), PARLEY_MODULES: folder };
    await new CommandLine(env).run(['init']);
  });

  afterAll(async () => {
    await database.drop();
    folders.remove();
  });

  it('gets the Parley that runs it, its variables, and commands with checked input', async () => {
    const greet = (input: string, more = {}) =>
      new CommandLine({ ...env, ...more }).json(['module', 'run', 'tool', 'greet', input]);
    await expect(greet('{"name": "Ann"}')).resolves.toEqual({ text: 'Hello, Ann' });
    await expect(greet('{"name": "Ann"}', { MODULE_TOOL_GREETING: 'Moin' })).resolves.toEqual({
      text: 'Moin, Ann',
    });
    await expect(greet('{"name": 3}')).resolves.toEqual({ error: 'name must be a string' });
    await expect(greet('{"name": "Ann", "more": 1}')).resolves.toEqual({
      error: 'property more should not exist',
    });
    const ask = (module: string) => new CommandLine(env).json(['module', 'run', module, 'great', '{}']);
    await expect(ask('tool')).resolves.toEqual({ error: 'The module tool has greet.' });
    await expect(ask('toll')).resolves.toEqual({
      error: 'No module toll with commands is loaded. "parley module list" shows the loaded ones.',
    });
    const { exitCode, errors } = await new CommandLine(env).run(['module', 'run', 'tool', 'greet', 'Ann']);
    expect([exitCode, errors]).toEqual([1, expect.stringContaining('The input must be a JSON object')]);
  });

  it('has its invariants checked beside those of Parley', async () => {
    await expect(new CommandLine(env).run(['check', '--verbose'])).resolves.toMatchObject({
      exitCode: 0,
      output: expect.stringMatching(/^ok +module_tool_quiet: Nobody is greeted loudly\.$/m),
    });
    await expect(
      new CommandLine({ ...env, MODULE_TOOL_GREETING: 'HELLO' }).run(['check']),
    ).resolves.toMatchObject({
      exitCode: 1,
      output: expect.stringMatching(
        /^BROKEN +module_tool_quiet: .*\n +Somebody would be greeted with HELLO$/m,
      ),
    });
  });
});
