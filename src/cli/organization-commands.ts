import type { Command } from 'commander';
import { conclude } from './output';
import { commandOf, type CommonOptions, runCommand } from './run-command';

interface ActivityResult {
  readonly organization: string;
  readonly active: boolean;
  readonly changed: boolean;
}

/** Commands about the organization as a whole. */
export function addOrganizationCommands(program: Command): void {
  const organization = program
    .command('organization')
    .description('deactivate or reactivate the organization');
  addCommand(organization, 'deactivate', 'refuse all requests, and keep all data', {
    after: '"parley organization reactivate" undoes it. Messages scheduled meanwhile are not sent.',
    told: ({ organization: name, changed }) =>
      changed ? `${name} is now deactivated. All data is kept.` : `${name} is deactivated already.`,
  });
  addCommand(organization, 'reactivate', 'reactivate the organization', {
    after: 'Accounts, passwords and keys are unchanged.',
    told: ({ organization: name, changed }) =>
      changed ? `${name} is now in use again.` : `${name} is not deactivated.`,
  });
}

interface Texts {
  readonly after: string;
  readonly told: (result: ActivityResult) => string;
}

function addCommand(parent: Command, name: string, about: string, { after, told }: Texts): void {
  commandOf(parent, name, about)
    .addHelpText('after', `\n${after}`)
    .action((options: CommonOptions) =>
      conclude(options, async () => {
        const result = await runCommand<ActivityResult>(`organization ${name}`, {}, options);
        return { result, text: told(result) };
      }),
    );
}
