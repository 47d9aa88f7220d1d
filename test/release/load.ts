import assert from 'node:assert';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { MessageLoad } from '../support/message-load';

/**
 * `load.ts <site> <zuliprc>` sends messages, which bots follow, until SIGTERM. It fails if a request was refused or a
 * message was lost, doubled or out of order.
 */
async function main([site = '', zuliprc = '']: readonly string[]): Promise<void> {
  const load = new MessageLoad(site, readFileSync(zuliprc, 'utf8'));
  const ended = once(process, 'SIGTERM');
  const timer = setInterval(() => undefined, 1_000);
  await load.start({ senders: 4, bots: 50 });
  await load.untilMore();
  process.stdout.write('under load\n');
  await ended;
  clearInterval(timer);
  await load.untilMore();
  const { sent, acknowledged, seen, longestMs } = await load.end();
  assert.equal(sent.size, acknowledged);
  const ids = [...sent.keys()].sort((one, other) => one - other);
  for (const messages of seen) assert.deepEqual(messages, ids);
  process.stdout.write(
    `${sent.size} messages to ${seen.length} bots, none refused, lost or doubled; longest wait ${longestMs.toFixed(0)} ms.\n`,
  );
}

void main(process.argv.slice(2));
