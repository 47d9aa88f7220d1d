import { Role } from '../../../src/platform/actor';
import { Clock } from '../../../src/platform/clock';
import { Jobs } from '../../../src/platform/jobs/jobs.service';
import type { JobKind } from '../../../src/platform/jobs/job';
import type { Answer } from '../../support/api-client';
import { PASSWORD, type Member } from '../../support/cast';
import { createChannel } from '../../support/channel-setup';
import { sendTo } from '../../support/message-setup';
import type { StoppedTimeOfDay } from '../../support/test-clocks';
import type { TestApp } from '../../support/test-app';
import { Passwords } from '../../../src/platform/secrets/passwords';

/** One of the two sides of a race; it is called several times at once, with the number of the call. */
export type Side = (call: number) => Promise<Answer>;

/** Asserts what has to hold once all are answered. */
type Outcome = (answers: { readonly one: readonly Answer[]; readonly other: readonly Answer[] }) => unknown;

/**
 * Two operations that get in each other's way, on things that were made for them; and what has to hold afterwards, beside
 * what holds after every race.
 */
export type Race = (app: TestApp, round: string) => Promise<readonly [Side, Side, Outcome?]>;

/** By name; whichever side comes first, both have to be settled. */
export type Races = Readonly<Record<string, Race>>;

const NAMES = ['mia', 'max', 'adam'] as const;

/** Three people take turns. */
export const callerOf = (app: TestApp, call: number): Member => app.cast[NAMES[call % NAMES.length] as 'mia'];

/** A channel of its own with those three, and a message in it. */
export async function ground(app: TestApp, round: string) {
  const { mia, max, adam } = app.cast;
  const name = `race ${round}`;
  const channel = await createChannel(app, mia, name, { principals: [mia.id, max.id, adam.id] });
  const message = await sendTo(app, mia, channel, 'topic', 'first');
  const send: Side = (call) =>
    app
      .as(callerOf(app, call))
      .post('/messages', { type: 'channel', to: channel, topic: 'topic', content: 'x' });
  return { name, channel, message, send };
}

/** Somebody who is there for one race only, and can sign in. */
export async function stranger(app: TestApp, round: string, role: Role = Role.member): Promise<Member> {
  const deliveryEmail = `stranger-${role}-${slug(round)}@example.com`;
  const passwordHash = await app.get(Passwords).hash(PASSWORD);
  return app.addAccount({ deliveryEmail, fullName: `Stranger ${role} ${round}`, role, passwordHash });
}

/** The name of a round where there may be no spaces. */
export const slug = (round: string): string => round.replaceAll(' ', '-');

/** As many of them were done. */
export const done = (answers: readonly Answer[]): number => answers.filter(isDone).length;

/** Whether what was asked for was done. */
export const isDone = ({ status }: Answer): boolean => status >= 200 && status < 400;

/** The time of day, which stands still but for {@link delivery}. */
const clockOf = (app: TestApp) => app.get(Clock) as StoppedTimeOfDay;

/** A moment that {@link delivery} brings about. */
export const soon = (app: TestApp): number => Math.floor(clockOf(app).nowMs() / 1000) + 5;

/** A side that has what is due at a moment be done. */
export function delivery(app: TestApp, kind: JobKind<unknown>, dueAt: number): Side {
  return async () => {
    const clock = clockOf(app);
    clock.aheadMs += Math.max(0, dueAt * 1000 - clock.nowMs());
    await app.get(Jobs).runDue(kind);
    return { status: 200, headers: {}, body: {} };
  };
}
