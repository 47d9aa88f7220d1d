import { explainCommandFailure } from '../platform/operator/command-failure';
import { INTERRUPTED, Interrupted, type CommonOptions } from './run-command';

/** What a command comes to. */
export interface Outcome {
  /** For programs. */
  readonly result: object;
  /** For people. */
  readonly text: string;
  /** 0 if not given. */
  readonly exitCode?: number;
}

/** Exit code of a command that could not do what it was asked for. */
const FAILED = 1;

/** Carries a command out, prints what comes of it, and sets the exit code. */
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
  }
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Rows in columns as wide as they need to be. */
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

/** A number of things: `1 file`, `2 files`. */
export function amount(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`;
}
