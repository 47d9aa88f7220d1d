import { resolve } from 'node:path';
import { Argument, Option, type Command } from 'commander';
import { confirm } from './confirm';
import { amount, askForNewPassword, conclude, type Outcome, secretFromStandardInput, table } from './output';
import { commandOf, type CommonOptions, runCommand } from './run-command';
import { requireNoFile, writeNewFile, writeZuliprc, zuliprcText, type Zuliprc } from './zuliprc-file';
import { ROLE_NAMES } from '../platform/actor';
import { CommandRefused } from '../platform/operator/operator-commands';

const WHO = 'address or ID of the account';
const CAN_CREATE_USERS = 'also let the account add people over HTTP, while it is an administrator';

interface Account {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly active: boolean;
  readonly bot: boolean;
}

interface AccountResult {
  readonly user: Account;
  /** The generated password, if the server chose one. */
  readonly password?: string;
}

interface DeactivationResult extends AccountResult {
  readonly stoppedBots: readonly Account[];
}

interface ReactivationResult extends AccountResult {
  readonly inactiveBots: readonly Account[];
}

interface PasswordOptions extends CommonOptions {
  readonly passwordStdin?: boolean;
  readonly generate?: boolean;
}

interface AddOptions extends PasswordOptions {
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly canCreateUsers?: boolean;
}

interface KeyOptions extends CommonOptions {
  readonly regenerate?: boolean;
  readonly zuliprc?: string;
}

/** Commands for people and bots. */
export function addAccountCommands(program: Command): void {
  const user = program.command('user').description('manage people');
  addUserAdd(user);
  addUserImport(user);
  addUserList(user);
  addUserChanges(user);
  addUserErase(user);
  addUserPassword(user);
  addUserKey(user);
  addBotAdd(program.command('bot').description('manage bots'));
}

function addUserAdd(user: Command): void {
  commandOf(user, 'add', 'add a person with a password')
    .requiredOption('--email <address>', 'email address')
    .requiredOption('--name <name>', 'full name, 2 to 100 characters')
    .addOption(new Option('--role <role>', 'role').choices(ROLE_NAMES).default('member'))
    .option(
      '--password-stdin',
      'read the password from standard input; by default, one is generated and shown',
    )
    .option('--can-create-users', CAN_CREATE_USERS)
    .action((options: AddOptions) =>
      conclude(options, async () => {
        const { email, name, role, passwordStdin, canCreateUsers } = options;
        const password = passwordStdin ? await secretFromStandardInput() : undefined;
        const person = { email, name, role, password, canCreateUsers };
        const result = await runCommand<AccountResult>('user add', person, options);
        const text = [
          `${result.user.name} (ID ${result.user.id}) is a new ${result.user.role}, who signs in with`,
          '',
          `  Address      ${result.user.email}`,
          ...(result.password ? [`  Password     ${result.password}   (shown this once)`] : []),
        ];
        return { result, text: text.join('\n') };
      }),
    );
}

interface ImportResult {
  readonly isDryRun: boolean;
  readonly added: number;
  readonly known: number;
  readonly invited: number;
}

const LIST_FORMAT = `
Its first line names the columns: email, name, and optionally role, channels and groups (separated by "|").
If a line is wrong, nobody is added. Existing accounts only get the channels and groups: run it again to resume.`;

function addUserImport(user: Command): void {
  commandOf(user, 'import <file>', 'add the people of a CSV file, without passwords')
    .option('--dry-run', 'check the file, and add nobody')
    .option('--invite', 'email new people a link to set a password')
    .addHelpText('after', LIST_FORMAT)
    .action((file: string, options: CommonOptions & { dryRun?: boolean; invite?: boolean }) =>
      conclude(options, async () => {
        const { dryRun, invite } = options;
        const input = { file: resolve(file), ...(dryRun && { dryRun }), ...(invite && { invite }) };
        const result = await runCommand<ImportResult>('user import', input, options);
        return { result, text: importText(result) };
      }),
    );
}

function importText({ isDryRun, added, known, invited }: ImportResult): string {
  const accounts = amount(added, 'account');
  return [
    isDryRun ? `The file is fine. It would add ${accounts}; nothing was written.` : `Added ${accounts}.`,
    ...(known > 0 ? [`${amount(known, 'person has', 'people have')} one already.`] : []),
    ...(invited > 0 && !isDryRun ? [`${amount(invited, 'person gets', 'people get')} an email.`] : []),
  ].join('\n');
}

function addUserList(user: Command): void {
  commandOf(user, 'list', 'list active people')
    .addOption(new Option('--role <role>', 'only people with this role').choices(ROLE_NAMES))
    .option('--inactive', 'include deactivated accounts')
    .option('--bots', 'include bots')
    .action((options: CommonOptions & { role?: string; inactive?: boolean; bots?: boolean }) =>
      conclude(options, async () => {
        const { role, inactive, bots } = options;
        const result = await runCommand<{ users: Account[] }>('user list', { role, inactive, bots }, options);
        const rows = result.users.map((each) => [
          String(each.id),
          each.email,
          each.name,
          each.bot ? 'bot' : each.role,
          each.active ? '' : 'deactivated',
        ]);
        return { result, text: table(['ID', 'ADDRESS', 'NAME', 'ROLE', ''], rows) };
      }),
    );
}

function addUserChanges(user: Command): void {
  commandOf(user, 'role', 'change the role of a person or a bot')
    .argument('<user>')
    .addArgument(new Argument('<role>').choices(ROLE_NAMES))
    .addHelpText(
      'after',
      `\n<user> is the ${WHO}. <role> is one of ${ROLE_NAMES.join(', ')}. The last owner cannot be demoted.`,
    )
    .option('--can-create-users', CAN_CREATE_USERS)
    .option('--no-can-create-users', 'revoke that permission')
    .action((who: string, role: string, options: CommonOptions & { canCreateUsers?: boolean }) =>
      conclude(options, async () => {
        const input = { user: who, role, canCreateUsers: options.canCreateUsers };
        const result = await runCommand<AccountResult>('user role', input, options);
        return { result, text: `${result.user.name} (${result.user.email}) is now of the role ${role}.` };
      }),
    );
  addActivityChanges(user);
}

function addActivityChanges(user: Command): void {
  commandOf(user, 'deactivate <user>', 'deactivate a person with their bots, or a bot')
    .addHelpText('after', `\n<user> is the ${WHO}. "parley user reactivate" undoes it.`)
    .action((who: string, options: CommonOptions) =>
      conclude(options, async () => {
        const input = { user: who };
        const result = await runCommand<DeactivationResult>('user deactivate', input, options);
        const { user: account, stoppedBots } = result;
        const text = [`${account.name} (${account.email}) is now deactivated.`];
        if (stoppedBots.length > 0) text.push('Their bots stopped as well:', ...stoppedBots.map(botLine));
        return { result, text: text.join('\n') };
      }),
    );
  const factor = user.command('factor').description('second factors of people');
  commandOf(factor, 'reset <user>', 'remove the second factor of a person who has lost it')
    .addHelpText('after', `\n<user> is the ${WHO}. The password stays; all sessions end.`)
    .action((who: string, options: CommonOptions) =>
      conclude(options, async () => {
        const result = await runCommand<AccountResult>('user factor reset', { user: who }, options);
        return { result, text: `${result.user.name} signs in with the password alone.` };
      }),
    );
  commandOf(user, 'reactivate <user>', 'reactivate a person or a bot')
    .option('--with-bots', 'reactivate their bots as well')
    .addHelpText('after', `\n<user> is the ${WHO}.`)
    .action((who: string, options: CommonOptions & { withBots?: boolean }) =>
      conclude(options, async () => {
        const input = { user: who, withBots: options.withBots };
        const result = await runCommand<ReactivationResult>('user reactivate', input, options);
        const { user: account, inactiveBots } = result;
        const text = [`${account.name} (${account.email}) is now active.`];
        if (inactiveBots.length > 0) {
          const offer =
            'These bots of theirs are still deactivated. "parley user reactivate" brings back each, and';
          text.push(`${offer}\n--with-bots all of them:`, ...inactiveBots.map(botLine));
        }
        return { result, text: text.join('\n') };
      }),
    );
}

function botLine({ name, email }: Account): string {
  return `  ${name} (${email})`;
}

function addUserPassword(user: Command): void {
  commandOf(user, 'password <user>', 'set the password of a person')
    .option('--password-stdin', 'read it from standard input')
    .addOption(new Option('--generate', 'generate one, and show it').conflicts('passwordStdin'))
    .addHelpText('after', `\n<user> is the ${WHO}. Without an option, the terminal asks for the password.`)
    .action((who: string, options: PasswordOptions) =>
      conclude(options, async () => {
        const password = await chosenPassword(options);
        const result = await runCommand<AccountResult>('user password', { user: who, password }, options);
        const shown = result.password ? `: ${result.password}   (shown this once)` : '.';
        return { result, text: `${result.user.name} (${result.user.email}) has a new password${shown}` };
      }),
    );
}

/** @returns undefined if the server should generate one */
async function chosenPassword({ passwordStdin, generate }: PasswordOptions): Promise<string | undefined> {
  if (generate) return undefined;
  if (passwordStdin) return secretFromStandardInput();
  if (process.stdin.isTTY) return askForNewPassword();
  throw new CommandRefused(
    'Use --password-stdin to read the password from standard input, or --generate to generate one.',
  );
}

function addUserKey(user: Command): void {
  commandOf(user, 'key <user>', 'show the zuliprc of an account, with its API key')
    .option('--regenerate', 'issue a new key and revoke the old one')
    .option('--zuliprc <file>', 'write it to this new private file instead of showing it')
    .addHelpText('after', `\n<user> is the ${WHO}.`)
    .action((who: string, options: KeyOptions) =>
      conclude(options, async () => {
        requireNoFile(options.zuliprc);
        const input = { user: who, regenerate: options.regenerate };
        const { user: account, zuliprc } = await runCommand<AccountResult & { zuliprc: Zuliprc }>(
          'user key',
          input,
          options,
        );
        return credentials({ user: account }, zuliprc, options.zuliprc);
      }),
    );
}

function addBotAdd(bot: Command): void {
  commandOf(bot, 'add', 'add a bot, and show its zuliprc')
    .requiredOption('--name <name>', 'full name, 2 to 100 characters')
    .requiredOption('--short-name <name>', 'start of its address, such as "build" for build-bot@...')
    .requiredOption('--owner <user>', 'address or ID of the owner')
    .option('--zuliprc <file>', 'write it to this new private file instead of showing it')
    .action((options: KeyOptions & { name: string; shortName: string; owner: string }) =>
      conclude(options, async () => {
        requireNoFile(options.zuliprc);
        const { name, shortName, owner } = options;
        const { bot: account, zuliprc } = await runCommand<{ bot: Account; zuliprc: Zuliprc }>(
          'bot add',
          { name, shortName, owner },
          options,
        );
        return credentials({ bot: account }, zuliprc, options.zuliprc);
      }),
    );
}

function credentials(accounts: object, zuliprc: Zuliprc, file: string | undefined): Outcome {
  if (file === undefined) return { result: { ...accounts, zuliprc }, text: zuliprcText(zuliprc) };
  const path = writeZuliprc(file, zuliprc);
  return { result: { ...accounts, file: path }, text: `${path} is what a client of ${zuliprc.email} needs.` };
}

function addUserErase(user: Command): void {
  commandOf(user, 'erase <user> <receipt>', 'erase what a deactivated account wrote and uploaded')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', `\n<user> is the ${WHO}.`)
    .action((who: string, receipt: string, options: CommonOptions & { yes?: boolean }) =>
      conclude(options, async () => {
        requireNoFile(receipt);
        const what = `This deletes all messages, files, reactions and drafts of ${who}.`;
        if (!options.yes) await confirm(what, who, 'address or ID');
        const result = await runCommand<{ erased: Record<string, number> }>(
          'user erase',
          { user: who },
          options,
        );
        const advice = 'Run the command again with another file.';
        const path = writeNewFile(receipt, `${JSON.stringify(result, null, 2)}\n`, advice);
        const counts = Object.entries(result.erased).map(
          ([kind, count]) => `${kind.replace('_', ' ')} ${count}`,
        );
        return { result, text: `Erased: ${counts.join(', ')}. The receipt is ${path}.` };
      }),
    );
}
