import type { Command } from 'commander';
import { conclude, table } from './output';
import { commandOf, type CommonOptions, runCommand } from './run-command';
import { CommandRefused } from '../platform/operator/operator-commands';

interface HeldMessages {
  readonly id: number;
  readonly userId: number | null;
  readonly of: string;
  readonly reason: string;
  /** UNIX seconds. */
  readonly since: number;
}

interface AddOptions extends CommonOptions {
  readonly user?: string;
  readonly channel?: string;
  readonly reason: string;
}

/** Commands for legal holds. */
export function addHoldsCommands(program: Command): void {
  const group = program
    .command('hold')
    .description('keep messages of a person or channel from being deleted');
  commandOf(group, 'add', 'place a legal hold')
    .option('--user <address>', 'messages that this person sent, and their direct conversations')
    .option('--channel <name>', 'messages of this channel')
    .requiredOption('--reason <text>', 'such as the number of a case')
    .action((options: AddOptions) =>
      conclude(options, async () => {
        const { user, channel, reason } = options;
        const input = {
          ...(user !== undefined && { user }),
          ...(channel !== undefined && { channel }),
          reason,
        };
        const result = await runCommand<{ held: HeldMessages }>('hold add', input, options);
        return { result, text: `Messages of ${named(result.held)} are on hold (ID ${result.held.id}).` };
      }),
    );
  commandOf(group, 'list', 'list legal holds').action((options: CommonOptions) =>
    conclude(options, async () => {
      const result = await runCommand<{ holds: HeldMessages[] }>('hold list', {}, options);
      const rows = result.holds.map((held) => [
        String(held.id),
        new Date(held.since * 1000).toISOString().slice(0, 10),
        named(held),
        held.reason,
      ]);
      return { result, text: table(['ID', 'SINCE', 'OF', 'REASON'], rows) };
    }),
  );
  commandOf(group, 'remove <id>', 'lift a legal hold').action((id: string, options: CommonOptions) =>
    conclude(options, async () => {
      if (!/^\d{1,9}$/.test(id)) throw new CommandRefused('The ID must be a number.');
      const result = await runCommand<{ held: HeldMessages }>('hold remove', { id: Number(id) }, options);
      return { result, text: `Messages of ${named(result.held)} are no longer on hold ${result.held.id}.` };
    }),
  );
}

function named({ userId, of }: HeldMessages): string {
  return userId === null ? `#${of}` : of;
}
