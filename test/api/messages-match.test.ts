import { createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

const PATH = '/messages/matches_narrow';

let app: TestApp;
let soup: number;
let link: number;
let direct: number;
let foreign: number;
let all: number[];

beforeAll(async () => {
  app = await TestApp.start();
  const { mia, max, mona, adam } = app.cast;
  await createChannel(app, mia, 'kitchen', { principals: [mia.id, max.id] });
  await createChannel(app, adam, 'board', { invite_only: true, principals: [adam.id] });
  soup = await sendTo(app, max, 'kitchen', 'lunch & <more>', 'warm **soup**');
  link = await sendTo(app, max, 'kitchen', '', 'https://example.com/soup');
  direct = await sendDirect(app, max, [mia], 'soup?');
  await sendDirect(app, max, [mona], 'soup!');
  foreign = await sendTo(app, adam, 'board', 'lunch', 'soup');
  all = [soup, link, direct, foreign, 99_999];
});

afterAll(() => app.stop());

const match = (narrow: unknown, ids: unknown = all) =>
  app.as(app.cast.mia).get(PATH, { msg_ids: ids, narrow });

describe('matching messages with a narrow', () => {
  it('marks what a search found, in those that match', async () => {
    const { messages } = expectSuccess(await match([{ operator: 'search', operand: 'soup' }]));
    expect(messages).toEqual({
      [soup]: {
        match_content: '<p>warm <strong><span class="highlight">soup</span></strong></p>',
        match_subject: 'lunch &amp; &lt;more&gt;',
      },
      [link]: {
        match_content: expect.stringContaining('/<span class="highlight">soup</span></a>'),
        match_subject: 'general chat',
      },
      [direct]: { match_content: '<p><span class="highlight">soup</span>?</p>', match_subject: '' },
    });
  });

  it('gives the text and topic of those that match another narrow', async () => {
    const { messages } = expectSuccess(await match([['has', 'link']]));
    expect(Object.keys(messages)).toEqual([String(link)]);
    expect(messages[link]).toEqual({
      match_content: '<p><a href="https://example.com/soup">https://example.com/soup</a></p>',
      match_subject: 'general chat',
    });
  });

  it('finds what fetching with the same narrow finds', async () => {
    const { max, mia } = app.cast;
    const narrows = [
      [],
      [['channel', 'kitchen']],
      [{ operator: 'channel', operand: 'kitchen', negated: true }],
      [['is', 'dm']],
      [['sender', max.email]],
      [['sender', mia.email]],
      [['is', 'unread']],
      [['search', 'lunch']],
    ];
    const unseen = await match([['channel', 'board']]);
    expect(unseen.body).toMatchObject({ code: 'BAD_NARROW', desc: 'unknown channel board' });
    for (const narrow of narrows) {
      const { messages } = expectSuccess(await match(narrow));
      const fetched = expectSuccess(await app.as(mia).get('/messages', { message_ids: all, narrow }));
      const ids = fetched.messages.map((message: { id: number }) => String(message.id));
      expect(Object.keys(messages)).toEqual(ids);
    }
  });

  it('answers with nothing for no messages', async () => {
    expect(expectSuccess(await match([], [])).messages).toEqual({});
    expect(expectSuccess(await match([], [-1, 0, 10 ** 12])).messages).toEqual({});
  });

  it('refuses what it does not understand', async () => {
    const asked = app.as(app.cast.mia);
    expectError(await asked.get(PATH, { narrow: [] }), "Missing 'msg_ids' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
      data: { var_name: 'msg_ids' },
    });
    expectError(await asked.get(PATH, { msg_ids: [] }), "Missing 'narrow' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
      data: { var_name: 'narrow' },
    });
    expectError(await match([], ['a']), 'msg_ids[0] is not an integer');
    expectError(await match({}), 'narrow is not a list');
    expectError(await match([['is', 'nice']]), "Invalid narrow operator: unknown 'is' operand nice", {
      code: 'BAD_NARROW',
      data: { desc: "unknown 'is' operand nice" },
    });
    const many = Array.from({ length: 5_001 }, (_, at) => at);
    expectError(await match([], many), 'Too many messages requested (maximum 5000).');
  });

  it('needs an account', async () => {
    expect((await app.client().get(PATH, { msg_ids: [], narrow: [] })).status).toBe(401);
  });
});
