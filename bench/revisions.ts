import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callsOf } from './calls';
import { type Call, compare, printColumns, readZuliprc } from './comparison';
import { seed } from './seed';
import { ServerProcess } from './server-process';

/**
 * What a change costs or saves: what is in `dist` beside another revision, which is built in a worktree of its own with the
 * packages that are installed here, on copies of one SQLite database that the other revision made. The calls are those of
 * `npm run bench`, in turns; `BENCH_SECONDS`, `BENCH_MESSAGES` (100,000 here) and `BENCH_ONLY` make it shorter.
 */
const MESSAGES = Number(process.env.BENCH_MESSAGES ?? 100_000);
const PORTS = { own: 9808, base: 9809 };

const top = join(__dirname, '..');

/**
 * @param revision as git names it
 * @param only what the names of the calls have to hold
 */
export async function compareRevisions(revision: string, only: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const tree = join(folder, 'base');
  git('worktree', 'add', '--quiet', '--detach', tree, revision);
  try {
    symlinkSync(join(top, 'node_modules'), join(tree, 'node_modules'));
    execFileSync('npm', ['run', 'build', '--silent'], { cwd: tree, stdio: 'inherit' });
    const dirs = { own: join(folder, 'own-data'), base: join(folder, 'base-data') };
    await (await parley(tree, dirs.base, PORTS.base)).stop();
    const size = { channels: 1000, visible: 200, messages: MESSAGES, topics: 500, groups: 500 };
    const seeded = seed(join(dirs.base, 'parley.db'), size);
    mkdirSync(dirs.own);
    // The secrets go along, so that both sides take the same key.
    for (const file of ['parley.db', 'secret', 'zuliprc'])
      copyFileSync(join(dirs.base, file), join(dirs.own, file));
    const base = await parley(tree, dirs.base, PORTS.base);
    const own = await parley(top, dirs.own, PORTS.own);
    try {
      printColumns('here', revision);
      const account = readZuliprc(join(dirs.base, 'zuliprc'));
      const theirs = callsOf(seeded, MESSAGES);
      for (const [at, call] of callsOf(seeded, MESSAGES).entries()) {
        if (call.name.includes(only)) await compare([call, own], [theirs[at] as Call, base], [account]);
      }
    } finally {
      await own.stop();
      await base.stop();
    }
  } finally {
    git('worktree', 'remove', '--force', tree);
    rmSync(folder, { recursive: true });
  }
}

function git(...args: readonly string[]): void {
  execFileSync('git', args, { cwd: top, stdio: 'inherit' });
}

function parley(revision: string, dataDir: string, port: number): Promise<ServerProcess> {
  const env = { DATA_DIR: dataDir, PORT: String(port), RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'warn' };
  return ServerProcess.start([join(revision, 'dist/main.js')], env, port, '/health/live');
}
