import { Installation } from './installation';
import { Reader, Writer } from './load';
import { SCENARIOS } from './scenarios';
import { skipped, stored, verdict, type Stored, type Verdict } from './verdict';

const WRITERS = 6;
const READERS = 3;

/** After a fault, a write has to be acknowledged within this time. */
const RECOVERS_WITHIN_MS = 10_000;
/** Nobody is to wait longer than this for an answer, whatever it is. */
const ANSWERS_WITHIN_MS = 30_000;
const GOES_ON_MS = 3_000;
/**
 * Clients have this long to hear of the last message, once there are no more. Most hear of it at once; where the node that
 * stored it was lost a moment later, another one looks within seconds.
 */
const TELLS_WITHIN_MS = 30_000;

/** What came of a scenario. */
export interface Report extends Verdict {
  readonly name: string;
  readonly about: string;
  /** From the end of the fault to the first write that was acknowledged after it. */
  readonly recoveredMs: number | null;
  /** What took too long, which a machine under load may be to blame for. */
  readonly late: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Has a fault befall an installation while people write and read, and compares what they were told with what is so.
 * @param seconds how long the fault lasts, or how long it is repeated
 */
export async function runScenario(name: string, seconds: number): Promise<Report> {
  const scenario = SCENARIOS[name];
  if (!scenario) throw new Error(`There is no scenario ${name}: ${Object.keys(SCENARIOS).join(', ')}.`);
  const installation = new Installation();
  try {
    const trial = await scenario.prepare(installation, seconds);
    const { site } = trial;
    const writers = Array.from({ length: WRITERS }, (_, n) => new Writer(site, `writer ${n}`));
    const readers = Array.from({ length: READERS }, (_, n) => new Reader(site, n === 0));
    for (const reader of readers)
      if (!(await reader.register())) throw new Error('A client cannot register.');
    let all: readonly Stored[] | null = null;
    let patienceEndsMs = Infinity;
    const hasHeard = (reader: Reader) =>
      all !== null && (skipped(all, reader).length === 0 || performance.now() > patienceEndsMs);
    const following = readers.map((reader) => reader.followUntil(() => hasHeard(reader)));
    let isOver = false;
    const writing = Promise.all(writers.map((writer) => writer.writeUntil(() => isOver)));
    await trial.befall(seconds);
    const recoveredMs = await recovery(writers);
    await new Promise((resolve) => setTimeout(resolve, GOES_ON_MS));
    isOver = true;
    await writing;
    all = await stored(site);
    patienceEndsMs = performance.now() + TELLS_WITHIN_MS;
    await Promise.all(following);
    const found = verdict(all, writers, readers, scenario);
    const complaints = [
      ...found.complaints,
      ...installation.deaths(),
      ...((await trial.examine?.({ writers, readers })) ?? []),
    ];
    complaints.push(...(await installation.check()));
    const late: string[] = [];
    if (recoveredMs === null) complaints.push('Nothing is written after the fault.');
    else if (recoveredMs > RECOVERS_WITHIN_MS) late.push('It takes too long to go on.');
    if (found.slowest.ms > ANSWERS_WITHIN_MS) late.push(`An answer takes too long (${found.slowest.what}).`);
    const notes = trial.notes?.({ writers, readers }) ?? [];
    return { name, about: scenario.about, ...found, recoveredMs, complaints, late, notes };
  } finally {
    await installation.end();
  }
}

async function recovery(writers: readonly Writer[]): Promise<number | null> {
  const since = performance.now();
  while (performance.now() - since < 6 * RECOVERS_WITHIN_MS) {
    const last = Math.max(...writers.map(({ lastAcknowledgedMs }) => lastAcknowledgedMs));
    if (last > since) return Math.round(last - since);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return null;
}
