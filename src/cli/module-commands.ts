import { resolve } from 'node:path';
import type { Command } from 'commander';
import { CommandRefused } from '../platform/operator/operator-commands';
import { confirm } from './confirm';
import { amount, conclude, table } from './output';
import { commandOf, type CommonOptions, runCommand } from './run-command';

interface ListedModule {
  readonly name: string;
  readonly isLoaded: boolean;
  readonly version: string;
  readonly from: string;
  readonly about: string;
  readonly tables: readonly string[];
  readonly migrations: readonly string[];
}

/** Commands for modules, which extend Parley without changing it. */
export function addModuleCommands(program: Command): void {
  const modules = program.command('module').description('manage modules');
  addList(modules);
  addNew(modules);
  addRemove(modules);
  addRun(modules);
}

function addList(modules: Command): void {
  commandOf(modules, 'list', 'list modules, and leftover tables of former ones').action(
    (options: CommonOptions) =>
      conclude(options, async () => {
        const result = await list(options);
        return { result, text: listText(result.modules) };
      }),
  );
}

function list(options: CommonOptions): Promise<{ modules: readonly ListedModule[] }> {
  return runCommand('module list', {}, options);
}

function listText(modules: readonly ListedModule[]): string {
  if (modules.length === 0) return 'No modules. Set PARLEY_MODULES to load some.';
  const rows = modules.map(({ name, isLoaded, version, from, tables, migrations, about }) => [
    name,
    isLoaded ? version || 'loaded' : 'absent',
    amount(tables.length, 'table'),
    amount(migrations.length, 'migration'),
    isLoaded ? `${from}: ${about}` : 'not in PARLEY_MODULES; its tables are kept',
  ]);
  return table(['NAME', 'VERSION', 'TABLES', 'MIGRATIONS', 'FROM'], rows);
}

function addNew(modules: Command): void {
  modules
    .command('new <name> [one]')
    .description('scaffold a module with a passing test')
    .option('--in <folder>', 'folder in which to create it', '.')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      '\nThe name is a plural in lower-case letters and digits, such as "polls"; [one] is the singular, if it is not the name without\n' +
        'its "s". See docs/modules.md.',
    )
    .action((name: string, one: string | undefined, options: { in: string; json?: boolean }) =>
      conclude(options, async () => {
        const { writeModule } = await import('./module-template/write-module.js');
        const result = writeModule(moduleName(name), one ?? name.replace(/s$/, ''), resolve(options.in));
        const steps = [`cd ${result.folder}`, 'npm install', 'npm test'];
        return { result, text: [...result.files, '', ...steps.map((step) => `  ${step}`)].join('\n') };
      }),
    );
}

function moduleName(name: string): string {
  if (/^[a-z][a-z0-9]{1,30}$/.test(name)) return name;
  throw new CommandRefused(
    'Invalid module name. Use 2 to 31 lowercase letters and digits, starting with a letter.',
  );
}

function addRemove(modules: Command): void {
  commandOf(modules, 'remove <name>', 'drop the tables of a module no longer in PARLEY_MODULES')
    .option('--yes', 'do not ask for confirmation')
    .action((name: string, options: CommonOptions & { yes?: boolean }) =>
      conclude(options, async () => {
        if (!options.yes) await confirmDrop(name, options);
        const result = await runCommand<{ tables: readonly string[] }>('module remove', { name }, options);
        return {
          result,
          text: `Removed ${name}: dropped ${amount(result.tables.length, 'table')}.`,
        };
      }),
    );
}

/** @throws CommandRefused unless the operator types the name of the module at the terminal */
async function confirmDrop(name: string, options: CommonOptions): Promise<void> {
  const { modules } = await list(options);
  const { tables = [] } = modules.find((module) => module.name === name) ?? {};
  const what = `This drops ${tables.join(', ') || 'no table'}, and all data in them.`;
  await confirm(what, name, 'name of the module');
}

function addRun(modules: Command): void {
  commandOf(modules, 'run <module> <command> [input]', 'run a module’s command with JSON input').action(
    (module: string, name: string, input: string | undefined, options: CommonOptions) =>
      conclude(options, async () => {
        const result = await runCommand(`module run ${module} ${name}`, inputOf(input), options);
        return { result, text: JSON.stringify(result, null, 2) };
      }),
  );
}

function inputOf(text = '{}'): object {
  try {
    const input: unknown = JSON.parse(text);
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input;
  } catch {
    // Reported below.
  }
  throw new CommandRefused('The input must be a JSON object, such as {"days": 3}.');
}
