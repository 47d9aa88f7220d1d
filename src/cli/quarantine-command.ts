import type { Command } from 'commander';
import { amount, conclude } from './output';
import { commandOf, type CommonOptions, runCommand } from './run-command';

interface Status {
  readonly reason: string | null;
  readonly held: number;
}

interface Lifted {
  readonly sent: number;
  readonly dropped: number;
}

/** Commands about what a restored server holds back. */
export function addQuarantineCommand(program: Command): void {
  const quarantine = program
    .command('quarantine')
    .description('manage what a restored server holds back: mail, webhooks, answers');
  commandOf(quarantine, 'status', 'show whether anything is held back, and why').action(
    (options: CommonOptions) =>
      conclude(options, async () => {
        const result = await runCommand<Status>('quarantine status', {}, options);
        return { result, text: statusText(result) };
      }),
  );
  commandOf(quarantine, 'lift', 'allow sending again, and send what was held back')
    .option('--drop', 'discard what was held back')
    .action((options: CommonOptions & { drop?: boolean }) =>
      conclude(options, async () => {
        const input = options.drop === undefined ? {} : { drop: options.drop };
        const result = await runCommand<Lifted>('quarantine lift', input, options);
        const { sent, dropped } = result;
        const text = dropped > 0 ? `Dropped ${items(dropped)}.` : `${items(sent)} will be sent.`;
        return { result, text: `Nothing is held back any more. ${text}` };
      }),
    );
}

function statusText({ reason, held }: Status): string {
  if (reason === null) return 'Nothing is held back.';
  return `Nothing leaves this machine, because ${reason}. ${items(held)} held back. "parley quarantine lift" ends that.`;
}

const items = (count: number) => amount(count, 'mail, call or answer', 'mails, calls and answers');
