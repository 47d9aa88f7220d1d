const { join } = require('node:path');
const { Readable } = require('node:stream');

/**
 * A process that runs commands of a compiled program one after another, so that each need not load the program.
 * Arguments: the folder of the program. Messages in: `{ args, env, input }`; messages out: `{ exitCode, output, errors,
 * isReusable }`, where the last is false if the command left something open.
 */
const folder = process.argv[2];
require(join(folder, 'platform/lifecycle/kept-code.js')).useKeptCode(join(folder, 'kept'));
const { runParley } = require(join(folder, 'cli/program.js'));
require(join(folder, 'cli/run-alone.js'));
process.umask(0o077);

const LEAVES_MS = 1_000;
const LOOKS_EVERY_MS = 5;
const exit = process.exit;

/** What a command writes; the streams of this process stay unused. */
const written = { output: [], errors: [] };
process.stdout.write = writing(written.output);
process.stderr.write = writing(written.errors);

function writing(chunks) {
  return (chunk, encoding, done) => {
    chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? encoding : 'utf8'));
    const written = typeof encoding === 'function' ? encoding : done;
    if (written) process.nextTick(written);
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
  const before = openResources();
  await runParley(args);
  process.send({
    exitCode: process.exitCode ?? 0,
    output: Buffer.concat(written.output).toString(),
    errors: Buffer.concat(written.errors).toString(),
    isReusable: await closes(before),
  });
});
process.on('disconnect', () => exit(0));

/** Whether everything that the command opened is closed. */
async function closes(before) {
  const until = performance.now() + LEAVES_MS;
  while (openResources() > before) {
    if (performance.now() > until) return false;
    await new Promise((resolve) => setTimeout(resolve, LOOKS_EVERY_MS));
  }
  return true;
}

/** Files, connections, threads and processes; timers that keep no process alive do not count. */
function openResources() {
  return process.getActiveResourcesInfo().filter((kind) => kind !== 'Timeout' && kind !== 'Immediate').length;
}

process.send({ isReady: true });
