import type { Command } from 'commander';
import { conclude } from './output';
import { commandOf, type CommonOptions, runCommand } from './run-command';

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

/** Commands about identity providers. */
export function addSsoCommands(program: Command): void {
  const sso = program
    .command('sso')
    .description('manage sign-in with identity providers (OpenID Connect) and a directory (LDAP)');
  commandOf(sso, 'check', 'check the configuration of each identity provider, and of the directory')
    .addHelpText('after', '\nExit code 1 if a provider fails, or none is configured.')
    .action((options: CommonOptions) =>
      conclude(options, async () => {
        const result = await runCommand<CheckResult>('sso check', {}, options);
        const isFine =
          result.providers.length > 0 && result.providers.every(({ problem }) => problem === null);
        return { result, text: textOf(result), exitCode: isFine ? 0 : 1 };
      }),
    );
  commandOf(sso, 'link <user> <provider> <sub>', 'link an account to a person at an identity provider')
    .addHelpText(
      'after',
      '\n<user> is the address or ID of the account, <provider> the name in the file, and <sub> the ID that the\n' +
        'provider has for the person (the claim "sub", or the ID in the directory). An earlier link of the account to this provider ends.',
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

function textOf({ providers }: CheckResult): string {
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
