import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { apiKeyOf } from './account-setup';
import type { TestApp } from './test-app';

const EXAMPLES = join(__dirname, '../../examples');

/** An example program, running against a test server. */
export class ExampleBot {
  output = '';
  private readonly exited: Promise<unknown[]>;

  private constructor(private readonly child: ChildProcess) {
    const note = (chunk: Buffer) => (this.output += chunk.toString());
    child.stdout?.on('data', note);
    child.stderr?.on('data', note);
    this.exited = once(child, 'close');
  }

  /** Starts one. It counts as ready once it has written a line. */
  static async start(
    name: string,
    args: readonly string[],
    env: Record<string, string> = {},
  ): Promise<ExampleBot> {
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, [join(EXAMPLES, name), ...args], { env: { PATH, ...env } });
    const bot = new ExampleBot(child);
    while (!bot.output.includes('\n')) {
      if (child.exitCode !== null) throw new Error(`${name} ended.`);
      await pause(20);
    }
    return bot;
  }

  async stop(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }
}

/** Credential files for accounts of a listening test server. */
export class ZuliprcFolder {
  private readonly folder = mkdtempSync(join(tmpdir(), 'parley-zuliprc-'));
  private files = 0;

  async write(app: TestApp, member: { id: number; email: string }): Promise<string> {
    const file = join(this.folder, `zuliprc-${++this.files}`);
    const site = await app.nest.getUrl();
    writeFileSync(file, `[api]\nemail=${member.email}\nkey=${apiKeyOf(app, member)}\nsite=${site}\n`);
    return file;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Retries until there is a result, and fails after a timeout. */
export async function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + 60_000;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`There is still no ${what}.`);
    await pause(50);
  }
}
