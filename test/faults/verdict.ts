import type { Reader, Writer } from './load';
import { mayBeLost, type Loss } from './loss';
import { Marker, wrongMarks } from './marker';
import { plain, type Stored } from './stored';

/** What a run has to show. */
export interface Demands {
  /** Whether queues may end. */
  readonly mayEndQueues?: boolean;
  /** Whether clients may be left without an answer, as those are whose node is killed. */
  readonly mayBreakOff?: boolean;
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

/** Messages of different writers may come in any order. */
function byWriter(contents: readonly string[]): string {
  const writers = new Map<string, string[]>();
  for (const content of contents) {
    const writer = content.replace(/ \d+$/, '');
    writers.set(writer, [...(writers.get(writer) ?? []), content]);
  }
  return JSON.stringify([...writers].sort(([a], [b]) => a.localeCompare(b)));
}

function listed(contents: readonly string[]): string {
  const shown = contents.slice(0, 5).join(', ');
  return `${contents.length} messages (${shown}${contents.length > 5 ? ' and so on' : ''})`;
}

/** @param ids of the messages that there are, by content */
function wrongMessages(ids: ReadonlyMap<string, number>, reader: Reader, all: readonly Stored[]): string[] {
  const complaints: string[] = [];
  const got = reader.told.map(({ content }) => plain(content));
  if (new Set(got).size < got.length) complaints.push('A client was told of a message twice.');
  const missed = skipped(all, reader);
  const ghosts = reader.told.filter(({ id, content }) => ids.get(plain(content)) !== id);
  if (missed.length > 0) complaints.push(`A client was not told of ${listed(missed)}.`);
  if (ghosts.length > 0)
    complaints.push(
      `A client was told of ${listed(ghosts.map(({ content }) => content))}, which there are not.`,
    );
  if (missed.length + ghosts.length === 0 && byWriter(due(all, reader)) !== byWriter(got))
    complaints.push('A client was told of what one sent out of order.');
  return complaints;
}

/**
 * Compares what writers and readers were told with what the server has.
 * @param loss what PostgreSQL itself may have lost
 */
export function verdict(
  all: readonly Stored[],
  { writers, readers }: { readonly writers: readonly Writer[]; readonly readers: readonly Reader[] },
  { mayEndQueues = false, mayBreakOff = false, loss }: Demands & { readonly loss: Loss | undefined },
): Verdict {
  const complaints: string[] = [];
  const ids = new Map(all.map(({ id, content }) => [content, id]));
  if (ids.size < all.length) complaints.push(`${all.length - ids.size} messages are stored twice.`);

  let lost = 0;
  for (const { name, acknowledged } of writers) {
    const isThere = ({ id, content }: { id: number; content: string }) => ids.get(content) === id;
    const missing = acknowledged.filter((message) => !isThere(message));
    lost += missing.length;
    const unforgiven = missing.filter((message) => !mayBeLost(message, loss));
    if (unforgiven.length > 0)
      complaints.push(
        `There are no ${listed(unforgiven.map(({ content }) => content))}, though acknowledged.`,
      );
    const order = acknowledged.filter(isThere).map(({ id }) => id);
    if (order.some((id, at) => id <= (order[at - 1] ?? 0)))
      complaints.push(`What ${name} sent is out of order.`);
  }
  for (const writer of writers)
    if (writer instanceof Marker) complaints.push(...wrongMarks(all, writer, loss));

  for (const reader of readers) {
    complaints.push(...wrongMessages(ids, reader, all));
    if (reader.registrations > 1 && !mayEndQueues) complaints.push('A queue was lost.');
  }
  const answers = [...writers, ...readers].map((client) => client.answers);
  for (const { wrong, failures } of answers) {
    complaints.push(...wrong);
    if (mayBreakOff) continue;
    for (const failure of failures) complaints.push(`A request is left without an answer (${failure}).`);
  }
  const sum = (of: (writer: Writer) => number) => writers.reduce((total, writer) => total + of(writer), 0);
  return {
    acknowledged: sum(({ acknowledged }) => acknowledged.length),
    refused: sum(({ answers: { refused } }) => refused),
    broken: sum(({ answers: { broken } }) => broken),
    lost,
    reregistered: readers.reduce((total, { registrations }) => total + registrations - 1, 0),
    slowest: answers.map(({ slowest }) => slowest).reduce((a, b) => (b.ms > a.ms ? b : a)),
    complaints: [...new Set(complaints)],
  };
}
