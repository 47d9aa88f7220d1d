import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Answer, type Parley, ParleyError, startParley, type TestPerson } from '../../src/testing';
import { CHANGES } from '../../src/testing/levels/changes';
import { RELEASES } from '../../src/testing/levels/older-release';
import { CommandLine } from '../support/command-line';
import { playLevelScenario, registerFully, type Seen } from '../support/level-scenario';

// Each level starts a server of its own.
jest.setTimeout(240_000);

interface Row {
  readonly change: number;
  readonly where: string;
  readonly what: string;
  /** `+` or `-` by level. */
  readonly outcomes: ReadonlyMap<number, string>;
}

const [HEAD = '', ...LINES] = readFileSync(join(__dirname, '../spec/levels.tsv'), 'utf8')
  .trimEnd()
  .split('\n');
const LEVELS = HEAD.split('\t').slice(3).map(Number);
const ROWS = LINES.map((line): Row => {
  const [change = '', where = '', what = '', ...outcomes] = line.split('\t');
  return {
    change: Number(change),
    where,
    what,
    outcomes: new Map(LEVELS.map((level, at) => [level, outcomes[at] ?? ''])),
  };
});

describe('the table of levels', () => {
  it('has a line for every change, which shows at its level and not before, or the other way round', () => {
    expect(LEVELS).toEqual(Object.keys(RELEASES).map(Number));
    const shown = new Set(ROWS.map(({ change }) => change));
    expect(CHANGES.filter(({ level }) => !shown.has(level))).toEqual([]);
    for (const { change, outcomes, ...row } of ROWS) {
      const isNew = LEVELS.map((level) => (level >= change ? '+' : '-'));
      const isGone = LEVELS.map((level) => (level >= change ? '-' : '+'));
      expect({ ...row, outcomes: [[...outcomes.values()]] }).toEqual({
        ...row,
        outcomes: [outcomes.get(496) === '+' ? isNew : isGone],
      });
    }
  });

  it('names changes in their order, with the release and level that brought each', () => {
    const levels = CHANGES.map(({ level }) => level);
    expect(levels).toEqual(levels.toSorted((a, b) => a - b));
    for (const { level, source } of CHANGES)
      expect(source).toMatch(new RegExp(`^Zulip \\d+\\.0, feature level ${level}: `));
  });
});

describe.each(LEVELS)('a test server at level %d', (level) => {
  let parley: Parley;
  let olivia: TestPerson;
  let seen: Seen;
  let events: readonly Answer[];
  let guestEvents: readonly Answer[];
  const answers = new Map<string, Answer>();
  const found = new Map<Row, boolean>();
  const refusals: string[] = [];

  beforeAll(async () => {
    parley = await startParley({ inProcess: true, level });
    olivia = parley.as('olivia');
    seen = await playLevelScenario(parley);
    for (const row of ROWS) {
      if (row.where === 'parameter' || row.where === 'success' || row.where === 'route')
        found.set(row, await accepts(row));
    }
    events = await eventsOf(olivia, seen.queueId);
    guestEvents = await eventsOf(parley.as('gus'), seen.guestQueueId);
    answers.set('register', await registerFully(olivia));
    for (const [asked, answer] of Object.entries(seen.answers)) answers.set(asked, answer);
    for (const asked of new Set(ROWS.map(({ where }) => where))) {
      if (asked.startsWith('GET ') && !answers.has(asked))
        answers.set(asked, await olivia.get(filled(asked.slice(4))));
    }
  });

  afterAll(() => parley.stop());

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
    if (where === 'success') return answer['result'] === 'success';
    if (answer['result'] !== 'success') refusals.push(`${what}: ${String(answer['msg'])}`);
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
    if (where === 'event') return events.some((event) => isEvent(event, what));
    if (where === 'event of gus') return guestEvents.some((event) => isEvent(event, what));
    return has(answers.get(where), what);
  }
});

describe('parley test --level', () => {
  it('refuses levels that are those of no release', async () => {
    const answer = await new CommandLine({}).run(['test', '--level', '300']);
    expect(answer).toMatchObject({
      exitCode: 2,
      errors: expect.stringContaining('It must be one of 237, 278, 372'),
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

/** @param what `type/op key=value`, where the key is a property, one of the data, or one of the event */
function isEvent(event: Answer, what: string): boolean {
  const [name = '', wanted] = what.split(' ');
  const [type, op] = name.split('/');
  if (event['type'] !== type || (op !== undefined && event['op'] !== op)) return false;
  if (wanted === undefined) return true;
  const [key = '', value] = wanted.split('=');
  const data = (event['data'] ?? {}) as Answer;
  const isNamed = event['property'] === key || key in data || key in event;
  return isNamed && (value === undefined || event['value'] === value);
}

/** @param path such as `streams[].name`, `streams[name=lobby].folder_id` or `web_home_view=recent` */
function has(value: unknown, path: string): boolean {
  const [keys = '', wanted] = path.split(/=(?![^[]*\])/);
  const ends = keys
    .split('.')
    .reduce<unknown[]>((holders, part) => holders.flatMap((holder) => inside(holder, part)), [value]);
  const there = ends.filter((end) => end !== undefined);
  if (wanted === undefined) return there.length > 0;
  if (wanted === 'seconds') return there.some((end) => Number(end) < 1e11);
  return there.some(
    (end) => JSON.stringify(end) === JSON.stringify(wanted) || JSON.stringify(end) === wanted,
  );
}

function inside(holder: unknown, part: string): unknown[] {
  const [, key = '', filter] = /^([^[]*)(?:\[(.*)\])?$/.exec(part) ?? [];
  const value = (holder as Answer | undefined)?.[key];
  if (filter === undefined) return [value];
  const [name = '', wanted] = filter.split('=');
  const records = (Array.isArray(value) ? value : []) as Answer[];
  return wanted === undefined ? records : records.filter((record) => String(record[name]) === wanted);
}
