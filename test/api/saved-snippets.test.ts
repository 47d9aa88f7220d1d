import { Role } from '../../src/platform/actor';
import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { expectError, expectSuccess } from '../support/expect-answer';
import { stateOf } from '../support/initial-state';
import { StoppedTimeOfDay } from '../support/test-clocks';
import { TestApp } from '../support/test-app';

let app: TestApp;
const clock = new StoppedTimeOfDay();

beforeAll(async () => {
  app = await TestApp.start({ clock });
});

afterAll(() => app.stop());

const add = (member: Member, title: string, content = 'Soup is ready.') =>
  app.as(member).post('/saved_snippets', { title, content });
const edit = (member: Member, id: number, changes: Parameters) =>
  app.as(member).patch(`/saved_snippets/${id}`, changes);
const remove = (member: Member, id: number) => app.as(member).delete(`/saved_snippets/${id}`);

async function snippetsOf(member: Member) {
  return expectSuccess(await app.as(member).get('/saved_snippets')).saved_snippets;
}

async function added(member: Member, title = 'lunch', content?: string): Promise<number> {
  return expectSuccess(await add(member, title, content)).saved_snippet_id;
}

const UNKNOWN = 'Saved snippet does not exist.';
const NO_ID = 1_999_999_999;

describe('Saved snippets', () => {
  it('are saved, trimmed, listed in their order, and told to their owner', async () => {
    const { mona } = app.cast;
    await expect(snippetsOf(mona)).resolves.toEqual([]);
    const date_created = Math.floor(clock.nowMs() / 1000);
    let id = 0;
    const events = await app.captureEvents(async () => {
      const answer = expectSuccess(await add(mona, '  lunch ', '\n **Soup** is ready. \n'));
      expect(answer).toEqual({ result: 'success', msg: '', saved_snippet_id: expect.any(Number) });
      id = answer.saved_snippet_id;
    });
    const first = { id, title: 'lunch', content: '**Soup** is ready.', date_created };
    expect(events.map(({ event, audience }) => [event, audience])).toEqual([
      [{ type: 'saved_snippets', op: 'add', saved_snippet: first }, [mona.id]],
    ]);
    const second = await added(mona, 'lunch');
    await expect(snippetsOf(mona)).resolves.toEqual([
      first,
      { ...first, id: second, content: 'Soup is ready.' },
    ]);
    await expect(stateOf(app, mona, { wanted: ['saved_snippets'] })).resolves.toEqual({
      saved_snippets: await snippetsOf(mona),
    });
    await expect(snippetsOf(app.cast.adam)).resolves.toEqual([]);
  });

  it('are edited in part, and keep their date', async () => {
    const { mia } = app.cast;
    const id = await added(mia);
    const [before] = await snippetsOf(mia);
    clock.aheadMs += 60_000;
    const events = await app.captureEvents(async () => {
      expect(expectSuccess(await edit(mia, id, { title: ' dinner ' }))).toEqual({
        result: 'success',
        msg: '',
      });
      expectSuccess(await edit(mia, id, { content: 'Bread' }));
      expectSuccess(await edit(mia, id, { content: 'Bread', title: 'dinner' }));
    });
    const renamed = { ...before, title: 'dinner' };
    const rewritten = { ...renamed, content: 'Bread' };
    expect(events.map(({ event, audience }) => [event, audience])).toEqual(
      [renamed, rewritten, rewritten].map((saved_snippet) => [
        { type: 'saved_snippets', op: 'update', saved_snippet },
        [mia.id],
      ]),
    );
    await expect(snippetsOf(mia)).resolves.toEqual([rewritten]);
  });

  it('stay as they are when an edit names nothing, whatever its ID', async () => {
    const events = await app.captureEvents(async () => {
      expectSuccess(await edit(app.cast.mia, NO_ID, {}));
    });
    expect(events).toEqual([]);
  });

  it('are removed', async () => {
    const { robo } = app.cast;
    const id = await added(robo);
    const events = await app.captureEvents(async () => {
      expect(expectSuccess(await remove(robo, id))).toEqual({ result: 'success', msg: '' });
    });
    expect(events.map(({ event, audience }) => [event, audience])).toEqual([
      [{ type: 'saved_snippets', op: 'remove', saved_snippet_id: id }, [robo.id]],
    ]);
    await expect(snippetsOf(robo)).resolves.toEqual([]);
    expectError(await remove(robo, id), UNKNOWN, { status: 404 });
  });

  it("are nobody else's", async () => {
    const { mia, olivia } = app.cast;
    const id = await added(mia);
    for (const foreign of [id, NO_ID]) {
      expectError(await edit(olivia, foreign, { title: 'mine' }), UNKNOWN, { status: 404 });
      expectError(await remove(olivia, foreign), UNKNOWN, { status: 404 });
    }
  });

  it.each<[Parameters, string, object]>([
    [
      { content: 'x' },
      "Missing 'title' argument",
      { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'title' } },
    ],
    [
      { title: 'x' },
      "Missing 'content' argument",
      { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'content' } },
    ],
    [{ title: ' ', content: 'x' }, 'title cannot be blank', {}],
    [{ title: 'x', content: '\n ' }, 'content cannot be blank', {}],
    [{ title: 'x'.repeat(61), content: 'x' }, 'title is too long (limit: 60 characters)', {}],
    [{ title: 'x', content: 'x'.repeat(10_001) }, 'content is too long (limit: 10000 characters)', {}],
    [{ title: 'a\0b', content: 'x' }, 'title must not contain null characters', {}],
  ])('refuse %p', async (parameters, message, rest) => {
    const { max } = app.cast;
    expectError(await app.as(max).post('/saved_snippets', parameters), message, rest);
    if (!('title' in parameters) || !('content' in parameters)) return;
    expectError(await edit(max, await added(max), parameters), message, rest);
  });

  it('have titles of 60 and contents of 10,000 characters at most', async () => {
    const { gus } = app.cast;
    const id = await added(gus, ` ${'𝒲'.repeat(60)} `, '𝒲'.repeat(10_000));
    expectSuccess(await edit(gus, id, { content: `${'y'.repeat(10_000)}\n` }));
    const [snippet] = await snippetsOf(gus);
    expect(snippet).toMatchObject({ title: '𝒲'.repeat(60), content: 'y'.repeat(10_000) });
  });

  it('are at most 500, also of those saved at the same instant', async () => {
    const member = await app.addAccount({
      deliveryEmail: 'many@example.com',
      fullName: 'Many',
      role: Role.member,
    });
    await app.writeRows((tx) =>
      tx.query(
        `INSERT INTO saved_snippet (user_id, title, content, created_at)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 498)
         SELECT CAST(? AS INTEGER), 'title', 'content', 0 FROM n`,
        [member.id],
      ),
    );
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((title) => add(member, title)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400, 400]);
    expectError(await add(member, 'more'), 'You can have at most 500 saved snippets.');
    const [{ id }] = await snippetsOf(member);
    expectSuccess(await remove(member, id));
    expectSuccess(await add(member, 'more'));
  });
});
