import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandRefused } from '../platform/operator/operator-command';

/** Longer input cannot be a password. */
const LONGEST = 10_000;

/**
 * Reads the first line of standard input. Secrets are not passed as arguments, which everybody on the machine can see.
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

/** Asks for a new password on the terminal, twice, without showing it. */
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
