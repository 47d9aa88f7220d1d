import { setTimeout as pause } from 'node:timers/promises';
import type { Installation } from './installation';
import type { Site } from './caller';
import type { Reader, Writer } from './load';
import type { Loss } from './loss';
import { PostgresCluster } from '../support/postgres-cluster';
import type { Program } from './programs';
import type { Demands } from './verdict';

/** A fault, and what has to hold all the same. */
export interface Scenario extends Demands {
  readonly about: string;
  readonly needs: readonly Program[];
  /** Whether `npm test` tries it, too: it takes seconds if the fault does. Others are tried by hand, before a release. */
  readonly isQuick?: boolean;
  /**
   * Starts what is to be tried.
   * @param seconds how long the fault is to last
   */
  prepare(installation: Installation, seconds: number): Promise<Trial>;
}

/** An installation that a fault is to befall. */
export interface Trial {
  /** Where clients go. */
  readonly site: Site;
  /** Ends when the fault is over. */
  befall(seconds: number): Promise<void>;
  /** Asked once it is: what the database itself may have lost, of what it had committed. */
  loss?(): Loss;
  /** Once clients have been told everything: what is wrong beside what is wrong after any fault. */
  examine?(clients: Clients): Promise<readonly string[]>;
  /** Asked last: what is worth knowing, and neither right nor wrong. */
  notes?(clients: Clients): readonly string[];
}

/** Those who wrote and read while the fault lasted. */
export interface Clients {
  readonly writers: readonly Writer[];
  readonly readers: readonly Reader[];
}

/** Scenarios by name. */
export type Scenarios = Readonly<Record<string, Scenario>>;

/** PostgreSQL, for this installation alone. */
export async function startPostgres(
  installation: Installation,
  settings: readonly string[] = [],
): Promise<PostgresCluster> {
  const postgres = await PostgresCluster.start(installation.folder, settings);
  installation.atEnd(() => postgres.crash());
  return postgres;
}

/** Does something again and again until the time is over, at random moments. */
export async function again(seconds: number, work: () => Promise<void>): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    await pause(200 + Math.random() * 1_500);
    await work();
  }
}

/**
 * A fault that begins after a second of peace, lasts, and is over.
 * @returns what befalls an installation
 */
export const lasting =
  (begin: () => unknown, end: () => unknown): Trial['befall'] =>
  async (seconds) => {
    await pause(1_000);
    await begin();
    await pause(seconds * 1000);
    await end();
  };
