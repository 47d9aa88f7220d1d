import { setTimeout as pause } from 'node:timers/promises';
import { Crowd } from './crowd';
import { Installation } from './installation';
import { SCENARIOS } from './scenarios';
import { verdict, type Verdict } from './verdict';

/** After a fault, each node has to take a message and tell of it within this time. */
const RECOVERS_WITHIN_MS = 10_000;
/** A node that has not done so by then is not going to. */
const GIVES_UP_AFTER_MS = 60_000;
/** Nobody is to wait longer than this for an answer, whatever it is. */
const ANSWERS_WITHIN_MS = 30_000;
const GOES_ON_MS = 3_000;

/** What came of a scenario. */
export interface Report extends Verdict {
  readonly name: string;
  readonly about: string;
  /** From the end of the fault until each node had taken a message and told of it; null where one does not. */
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
    const crowd = new Crowd(trial.site);
    await crowd.begin();
    await trial.befall(seconds);
    const probes = installation.probes(trial.site);
    const recoveries = await crowd.join(probes, GIVES_UP_AFTER_MS);
    const failed = recoveries.filter(({ tookMs }) => tookMs === null).map(({ name: node }) => node);
    const working = probes.find((probe) => !failed.includes(probe.name));
    if (!working) throw new Error(`After the fault, nothing works: ${failed.join(', ')}.`);
    await pause(GOES_ON_MS);
    const all = await crowd.end(working.site);
    const found = verdict(all, crowd, { ...scenario, loss: trial.loss?.() });
    const complaints = [
      ...failed.map((node) => `${node} does not work after the fault.`),
      ...found.complaints,
      ...installation.deaths(),
      ...((await trial.examine?.(crowd)) ?? []),
      ...(await installation.check()),
    ];
    const late = recoveries
      .filter(({ tookMs }) => Number(tookMs) > RECOVERS_WITHIN_MS)
      .map(({ name: node }) => `${node} takes too long to go on.`);
    if (found.slowest.ms > ANSWERS_WITHIN_MS) late.push(`An answer takes too long (${found.slowest.what}).`);
    const recoveredMs =
      failed.length > 0 ? null : Math.max(...recoveries.map(({ tookMs }) => Number(tookMs)));
    const notes = trial.notes?.(crowd) ?? [];
    return { name, about: scenario.about, ...found, recoveredMs, complaints, late, notes };
  } finally {
    await installation.end();
  }
}
