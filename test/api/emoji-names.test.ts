import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectSuccess } from '../support/expect-answer';
import { sendDirect } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

/** Each name and alias that clients of the interface send, with its code. */
const [, ...ROWS] = readFileSync(join(__dirname, '../spec/emoji-names.tsv'), 'utf8').trimEnd().split('\n');
const CODES: readonly (readonly [name: string, code: string])[] = ROWS.flatMap((row) => {
  const [code = '', name = '', aliases = ''] = row.split('\t');
  return [name, ...aliases.split(/[ ,]+/).filter(Boolean)].map((each) => [each, code] as const);
});

const everyNth = (step: number) => CODES.filter((_, at) => at % step === 0);

describe('The names of emoji', () => {
  it('are 3,308 of 1,875 emoji', () => {
    expect(ROWS).toHaveLength(1_875);
    expect(new Map(CODES).size).toBe(3_308);
  });

  it('are all shown in messages, as the emoji that clients mean', async () => {
    const shown: (readonly [string, string])[] = [];
    for (let at = 0; at < CODES.length; at += 250) {
      const content = CODES.slice(at, at + 250)
        .map(([name]) => `:${name}:`)
        .join(' ');
      const answer = await app.as(app.cast.mia).post('/messages/render', { content });
      const html: string = expectSuccess(answer).rendered;
      for (const [, code = '', name = ''] of html.matchAll(/class="emoji emoji-([^"]*)"[^>]*>:([^:]*):</g))
        shown.push([name, code]);
    }
    expect(shown).toEqual(CODES);
  });

  it('stand in the list that clients load', async () => {
    const state = expectSuccess(
      await app.as(app.cast.mia).post('/register', { fetch_event_types: ['realm'] }),
    );
    const url = new URL(state.server_emoji_data_url as string);
    const { body } = await app.client().send({ method: 'GET', url: `${url.pathname}${url.search}` });
    const listed = (body as { code_to_names: Record<string, string[]> }).code_to_names;
    expect(CODES.filter(([name, code]) => !listed[code]?.includes(name))).toEqual([]);
  });

  it('are taken for reactions and for a status', async () => {
    const { mia, max } = app.cast;
    for (const [name, code] of everyNth(151)) {
      const message = await sendDirect(app, max, [mia], name);
      expectSuccess(await app.as(mia).post(`/messages/${message}/reactions`, { emoji_name: name }));
      const { reactions } = expectSuccess(await app.as(mia).get(`/messages/${message}`)).message;
      expect(reactions).toEqual([expect.objectContaining({ emoji_name: name, emoji_code: code })]);
      expectSuccess(await app.as(mia).post('/users/me/status', { emoji_name: name }));
      const { status } = expectSuccess(await app.as(max).get(`/users/${mia.id}/status`));
      expect(status).toMatchObject({ emoji_name: name, emoji_code: code });
    }
  });
});
