import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Socket } from 'node:net';

/** Result of a command. */
export interface CommandOutcome {
  readonly exitCode: number;
  readonly output: string;
  readonly errors: string;
}

/** A command for a host. */
export interface HostedCommand {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly input: Buffer;
}

const HOST = join(__dirname, '../command-host.cjs');

/** The idle hosts of this worker, by folder of their program. */
const idle = new Map<string, ChildProcess>();

/**
 * Runs a command of a compiled program in a host, which later commands use as well.
 * @throws {Error} if it left something open
 */
export async function runHosted(folder: string, command: HostedCommand): Promise<CommandOutcome> {
  const host = idle.get(folder) ?? (await startHost(folder));
  idle.delete(folder);
  host.channel?.ref();
  const { left, ...outcome } = await outcomeIn(host, command);
  host.channel?.unref();
  if (left.length > 0 || idle.has(folder)) host.kill('SIGKILL');
  else idle.set(folder, host);
  // The process of a failed command ends in any case.
  if (left.length > 0 && outcome.exitCode === 0)
    throw new Error(`"${command.args.join(' ')}" left open: ${left.join(', ')}.`);
  return outcome;
}

async function outcomeIn(
  host: ChildProcess,
  command: HostedCommand,
): Promise<CommandOutcome & { readonly left: readonly string[] }> {
  const over = new AbortController();
  const ends = once(host, 'exit', over).then(([code, signal]) => {
    throw new Error(`"${command.args.join(' ')}" ended its host (${String(code ?? signal)}).`);
  });
  const answer = once(host, 'message', over);
  host.send(command);
  try {
    const [outcome] = (await Promise.race([answer, ends])) as [Awaited<ReturnType<typeof outcomeIn>>];
    return outcome;
  } finally {
    for (const unused of [answer, ends]) unused.catch(() => undefined);
    over.abort();
  }
}

/** Neither the host nor its streams keep the worker alive, which ends the host by disconnecting. */
async function startHost(folder: string): Promise<ChildProcess> {
  const host = fork(HOST, [folder], { execArgv: [], silent: true, serialization: 'advanced' });
  for (const stream of [host.stdout, host.stderr] as (Readable & Socket)[]) {
    stream.resume();
    stream.unref();
  }
  host.unref();
  await once(host, 'message');
  return host;
}
