import { startParley, type Parley } from '../../src/testing';

describe('the test server, asked for what it does not know,', () => {
  let parley: Parley;

  beforeAll(async () => {
    parley = await startParley({ inProcess: true });
  });

  beforeEach(() => parley.reset());

  afterAll(() => parley.stop());

  /** Asks the test interface, also for what {@link Parley} never asks. */
  async function test(method: string, path: string, body?: unknown) {
    const answer = await fetch(`${parley.url}/test${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { result, ...rest } = (await answer.json()) as Record<string, unknown>;
    expect([undefined, 'error']).toContain(result);
    return { status: answer.status, ...rest };
  }

  it('names the calls that there are where one is not', async () => {
    const calls = [
      'GET /test/people',
      'POST /test/reset',
      'POST /test/settle',
      'GET /test/journal',
      'GET /test/faults',
      'DELETE /test/faults',
      'DELETE /test/faults/:id',
      'POST /test/faults',
      'POST /test/restart',
      'GET /test/clock',
      'POST /test/clock',
      'POST /test/world',
      'POST /test/act-as',
    ].join(', ');
    const unknown: [string, string][] = [
      ['POST', '/rest'],
      ['GET', '/reset'],
      ['GET', '/'],
      ['PUT', '/clock/now?x=1'],
    ];
    for (const [method, path] of unknown) {
      await expect(test(method, path)).resolves.toEqual({
        status: 404,
        code: 'NOT_FOUND',
        msg: `There is no ${method} /test${path.split('?')[0]}, but ${calls}.`,
      });
    }
  });

  it('refuses what a call does not know, and does nothing', async () => {
    await parley.as('alice').send({ channel: 'lobby', topic: 'hi', content: 'hello' });
    await parley.fault({ path: '/nowhere', status: 500 });
    const refused: [string, string, unknown, string][] = [
      [
        'POST',
        '/reset',
        { hard: true },
        'POST /test/reset takes nothing in its body, but got {"hard":true}.',
      ],
      ['POST', '/reset', [], 'POST /test/reset takes nothing in its body, but got [].'],
      ['POST', '/settle', { ms: 1 }, 'POST /test/settle takes nothing in its body, but got {"ms":1}.'],
      ['POST', '/settle?ms=1', {}, 'POST /test/settle takes nothing in its query, but got {"ms":"1"}.'],
      ['DELETE', '/faults', { id: 1 }, 'DELETE /test/faults takes nothing in its body, but got {"id":1}.'],
      ['DELETE', '/faults?id=1', {}, 'DELETE /test/faults takes nothing in its query, but got {"id":"1"}.'],
      ['GET', '/people?name=bob', undefined, 'takes nothing in its query'],
      ['POST', '/clock?stop=true', {}, 'takes nothing in its query'],
      ['GET', '/journal?kinds=event', undefined, 'it has no "kinds", but kind, after, person'],
      ['POST', '/faults', { path: '/x', statsu: 500 }, 'it has no "statsu", but path, method, person'],
      ['POST', '/restart', { down: 5 }, 'it has no "down", but down_ms'],
      ['POST', '/clock', { stopp: true }, 'it has no "stopp", but run, stop, set, advance_ms, reset'],
      [
        'POST',
        '/act-as',
        { person: 'bob', body: {} },
        'it has no "body", but person, method, path, parameters',
      ],
      ['POST', '/world', { people: [{ name: 'zoe', nick: 'z' }] }, 'people[0] has no "nick", but name'],
    ];
    for (const [method, path, body, msg] of refused) {
      await expect(test(method, path, body)).resolves.toEqual({
        status: 400,
        code: 'BAD_REQUEST',
        msg: expect.stringContaining(msg),
      });
    }
    expect(await parley.messages()).toHaveLength(1);
    await expect(test('GET', '/faults')).resolves.toMatchObject({ faults: [{ path: '/nowhere' }] });
    await expect(parley.clock.now()).resolves.toMatchObject({ is_stopped: false });
    await expect(test('POST', '/settle', null)).resolves.toMatchObject({ status: 200 });
  });

  it('has no time that runs and stops, and leaves the time as it was where it refuses', async () => {
    await parley.clock.stop();
    const before = await parley.clock.now();
    await expect(test('POST', '/clock', { run: true, stop: true })).resolves.toEqual({
      status: 400,
      code: 'BAD_REQUEST',
      msg: 'The time either runs or stops: leave out "run" or "stop".',
    });
    await expect(test('POST', '/clock', { reset: true, set: 'soon' })).resolves.toMatchObject({
      status: 400,
    });
    await expect(parley.clock.now()).resolves.toEqual(before);
  });
});
