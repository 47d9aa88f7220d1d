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
    .description('take the organization out of use, and back into it');
  addCommand(organization, 'deactivate', 'refuse every request of everybody, and keep all data', {
    after:
      '"parley organization reactivate" undoes it. Messages scheduled for the time between are not sent.',
    told: ({ organization: name, changed }) =>
      changed ? `${name} is now deactivated. All data is kept.` : `${name} is deactivated already.`,
  });
  addCommand(organization, 'reactivate', 'let everybody use the organization again', {
    after: 'People sign in as before; programs go on with their keys.',
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
