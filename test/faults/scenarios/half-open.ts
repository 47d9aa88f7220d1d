import { setTimeout as pause } from 'node:timers/promises';
import { Caller, type Site } from '../caller';
import type { Installation } from '../installation';
import { type ProcessFigures, processFigures } from '../process-figures';
import type { Scenarios, Trial } from '../scenario';
import { comeBack, VanishedPoll } from '../vanished-poll';

/** An account has at most 1,000 queues. */
const POLLS_OF_PERSON = 500;
const AT_A_TIME = 20;
const PASSWORD = 'a plain lantern at noon';
/** Of the clients that vanished, these come back. */
const RETURNING = 50;

const WAIT_WITHIN_MS = 20_000;

/** A poll is answered within 55 s, if only to say so, and a connection without a request is closed after another 72 s. */
const GONE_WITHIN_MS = 180_000;
/** Those who go on reading. */
const READERS_WAIT = 3;
/** Those who work have connections, too, as have those who registered a moment ago. */
const FILES_MORE = 64;

/** Makes people who read the channel. @returns each of them as a caller */
async function addPeople(site: Site, count: number): Promise<Site[]> {
  const owner = new Caller(site);
  const emails = Array.from({ length: count }, (_, n) => `vanishing${n}@example.com`);
  for (const [n, email] of emails.entries()) {
    const made = await owner.call('/users', { email, full_name: `Vanishing ${n}`, password: PASSWORD });
    if (made.status !== 200) throw new Error(`Nobody can be added: ${JSON.stringify(made.body)}`);
  }
  await owner.call('/users/me/subscriptions', {
    subscriptions: '[{"name":"faults"}]',
    principals: JSON.stringify(emails),
  });
  const people: Site[] = [];
  for (const email of emails) {
    const { body } = await owner.call('/fetch_api_key', { username: email, password: PASSWORD });
    people.push({ ...site, authorization: `Basic ${btoa(`${email}:${body.api_key}`)}` });
  }
  return people;
}

/** Parks polls: of every two, one waits for messages, and one for what does not happen, unless none is to. */
async function park(people: readonly Site[], count: number, isShort: boolean): Promise<VanishedPoll[]> {
  const polls = Array.from({ length: count }, (_, n) => {
    const person = people[n % people.length] as Site;
    return new VanishedPoll(person, isShort || Math.floor(n / people.length) % 2 === 0);
  });
  for (const step of ['register', 'begin'] as const) {
    for (let at = 0; at < count; at += AT_A_TIME)
      await Promise.all(polls.slice(at, at + AT_A_TIME).map((poll) => poll[step]()));
  }
  return polls;
}

/** The figures once all polls wait, or as many as there are before the first of them are answered. */
async function allWaiting(site: Site, count: number): Promise<ProcessFigures> {
  const since = performance.now();
  for (;;) {
    const figures = await processFigures(site);
    if (figures.parkedPolls === count || performance.now() - since > WAIT_WITHIN_MS) return figures;
    await pause(200);
  }
}

async function prepare(installation: Installation, seconds: number): Promise<Trial> {
  const site = await installation.start(1, {});
  const isShort = seconds < 10;
  const count = isShort ? 500 : 5_000;
  const people = await addPeople(site, count / POLLS_OF_PERSON);
  const before = await processFigures(site);
  const polls = await park(people, count, isShort);
  installation.atEnd(() => polls.forEach((poll) => poll.end()));
  const waiting = await allWaiting(site, count);
  const since = performance.now();
  let after = waiting;
  let goneAfterMs: number | null = null;
  const isGone = () => after.parkedPolls <= READERS_WAIT && after.openFiles <= before.openFiles + FILES_MORE;
  const befall = async () => {
    await pause(seconds * 1000);
    for (;;) {
      after = await processFigures(site);
      const tookMs = performance.now() - since;
      if (isGone()) goneAfterMs = tookMs;
      if (isGone() || tookMs > GONE_WITHIN_MS) return;
      await pause(500);
    }
  };
  return {
    site,
    befall,
    examine: async () => {
      const complaints = await comeBack(polls.slice(0, RETURNING));
      if (goneAfterMs === null) complaints.push('Connections of clients that have vanished stay open.');
      return complaints;
    },
    notes: () => {
      // Memory is told and not judged: how much of it a process gives back, and when, is up to its allocator.
      const told = Object.entries({ before, waiting, after }).map(
        ([when, of]) => `${when} ${of.residentMib} MiB, ${of.openFiles} files, ${of.parkedPolls} polls`,
      );
      return [`${told.join('; ')}. All gone after ${Math.round((goneAfterMs ?? Infinity) / 1000)} s.`];
    },
  };
}

/** What befalls clients. */
export const CLIENT_FAULTS: Scenarios = {
  'half-open-polls': {
    about: 'the lines of 5,000 waiting clients vanish, and nobody closes the connections',
    // Lasts two minutes at least, however short the fault: polls and connections end when they are due.
    needs: [],
    prepare,
  },
};
