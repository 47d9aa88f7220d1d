import { Caller, type Reader, type Site, type Writer } from './load';

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
  readonly slowestMs: number;
  readonly complaints: readonly string[];
}

interface Stored {
  readonly id: number;
  readonly content: string;
}

/** Every message of the channel, in the order in which it stores them. */
async function stored(site: Site): Promise<Stored[]> {
  const caller = new Caller(site);
  const found: Stored[] = [];
  for (;;) {
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
    if (status !== 200)
      throw new Error(`Messages cannot be read after the fault: ${status} ${JSON.stringify(body)}`);
    for (const { id, content } of body.messages as Stored[]) found.push({ id, content });
    if (body.found_newest) return found;
  }
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

/** Compares what writers and readers were told with what the server has. */
export async function verdict(
  site: Site,
  writers: readonly Writer[],
  readers: readonly Reader[],
  { mayLose = false, mayEndQueues = false }: Demands,
): Promise<Verdict> {
  const complaints: string[] = [];
  const all = await stored(site);
  const plain = (html: string) => html.replace(/<\/?p>/g, '');
  const contents = all.map(({ content }) => plain(content));
  const byContent = new Map(all.map(({ id }, at) => [contents[at] as string, id]));
  if (byContent.size < all.length)
    complaints.push(`${all.length - byContent.size} messages are stored twice.`);

  let lost = 0;
  for (const { acknowledged, answers } of writers) {
    lost += acknowledged.filter(({ id, content }) => byContent.get(content) !== id).length;
    if (!mayLose && acknowledged.some(({ id }, at) => id <= (acknowledged[at - 1]?.id ?? 0)))
      complaints.push('A topic is out of order.');
    complaints.push(...new Set(answers.wrong));
  }
  if (lost > 0 && !mayLose) complaints.push(`${lost} acknowledged messages are lost.`);

  for (const { told, knownTo, registrations } of readers) {
    const got = told.map(({ content }) => plain(content));
    if (new Set(got).size < got.length) complaints.push('A client was told of a message twice.');
    const isTold = new Set(got);
    // A message may get its ID before one that the client knew when it registered, and be there after it.
    const due = contents.filter((content, at) => isTold.has(content) || (all[at]?.id ?? 0) > knownTo);
    const skipped = due.filter((content) => !isTold.has(content));
    const ghosts = got.filter((content) => !byContent.has(content));
    if (skipped.length + ghosts.length > 0) {
      complaints.push(
        `A client was not told of ${skipped.length} messages, and of ${ghosts.length} that there are not.`,
      );
    } else if (byTopic(due) !== byTopic(got)) complaints.push('A client was told of a topic out of order.');
    if (registrations > 1 && !mayEndQueues) complaints.push('A queue was lost.');
  }
  const sum = (of: (writer: Writer) => number) => writers.reduce((total, writer) => total + of(writer), 0);
  return {
    acknowledged: sum(({ acknowledged }) => acknowledged.length),
    refused: sum(({ answers }) => answers.refused),
    broken: sum(({ answers }) => answers.broken),
    lost,
    reregistered: readers.reduce((total, { registrations }) => total + registrations - 1, 0),
    slowestMs: Math.max(...writers.map(({ answers }) => answers.slowestMs)),
    complaints: [...new Set(complaints)],
  };
}
