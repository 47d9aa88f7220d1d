import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { commandOf, type CommonOptions, configOf, runCommand } from './run-command';
import { MAIL_FOLDER, type MailVerdict, MAX_MAIL_BYTES } from '../platform/mail/incoming-mail';
import { explainCommandFailure } from '../platform/operator/operator-protocol';

interface MailOptions extends CommonOptions {
  readonly recipient?: string;
}

/** The answers that mail servers expect: an exit code of `sysexits.h`, and a line with a status code of RFC 3463. */
const ANSWERS: Readonly<Record<MailVerdict, readonly [code: number, text: string]>> = {
  accepted: [0, ''],
  unknown: [67, '5.1.1 Bad destination mailbox address'],
  malformed: [65, '5.6.0 Not a valid message'],
  'too large': [65, '5.3.4 Message too big: at most 25 MiB'],
  refused: [77, '5.7.1 Permission denied'],
  'too many': [75, '4.7.1 Too many emails, try again later'],
};

/** Any other code would make the mail server give up. */
const TRY_AGAIN = [75, '4.3.0 Temporary failure, try again later'] as const;

const DAY_MS = 86_400_000;
const AFTERWORD = `
Exit codes: 0 accepted; 65 malformed or too large; 67 unknown recipient; 75 try again later; 77 not allowed.`;

/** Commands for mail. */
export function addMailCommands(program: Command): void {
  const mail = program.command('mail').description('receive mail');
  commandOf(mail, 'receive', 'take a mail from standard input')
    .option('--recipient <address>', 'where the mail was sent to (default: from its header)')
    .addHelpText('after', AFTERWORD)
    .action(receive);
}

async function receive(options: MailOptions): Promise<void> {
  process.on('uncaughtException', (error) => finish(TRY_AGAIN, error));
  try {
    finish(ANSWERS[await verdictOf(options)]);
  } catch (error) {
    finish(TRY_AGAIN, error);
  }
}

/** The reason may contain paths and settings: it is for the operator at a terminal, not for the sender of the mail. */
function finish([code, text]: readonly [number, string], error?: unknown): never {
  if (text !== '') process.stderr.write(`${text}\n`);
  if (error !== undefined && process.stderr.isTTY) {
    process.stderr.write(`${explainCommandFailure(error).message}\n`);
  }
  process.exit(code);
}

/** Standard input goes to a file, because mails are too large for the server's socket. */
async function verdictOf(options: MailOptions): Promise<MailVerdict> {
  const folder = join(configOf(options).dataDir, MAIL_FOLDER);
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await removeLeftovers(folder);
  const file = `${randomUUID()}.eml`;
  try {
    if (!(await stored(join(folder, file)))) return 'too large';
    const { recipient } = options;
    const result = await runCommand<{ verdict: MailVerdict }>('mail receive', { file, recipient }, options);
    return result.verdict;
  } finally {
    await rm(join(folder, file), { force: true });
  }
}

/** @returns false for a mail that is too large, which is still read to its end, as mail servers expect */
async function stored(path: string): Promise<boolean> {
  const sink = createWriteStream(path, { mode: 0o600, flags: 'wx' });
  const failed = new Promise<never>((_resolve, reject) => sink.once('error', reject));
  failed.catch(() => undefined); // handled where the file is awaited
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_MAIL_BYTES) continue;
    if (!sink.write(chunk)) await Promise.race([new Promise<void>((go) => sink.once('drain', go)), failed]);
  }
  await Promise.race([new Promise<void>((go) => sink.end(() => go())), failed]);
  return size <= MAX_MAIL_BYTES;
}

/** Removes files of killed commands. Failing to remove one must not block mail. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > DAY_MS)
      await rm(join(folder, name), { force: true, recursive: true }).catch(() => undefined);
  }
}
