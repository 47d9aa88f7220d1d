import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { type CommonOptions, INTERRUPTED, Interrupted } from './run-command';
import { CommandRefused } from '../platform/operator/operator-commands';
import { explainCommandFailure } from '../platform/operator/operator-protocol';

/** The result of a command. */
export interface Outcome {
  /** For programs. */
  readonly result: object;
  /** For people. */
  readonly text: string;
  /** 0 if omitted. */
  readonly exitCode?: number;
}
/** Exit code for a failed command. */
const FAILED = 1;
/** Time limit for a failed command to print its error. */
const SAYING_MS = 1_000;
/** Runs a command, prints its result, and sets the exit code. */
export async function conclude(options: CommonOptions, work: () => Promise<Outcome>): Promise<void> {
  try {
    const { result, text, exitCode = 0 } = await work();
    process.stdout.write(options.json ? json(result) : `${text}\n`);
    process.exitCode = exitCode;
  } catch (error) {
    const { message, isSurprise } = explainCommandFailure(error);
    if (options.json) process.stdout.write(json({ error: message }));
    else process.stderr.write(`${message}\n`);
    if (isSurprise && error instanceof Error) process.stderr.write(`${error.stack}\n`);
    process.exitCode = error instanceof Interrupted ? INTERRUPTED : FAILED;
    // An aborted start leaves its PostgreSQL connections open, which would keep the process alive.
    setTimeout(() => process.exit(), SAYING_MS).unref();
  }
}
function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
/** Formats rows as columns, each as wide as its longest entry. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heading.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)));
  return [heading, ...rows]
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
/** Formats a count with its noun: `1 file`, `2 files`. */
export function amount(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`;
}
/** Longer input cannot be a password. */
const LONGEST = 10_000;
/**
 * Reads the first line of standard input. Secrets are not passed as arguments, which all users of the machine can see.
 */
export async function secretFromStandardInput(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk);
    if (text.includes('\n') || text.length > LONGEST) break;
  }
  const [line = ''] = text.split(/\r?\n/, 1);
  if (line === '') throw new CommandRefused('Standard input is empty. Pipe the password into it.');
  return line;
}
/** Prompts for a new password on the terminal, twice, without echoing it. */
export async function askForNewPassword(): Promise<string> {
  const password = await ask('New password: ');
  if (password !== (await ask('Repeat password: '))) throw new CommandRefused('The passwords do not match.');
  return password;
}
function ask(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  process.stderr.write(question);
  return new Promise((resolve, reject) => {
    lines.on('SIGINT', () => lines.close());
    lines.once('close', () => {
      process.stderr.write('\n');
      reject(new CommandRefused('Password missing.'));
    });
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
  });
}
