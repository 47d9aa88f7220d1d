const { join } = require('node:path');
const { Readable } = require('node:stream');

/**
 * A process that runs commands of a compiled program one after another, so that each need not load the program.
 * Arguments: the folder of the program. Messages in: `{ args, env, input }`; messages out: `{ exitCode, output, errors,
 * left }`, where the last names what the command left open that would keep its process alive.
 */
const folder = process.argv[2];
require(join(folder, 'platform/lifecycle/kept-code.js')).useKeptCode(join(folder, 'kept'));
const { runParley } = require(join(folder, 'cli/program.js'));
require(join(folder, 'cli/run-alone.js'));
process.umask(0o077);

const LEAVES_MS = 1_000;
const LOOKS_EVERY_MS = 5;
const exit = process.exit;

/** Node.js keeps these for further streams of files after the files are closed. */
const REUSED = 'FileHandleReadWrap';

/** What a command writes; the streams of this process stay unused. */
const written = { output: [], errors: [] };
process.stdout.write = writing(written.output);
process.stderr.write = writing(written.errors);

function writing(chunks) {
  return (chunk, encoding, done) => {
    chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? encoding : 'utf8'));
    const then = typeof encoding === 'function' ? encoding : done;
    if (then) process.nextTick(then);
    return true;
  };
}

/** A failed command calls it later, in case something would keep its process alive. */
process.exit = () => undefined;

process.on('message', async ({ args, env, input }) => {
  for (const chunks of Object.values(written)) chunks.length = 0;
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([Buffer.from(input)]) });
  process.exitCode = undefined;
  const begunMs = performance.now();
  process.uptime = () => (performance.now() - begunMs) / 1000;
  const before = process.getActiveResourcesInfo();
  await runParley(args);
  process.send({
    exitCode: process.exitCode ?? 0,
    output: Buffer.concat(written.output).toString(),
    errors: Buffer.concat(written.errors).toString(),
    left: await leftOpen(before),
  });
});
process.on('disconnect', () => exit(0));

/** What the command opened and did not close within a moment: files, connections, threads, processes and timers. */
async function leftOpen(before) {
  const until = performance.now() + LEAVES_MS;
  for (;;) {
    const open = process.getActiveResourcesInfo().filter((kind) => kind !== REUSED);
    for (const kind of before) if (open.includes(kind)) open.splice(open.indexOf(kind), 1);
    if (open.length === 0 || performance.now() > until) return open;
    await new Promise((resolve) => setTimeout(resolve, LOOKS_EVERY_MS));
  }
}

process.send({ isReady: true });
