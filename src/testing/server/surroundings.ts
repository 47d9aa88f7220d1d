import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { FirstStartService } from '../../features/organization/organization.module';
import { Jobs } from '../../platform/jobs/jobs.service';
import { Passwords } from '../../platform/secrets/passwords';
import { FEATURE_LEVEL } from '../../platform/version';
import { OlderRelease } from '../levels/older-release';
import { answerAsRelease, levelContext } from './answer-as-release';
import { CAST } from './world-document';
import { Faults } from './faults';
import { type InnerCaller, innerCaller } from './inner-caller';
import { Journal } from './journal';
import type { MovableClock } from './movable-clock';
import { ServerPeople } from './server-people';
import { addTestRoutes, type RoutedServer } from './test-routes';
import { Traffic } from './traffic';
import { WorldBuilder } from './world-builder';

/** The join date of the cast, always the same. */
const CAST_JOINED = Date.parse('2026-01-05T09:00:00Z');

/** Test facilities added to an application before it has its routes. */
export interface Surroundings {
  readonly clock: MovableClock;
  readonly traffic: Traffic;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly people: ServerPeople;
  readonly call: InnerCaller;
}

/** Adds everything that must exist before the application has its routes. */
export function surround(
  app: NestFastifyApplication,
  clock: MovableClock,
  level: number | undefined,
  parts: () => RoutedServer,
): Surroundings {
  const server = app.getHttpAdapter().getInstance();
  const people = new ServerPeople(app);
  const call = innerCaller(server);
  // First, so that the journal contains the converted answers.
  if (level !== undefined && level < FEATURE_LEVEL)
    answerAsRelease(app, server, new OlderRelease(level, levelContext(app, people, call)));
  const journal = new Journal(clock, people);
  const faults = new Faults(people, journal);
  const traffic = new Traffic(server);
  journal.listenToRequests(server);
  faults.listenTo(server);
  addTestRoutes(server, parts);
  app.get(Passwords, { strict: false }).acceptWeak();
  return { clock, traffic, journal, faults, people, call };
}

/**
 * Creates the people of every world in an empty database.
 * @returns short names and addresses
 */
export async function makeCast(
  app: NestFastifyApplication,
  { clock, people, call }: Surroundings,
): Promise<[string, string][]> {
  clock.stop();
  clock.set(CAST_JOINED);
  const firstStart = app.get(FirstStartService);
  await firstStart.run();
  await firstStart.finish();
  const builder = new WorldBuilder(app, people, call, clock);
  await builder.adoptOwner();
  await builder.build(CAST);
  await app.get(Jobs).runDue();
  clock.reset();
  return people.entries();
}
