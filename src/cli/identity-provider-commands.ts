import type { Command } from 'commander';
import { conclude, table } from './output';
import { commandOf, type CommonOptions, runCommand } from './run-command';

interface Key {
  readonly id: number;
  readonly directory: string;
  /** UNIX seconds. */
  readonly created_at: number;
  readonly last_used_at: number | null;
}

interface NewKey extends Key {
  readonly key: string;
}

/** Commands for directories that provision people and groups. */
export function addScimCommands(program: Command): void {
  const scim = program.command('scim').description('manage keys of directories (SCIM)');
  commandOf(scim, 'list', 'list directory keys').action((options: CommonOptions) =>
    conclude(options, async () => {
      const result = await runCommand<{ keys: readonly Key[] }>('scim list', {}, options);
      return { result, text: keysText(result.keys) };
    }),
  );
  commandOf(scim, 'add <directory>', 'create a directory key, and show it once')
    .addHelpText(
      'after',
      '\n<directory> is a name of your choice, such as okta. Keys of a directory share its people and groups.',
    )
    .action((directory: string, options: CommonOptions) =>
      conclude(options, async () => {
        const result = await runCommand<NewKey>('scim add', { directory }, options);
        const { id, key } = result;
        return { result, text: `Key ${id} of ${directory}. It is not shown again:\n\n  ${key}` };
      }),
    );
  commandOf(scim, 'revoke <id>', 'revoke a directory key').action((id: string, options: CommonOptions) =>
    conclude(options, async () => {
      const result = await runCommand<object>('scim revoke', { id: Number(id) }, options);
      return { result, text: `Key ${id} is revoked.` };
    }),
  );
}

function keysText(keys: readonly Key[]): string {
  if (keys.length === 0) return 'No directory has a key. Make one with "parley scim add".';
  const day = (seconds: number | null) =>
    seconds === null ? 'never' : new Date(seconds * 1000).toISOString().slice(0, 10);
  return table(
    ['ID', 'DIRECTORY', 'CREATED', 'LAST USED'],
    keys.map((key) => [String(key.id), key.directory, day(key.created_at), day(key.last_used_at)]),
  );
}

interface CheckResult {
  readonly providers: readonly {
    readonly name: string;
    readonly issuer: string;
    readonly redirectUri: string | null;
    readonly problem: string | null;
  }[];
}

interface LinkResult {
  readonly user: { readonly id: number; readonly email: string; readonly name: string };
}

/** Commands for identity providers. */
export function addSsoCommands(program: Command): void {
  const sso = program
    .command('sso')
    .description('manage sign-in with identity providers (OpenID Connect, SAML) and a directory (LDAP)');
  commandOf(sso, 'check', 'check the configuration of each identity provider, and of the directory')
    .addHelpText('after', '\nExit code 1 if a provider fails, or none is configured.')
    .action((options: CommonOptions) =>
      conclude(options, async () => {
        const result = await runCommand<CheckResult>('sso check', {}, options);
        const isFine =
          result.providers.length > 0 && result.providers.every(({ problem }) => problem === null);
        return { result, text: providersText(result), exitCode: isFine ? 0 : 1 };
      }),
    );
  commandOf(sso, 'link <user> <provider> <sub>', 'link an account to a person at an identity provider')
    .addHelpText(
      'after',
      '\n<user> is the address or ID of the account, <provider> the name in the file, and <sub> the ID that the\n' +
        'provider has for the person (the claim "sub", the name ID or ID attribute, or the ID in the directory). An earlier link of the account to this provider ends.',
    )
    .action((user: string, provider: string, sub: string, options: CommonOptions) =>
      conclude(options, async () => {
        const result = await runCommand<LinkResult>('sso link', { user, provider, sub }, options);
        return {
          result,
          text: `${result.user.name} (${result.user.email}) can now sign in with ${provider}.`,
        };
      }),
    );
}

function providersText({ providers }: CheckResult): string {
  if (providers.length === 0)
    return 'No identity provider is configured. Set IDENTITY_PROVIDERS or LDAP_DIRECTORY.';
  return providers
    .map(({ name, issuer, redirectUri, problem }) =>
      [
        `${name}: ${problem ?? 'fine'}`,
        `  Address        ${issuer}`,
        ...(redirectUri === null ? [] : [`  Redirect URI   ${redirectUri}`]),
      ].join('\n'),
    )
    .join('\n\n');
}
