import { Caller, type Site } from './caller';
import type { Reader, Writer } from './load';

/** What a run has to show. */
export interface Demands {
  /** Whether an acknowledged message may be lost, as after a failover to a replica that had not received it. */
  readonly mayLose?: boolean;
  /** Whether queues may end. */
  readonly mayEndQueues?: boolean;
}

/** What came of a run; nothing is wrong where there are no complaints. */
export interface Verdict {
  readonly acknowledged: number;
  readonly refused: number;
  readonly broken: number;
  readonly lost: number;
  readonly reregistered: number;
  readonly slowest: { readonly ms: number; readonly what: string };
  readonly complaints: readonly string[];
}

/** A message as the server has it; the content without HTML. */
export interface Stored {
  readonly id: number;
  readonly content: string;
  /** When it was sent, UNIX seconds. */
  readonly timestamp: number;
}

/** As often a connection may break off before messages count as unreadable. */
const MAX_FAILURES = 10;

/** Every message of the channel, in the order in which it stores them. */
export async function stored(site: Site): Promise<Stored[]> {
  const caller = new Caller(site);
  const found: Stored[] = [];
  for (let failures = 0; ;) {
    const anchor = found.at(-1)?.id ?? 0;
    const narrow = JSON.stringify([{ operator: 'channel', operand: 'faults' }]);
    const query = new URLSearchParams({
      anchor: String(anchor),
      include_anchor: 'false',
      num_before: '0',
      num_after: '1000',
      narrow,
    });
    const { status, body } = await caller.call(`/messages?${query.toString()}`);
    // A connection that a node just closed, after it had been idle, breaks off where it is used again.
    if (status === null && ++failures < MAX_FAILURES) continue;
    if (status !== 200)
      throw new Error(`Messages cannot be read after the fault: ${status} ${JSON.stringify(body)}`);
    for (const { id, content, timestamp } of body.messages as Stored[])
      found.push({ id, content: plain(content), timestamp });
    if (body.found_newest) return found;
  }
}

function plain(html: string): string {
  return html.replace(/<\/?p>/g, '');
}

/** Those of the messages that a client had to be told of since it registered last. */
function due(all: readonly Stored[], { told, knownTo }: Reader): readonly string[] {
  const isTold = new Set(told.map(({ content }) => plain(content)));
  // A message may get its ID before one that the client knew when it registered, and be there after it.
  return all.filter(({ id, content }) => isTold.has(content) || id > knownTo).map(({ content }) => content);
}

/** The messages that a client should have been told of and was not, so far. */
export function skipped(all: readonly Stored[], reader: Reader): readonly string[] {
  const isTold = new Set(reader.told.map(({ content }) => plain(content)));
  return due(all, reader).filter((content) => !isTold.has(content));
}

/** Messages of different topics may come in any order. */
function byTopic(contents: readonly string[]): string {
  const topics = new Map<string, string[]>();
  for (const content of contents) {
    const topic = content.replace(/ \d+$/, '');
    topics.set(topic, [...(topics.get(topic) ?? []), content]);
  }
  return JSON.stringify([...topics].sort(([a], [b]) => a.localeCompare(b)));
}

function listed(contents: readonly string[]): string {
  const shown = contents.slice(0, 5).join(', ');
  return `${contents.length} messages (${shown}${contents.length > 5 ? ' and so on' : ''})`;
}

/** Compares what writers and readers were told with what the server has. */
export function verdict(
  all: readonly Stored[],
  writers: readonly Writer[],
  readers: readonly Reader[],
  { mayLose = false, mayEndQueues = false }: Demands,
): Verdict {
  const complaints: string[] = [];
  const byContent = new Map(all.map(({ id, content }) => [content, id]));
  if (byContent.size < all.length)
    complaints.push(`${all.length - byContent.size} messages are stored twice.`);

  let lost = 0;
  for (const { acknowledged, answers } of writers) {
    lost += acknowledged.filter(({ id, content }) => byContent.get(content) !== id).length;
    if (!mayLose && acknowledged.some(({ id }, at) => id <= (acknowledged[at - 1]?.id ?? 0)))
      complaints.push('A topic is out of order.');
    complaints.push(...answers.wrong);
  }
  if (lost > 0 && !mayLose) complaints.push(`${lost} acknowledged messages are lost.`);

  for (const reader of readers) {
    complaints.push(...reader.answers.wrong);
    const got = reader.told.map(({ content }) => plain(content));
    if (new Set(got).size < got.length) complaints.push('A client was told of a message twice.');
    const missed = skipped(all, reader);
    const ghosts = got.filter((content) => !byContent.has(content));
    if (missed.length > 0) complaints.push(`A client was not told of ${listed(missed)}.`);
    if (ghosts.length > 0) complaints.push(`A client was told of ${listed(ghosts)}, which there are not.`);
    if (missed.length + ghosts.length === 0 && byTopic(due(all, reader)) !== byTopic(got))
      complaints.push('A client was told of a topic out of order.');
    if (reader.registrations > 1 && !mayEndQueues) complaints.push('A queue was lost.');
  }
  const sum = (of: (writer: Writer) => number) => writers.reduce((total, writer) => total + of(writer), 0);
  return {
    acknowledged: sum(({ acknowledged }) => acknowledged.length),
    refused: sum(({ answers }) => answers.refused),
    broken: sum(({ answers }) => answers.broken),
    lost,
    reregistered: readers.reduce((total, { registrations }) => total + registrations - 1, 0),
    slowest: [...writers, ...readers]
      .map(({ answers }) => answers.slowest)
      .reduce((a, b) => (b.ms > a.ms ? b : a)),
    complaints: [...new Set(complaints)],
  };
}
