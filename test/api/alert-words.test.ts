import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { stateOf } from '../support/initial-state';
import { expectError, expectSuccess } from '../support/expect-answer';
import { fetchIds, fetchMessage, sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;
let channels = 0;

beforeAll(async () => {
  app = await TestApp.start({ env: { WEB_PUBLIC_STREAMS_ENABLED: 'true' } });
  expectSuccess(await app.as(app.cast.olivia).patch('/realm', { enable_spectator_access: true }));
});

afterAll(() => app.stop());

const PATH = '/users/me/alert_words';

const add = (member: Member, ...words: string[]) => app.as(member).post(PATH, { alert_words: words });
const remove = (member: Member, ...words: string[]) => app.as(member).delete(PATH, { alert_words: words });

async function wordsOf(member: Member): Promise<string[]> {
  return expectSuccess(await app.as(member).get(PATH)).alert_words;
}

/** Leaves somebody with these words and no others. */
async function setWords(member: Member, ...words: string[]): Promise<void> {
  expectSuccess(await remove(member, ...(await wordsOf(member))));
  expectSuccess(await add(member, ...words));
}

/** A new channel of Mia's, with Max and Gus in it. */
function channel(): Promise<number> {
  const { mia, max, gus } = app.cast;
  return createChannel(app, mia, `words ${++channels}`, { principals: [mia.id, max.id, gus.id] });
}

describe('Alert words', () => {
  it('are added, each once in whatever case, and told as a whole', async () => {
    const { mona } = app.cast;
    await expect(wordsOf(mona)).resolves.toEqual([]);
    const events = await app.captureEvents(async () => {
      const answer = await add(mona, 'Soup', '  hot soup ', 'SOUP', '', '   ');
      expect(expectSuccess(answer)).toEqual({
        result: 'success',
        msg: '',
        alert_words: ['Soup', 'hot soup'],
      });
      expectSuccess(await add(mona, 'soup', 'Zoë'));
    });
    expect(events.map(({ event, audience }) => [event, audience])).toEqual([
      [{ type: 'alert_words', alert_words: ['Soup', 'hot soup'] }, [mona.id]],
      [{ type: 'alert_words', alert_words: ['Soup', 'hot soup', 'Zoë'] }, [mona.id]],
    ]);
    await expect(wordsOf(mona)).resolves.toEqual(['Soup', 'hot soup', 'Zoë']);
    await expect(wordsOf(app.cast.max)).resolves.toEqual([]);
  });

  it('are taken back in whatever case; unknown ones do not matter', async () => {
    const { mona } = app.cast;
    await setWords(mona, 'Soup', 'salad', 'Zoë');
    const events = await app.captureEvents(async () => {
      const answer = await remove(mona, ' SOUP ', 'zoe\u0308', 'bread');
      expect(expectSuccess(answer).alert_words).toEqual(['salad']);
      expect(expectSuccess(await remove(mona, 'bread')).alert_words).toEqual(['salad']);
      expect(expectSuccess(await add(mona, 'salad')).alert_words).toEqual(['salad']);
    });
    const event = { type: 'alert_words', alert_words: ['salad'] };
    expect(events.map((each) => each.event)).toEqual([event, event, event]);
  });

  it('are sent to clients by every request, also one that changes nothing', async () => {
    const { mona } = app.cast;
    await setWords(mona, 'Soup');
    const events = await app.captureEvents(async () => {
      expectSuccess(await add(mona, ''));
      expectSuccess(await remove(mona, ''));
      expectSuccess(await add(mona));
    });
    const event = { type: 'alert_words', alert_words: ['Soup'] };
    expect(events.map((each) => each.event)).toEqual([event, event, event]);
  });

  it('have at most 100 characters', async () => {
    const { mona } = app.cast;
    expectSuccess(await add(mona, '𝒲'.repeat(100)));
    expectError(
      await add(mona, 'short', 'x'.repeat(101)),
      'alert_words[1] is too long (limit: 100 characters)',
    );
    expectSuccess(await remove(mona, 'x'.repeat(101)));
    await expect(wordsOf(mona)).resolves.not.toContain('short');
  });

  it('are at most a thousand', async () => {
    const { mona } = app.cast;
    await setWords(mona, ...Array.from({ length: 999 }, (_, at) => `word ${at}`));
    expectSuccess(await add(mona, 'the last one'));
    expectError(await add(mona, 'one too many'), 'You can have at most 1000 alert words.');
    expectSuccess(await add(mona, 'THE last one'));
    await setWords(mona);
  });

  it.each([
    [
      undefined,
      "Missing 'alert_words' argument",
      { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'alert_words' } },
    ],
    ['soup', 'alert_words is not valid JSON', {}],
    ['"soup"', 'alert_words is not a list', {}],
    ['{}', 'alert_words is not a list', {}],
    ['[1]', 'alert_words[0] is not a string', {}],
    ['["a\\u0000b"]', 'alert_words[0] must not contain null characters', {}],
    [JSON.stringify(Array(1001).fill('a')), 'alert_words is too long (limit: 1000 items)', {}],
  ])('refuse %p', async (value, message, rest) => {
    const client = app.as(app.cast.mona);
    expectError(await client.post(PATH, { alert_words: value }), message, rest);
    expectError(await client.delete(PATH, { alert_words: value }), message, rest);
  });

  it('added at the same instant are all there, each once', async () => {
    const { mona } = app.cast;
    await setWords(mona);
    await Promise.all(['a', 'b', 'A', 'c', 'B'].map(async (word) => expectSuccess(await add(mona, word))));
    const words = await wordsOf(mona);
    expect(words.map((word) => word.toLowerCase()).sort()).toEqual(['a', 'b', 'c']);
    await setWords(mona);
  });
});

describe('A message with an alert word', () => {
  /** Sends it and returns the flags that the event has for each. */
  async function flagsOf(sender: Member, send: () => Promise<number>, ...readers: Member[]) {
    let id = 0;
    const events = await app.captureEvents(async () => {
      id = await send();
    });
    const message = events.find(({ event }) => event.type === 'message');
    const inEvent = readers.map(
      (reader) => message?.options.personal?.get(reader.id)?.flags ?? message?.event.flags,
    );
    const fetched = await Promise.all(
      readers.map(async (reader) => (await fetchMessage(app, reader, id)).flags as string[]),
    );
    expect(inEvent).toEqual(fetched);
    return fetched;
  }

  it('has its flag for whoever has the word, and for nobody else [FLAG-has_alert_word]', async () => {
    const { mia, max, gus, mona } = app.cast;
    await setWords(max, 'hot soup');
    await setWords(mona, 'soup');
    const id = await channel();
    const send = () => sendTo(app, mia, id, 'lunch', 'There is **hot** Soup!');
    await expect(flagsOf(mia, send, mia, max, gus)).resolves.toEqual([[], ['has_alert_word'], []]);
  });

  it('has it beside a mention, for the sender too, and in direct messages', async () => {
    const { mia, max, gus } = app.cast;
    await setWords(max, 'soup');
    await setWords(mia, 'noon');
    const id = await channel();
    const send = () => sendTo(app, mia, id, 'lunch', 'soup at noon, @**Max Member**?');
    await expect(flagsOf(mia, send, mia, max, gus)).resolves.toEqual([
      ['has_alert_word'],
      ['mentioned', 'has_alert_word'],
      [],
    ]);
    const direct = () => sendDirect(app, mia, [max], 'soup');
    await expect(flagsOf(mia, direct, mia, max)).resolves.toEqual([[], ['has_alert_word']]);
    await setWords(mia);
  });

  it('is found by is:alerted, by whoever has the word', async () => {
    const { mia, max, gus } = app.cast;
    await setWords(max, 'lentils');
    const id = await channel();
    const alerting = await sendTo(app, mia, id, 'lunch', 'lentils');
    await sendTo(app, mia, id, 'lunch', 'lentil');
    const narrow = [['is', 'alerted'], { operator: 'channel', operand: id }];
    await expect(fetchIds(app, max, narrow)).resolves.toEqual([alerting]);
    await expect(fetchIds(app, gus, narrow)).resolves.toEqual([]);
  });

  it('does not have it for words that came later, and keeps it when a word is taken back', async () => {
    const { mia, max } = app.cast;
    await setWords(max, 'before');
    const id = await channel();
    const message = await sendTo(app, mia, id, 'lunch', 'before after');
    const later = await sendTo(app, mia, id, 'lunch', 'after');
    await setWords(max, 'after');
    expect((await fetchMessage(app, max, message)).flags).toEqual(['has_alert_word']);
    expect((await fetchMessage(app, max, later)).flags).toEqual([]);
  });

  it.each([
    ['in a quotation', '```quote\nsome soup\n```', true],
    ['in a spoiler', '```spoiler\nsome soup\n```', true],
    ['in code within a line', 'run `soup` now', true],
    ['in a list', '* soup\n* bread', true],
    ['in the text of a link', '[soup](https://example.com/)', true],
    ['emphasized in part', '**so**up', true],
    ['in a block of code', '```\nsome soup\n```', false],
    ['in a block of code with a language', '~~~python\nsoup = 1\n~~~', false],
    ['in the address of a link', '[bread](https://example.com/?q=(soup))', false],
    ['as an emoji', ':soup:', false],
    ['in another word', 'soups', false],
  ])('counts the word %s as it should', async (_where, content, isAlerting) => {
    const { mia, max } = app.cast;
    await setWords(max, 'soup');
    const message = await sendTo(app, mia, await channel(), 'lunch', content);
    expect((await fetchMessage(app, max, message)).flags).toEqual(isAlerting ? ['has_alert_word'] : []);
  });

  it('alerts everybody who has the word', async () => {
    const { mia, max, gus, mona, adam, olivia } = app.cast;
    const people = [max, gus, mona, adam, olivia];
    for (const person of people) await setWords(person, 'gong');
    const id = await createChannel(app, mia, 'gongs', {
      principals: [mia, ...people].map((each) => each.id),
    });
    const send = () => sendTo(app, mia, id, 'noon', 'gong');
    await expect(flagsOf(mia, send, mia, ...people)).resolves.toEqual([
      [],
      ...people.map(() => ['has_alert_word']),
    ]);
    for (const person of people) await setWords(person);
  });
});

describe('Clients that register', () => {
  it('are told the words', async () => {
    const { max } = app.cast;
    await setWords(max, 'Soup', 'bread');
    await expect(stateOf(app, max, { wanted: ['alert_words'] })).resolves.toEqual({
      alert_words: ['Soup', 'bread'],
    });
    await expect(stateOf(app, null, { wanted: ['alert_words'] })).resolves.toEqual({ alert_words: [] });
  });
});
