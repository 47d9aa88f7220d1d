import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Answer, type Parley, ParleyError, startParley, type TestPerson } from '../../src/testing';
import { FEATURE_LEVEL } from '../../src/platform/version';
import type { LevelChange } from '../../src/testing/levels/level-change';
import { LEVEL_CHANGES, RELEASES } from '../../src/testing/levels/older-release';
import { CommandLine } from '../support/command-line';
import { has, isEvent } from '../support/level-checks';
import { LEVEL_WORLD } from '../support/level-messages';
import { playLevelScenario, registerFully, type Seen } from '../support/level-scenario';

// Each level starts a server of its own.
jest.setTimeout(240_000);

interface Row {
  readonly change: number;
  /** The level that undid it; none where it stayed. */
  readonly end: number;
  readonly where: string;
  readonly what: string;
  /** `+` or `-` by level. */
  readonly outcomes: ReadonlyMap<number, string>;
}

const [HEAD = '', ...LINES] = readFileSync(join(__dirname, '../spec/levels.tsv'), 'utf8')
  .trimEnd()
  .split('\n');
const OLDEST = 237;
const LEVELS = HEAD.split('\t').slice(3).map(Number);
const ROWS = LINES.map((line): Row => {
  const [change = '', where = '', what = '', ...outcomes] = line.split('\t');
  return {
    change: Number(change.split('-')[0]),
    end: Number(change.split('-')[1] ?? Infinity),
    where,
    what,
    outcomes: new Map(LEVELS.map((level, at) => [level, outcomes[at] ?? ''])),
  };
});

describe('the table of levels', () => {
  it('has a line for every change, which shows at its level and not before, or the other way round', () => {
    expect(LEVELS).toEqual(Object.keys(RELEASES).map(Number));
    const shown = new Set(ROWS.map(({ change }) => change));
    // No test server has a quota, and clients delete nobody for good: unit tests try these.
    // What is refused or told in other cases is tried with what else Zulip does itself.
    const triedAlone = new Set([251, 377, 391, 400, 475, 480, 490]);
    const hidden = LEVEL_CHANGES.filter(({ level, parts }) => parts.length > 0 && !shown.has(level));
    expect(hidden.filter(({ level }) => !triedAlone.has(level))).toEqual([]);
    for (const { change, end, outcomes, ...row } of ROWS) {
      const isNew = LEVELS.map((level) => (level >= change && level < end ? '+' : '-'));
      const isGone = LEVELS.map((level) => (level >= change ? '-' : '+'));
      expect({ ...row, outcomes: [[...outcomes.values()]] }).toEqual({
        ...row,
        outcomes: [outcomes.get(497) === '+' || end !== Infinity ? isNew : isGone],
      });
    }
  });

  it('has an entry for every level, in order, with a change or a reason why answers are the same', () => {
    const all = Array.from({ length: FEATURE_LEVEL - OLDEST }, (_, at) => OLDEST + 1 + at);
    expect(LEVEL_CHANGES.map(({ level }) => level)).toEqual(all);
    const isExplained = ({ parts, sameBecause }: LevelChange) => parts.length > 0 || Boolean(sameBecause);
    expect(LEVEL_CHANGES.filter((change) => !isExplained(change))).toEqual([]);
  });
});

describe.each(LEVELS)('a test server at level %d', (level) => {
  let parley: Parley;
  let olivia: TestPerson;
  let seen: Seen;
  const answers = new Map<string, Answer>();
  const events = new Map<string, readonly Answer[]>();
  const found = new Map<Row, boolean>();
  const refusals: string[] = [];

  beforeAll(async () => {
    parley = await startParley({ inProcess: true, level, world: LEVEL_WORLD });
    olivia = parley.as('olivia');
    seen = await playLevelScenario(parley);
    for (const row of ROWS) {
      if (row.where === 'parameter' || row.where === 'success' || row.where === 'route')
        found.set(row, await accepts(row));
    }
    // Some are forgotten soon.
    await collectEvents();
    await letMessagesExpire();
    await collectEvents();
    answers.set('register', await registerFully(olivia));
    for (const [asked, answer] of Object.entries(seen.answers)) answers.set(asked, answer);
    for (const asked of new Set(ROWS.map(({ where }) => where))) {
      if (asked.startsWith('GET ') && !answers.has(asked))
        answers.set(asked, await olivia.get(filled(asked.slice(4))));
    }
  });

  afterAll(() => parley.stop());

  async function collectEvents(): Promise<void> {
    for (const [where, { person, id }] of Object.entries(seen.queues)) {
      events.set(where, [...(events.get(where) ?? []), ...(await eventsOf(person, id))]);
    }
  }

  /** An hour goes by, in which the queues are asked often enough to stay. */
  async function letMessagesExpire(): Promise<void> {
    for (let minutes = 0; minutes < 63; minutes += 9) {
      await parley.clock.advance(9 * 60_000);
      for (const { person, id } of Object.values(seen.queues)) await eventsOf(person, id);
    }
    await parley.settled();
  }

  /** Whether a request is taken, or knows its last parameter, or the route is there. */
  async function accepts({ where, what }: Row): Promise<boolean> {
    const [method = '', path = '', sent = ''] = filled(what).split(/ (?=.)/, 3);
    const rest = filled(what).slice(method.length + path.length + 2);
    const parameters = Object.fromEntries(new URLSearchParams(sent === '' ? '' : rest));
    const answer = await olivia.request(method, path, parameters).catch((error: unknown) => {
      if (error instanceof ParleyError) return error.answer;
      throw error;
    });
    if (where === 'route') return answer['msg'] !== 'Page not found';
    if (where !== 'success' && answer['result'] !== 'success')
      refusals.push(`${what}: ${String(answer['msg'])}`);
    if (where === 'success' && answer['result'] !== 'success') return false;
    const ignored = (answer['ignored_parameters_unsupported'] ?? []) as string[];
    return !ignored.includes(Object.keys(parameters).at(-1) ?? '');
  }

  function filled(text: string): string {
    return text.replace(/\{(\w+)\}/g, (all, name: string) => seen.names[name] ?? all);
  }

  it('says so', async () => {
    await expect(olivia.get('/server_settings')).resolves.toMatchObject({
      zulip_feature_level: level,
      zulip_version: RELEASES[level],
    });
  });

  it('answers as the release did', () => {
    const wrong: string[] = [];
    for (const row of ROWS) {
      const { where, what, change, outcomes } = row;
      const isThere = found.get(row) ?? shows(where, filled(what));
      if (isThere !== (outcomes.get(level) === '+')) wrong.push(`${change} ${where} ${what}: ${isThere}`);
    }
    expect({ wrong, refusals }).toEqual({ wrong: [], refusals: [] });
  });

  function shows(where: string, what: string): boolean {
    if (where === 'html') return seen.html.includes(what);
    const told = events.get(where);
    if (told) return told.some((event) => isEvent(event, what));
    return has(answers.get(where), what);
  }
});

describe('parley test --level', () => {
  it('refuses levels that are those of no release', async () => {
    const answer = await new CommandLine({}).run(['test', '--level', '300']);
    expect(answer).toMatchObject({
      exitCode: 2,
      errors: expect.stringContaining('Use one of 237, 278, 372'),
    });
  });

  it('sends a heartbeat where all events of a poll are too new, so that the client does not ask for them again', async () => {
    const parley = await startParley({ inProcess: true, level: 237 });
    const alice = parley.as('alice');
    const { queue_id } = await alice.post('/register', { event_types: ['stream'] });
    // What is new in it is the property; such an event is all that there is.
    await parley.as('olivia').patch(`/streams/${await channelId(alice)}`, { description: 'Before' });
    const [before] = await eventsOf(alice, String(queue_id));
    expect(before).toMatchObject({ type: 'stream', property: 'description' });
    await alice.send({ channel: 'lobby', content: 'The channel is active now' });
    const poll = { queue_id, last_event_id: before?.['id'], dont_block: true };
    const { events } = (await alice.get('/events', poll)) as { events: Answer[] };
    expect(events).toEqual([{ type: 'heartbeat', id: expect.any(Number) }]);
    await expect(alice.get('/events', { ...poll, last_event_id: events[0]?.['id'] })).resolves.toMatchObject({
      events: [],
    });
    await parley.stop();
  });

  it('reads forms of several parts, which some clients send, as others', async () => {
    const parley = await startParley({ inProcess: true, level: 278 });
    const { email, apiKey } = parley.as('olivia');
    const form = new FormData();
    form.set('user_group_edit_policy', '4');
    form.set('topics_policy', 'disable_empty_topic');
    const answer = await fetch(`${parley.url}/api/v1/realm`, {
      method: 'PATCH',
      headers: { authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}` },
      body: form,
    });
    await expect(answer.json()).resolves.toMatchObject({
      result: 'success',
      ignored_parameters_unsupported: ['topics_policy'],
    });
    await expect(parley.as('olivia').post('/register')).resolves.toMatchObject({
      realm_user_group_edit_policy: 4,
    });
    await parley.stop();
  });
});

async function channelId(person: TestPerson): Promise<number> {
  return Number((await person.get('/get_stream_id', { stream: 'lobby' }))['stream_id']);
}

async function eventsOf(person: TestPerson, queueId: string): Promise<Answer[]> {
  const { events } = await person.get('/events', { queue_id: queueId, last_event_id: -1, dont_block: true });
  return events as Answer[];
}
