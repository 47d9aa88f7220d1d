import { setTimeout as pause } from 'node:timers/promises';
import { ChannelDirectory } from '../../src/features/channels/store/channel.directory';
import { IndexMessagesService } from '../../src/features/messages/fetching/search-messages.service';
import { messageEdited, messagesMoved } from '../../src/features/messages/store/messages.hooks';
import { Hooks } from '../../src/platform/hooks/hooks';
import { MessageRendererService } from '../../src/features/messages/markdown/message-renderer.service';
import { messageWords } from '../../src/features/messages/fetching/words';
import { parseSearch, phraseMatches, SearchIndex } from '../../src/features/messages/fetching/search';
import { AccountDirectory } from '../../src/features/users/accounts/account.directory';
import { Database } from '../../src/platform/database/database.service';
import { TransactionService } from '../../src/platform/database/transaction.service';
import { createChannel } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { fetchIds, fetchMessages, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';
import { engines, hasPostgres } from '../support/test-database';

const VOCABULARY = ['soup', 'soups', 'Suppe', 'brûlée', 'at', 'noon', 'none', '2024', '東京', 'x-y', "don't"];

if (!hasPostgres) test.todo('search on postgres: TEST_DATABASE_URL names no server');

/** Texts that are the same on every engine and in every run. */
function* pseudoRandom(seed: number): Generator<number> {
  for (let state = seed; ;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state / 2_147_483_648;
  }
}

describe.each(engines)('full-text search on %s', (engine) => {
  let app: TestApp;
  let kitchen: number;
  /** Messages by their names. */
  const sent: Record<string, number> = {};

  beforeAll(async () => {
    app = await TestApp.start({ engine });
    const { mia, max } = app.cast;
    kitchen = await createChannel(app, mia, 'kitchen', { principals: [mia.id, max.id] });
    sent.creme = await send('Desserts', 'Crème **brûlée** at noon, with `sugar_cane`');
    sent.soup = await send('Lunch', 'Running soups\n\n* warm\n* cold');
    sent.lunch = await send('Lunch break', 'The weather is fine');
    sent.tokyo = await send('Reisen', '東京タワー and [a link](https://hidden.example/secret)');
    sent.quiet = await send('', '```python\nprint("STRASSE")\n```');
  });
  afterAll(() => app.stop());

  const send = (topic: string, content: string) => sendTo(app, app.cast.max, 'kitchen', topic, content);

  async function found(text: string, ...more: object[]): Promise<(string | number)[]> {
    const ids = await fetchIds(app, app.cast.mia, [{ operator: 'search', operand: text }, ...more]);
    return ids.map((id) => Object.keys(sent).find((name) => sent[name] === id) ?? id);
  }

  /** On SQLite, waits until nothing is looked at one by one any more. */
  async function indexAll(): Promise<void> {
    app.get(IndexMessagesService).onApplicationBootstrap();
    const behind = `SELECT name FROM search_progress p WHERE (p.until_id IS NULL OR indexed_id < until_id)
      AND EXISTS (SELECT 1 FROM message m WHERE p.name = 'message' AND m.id > p.indexed_id
        UNION SELECT 1 FROM topic t WHERE p.name = 'topic' AND t.id > p.indexed_id)`;
    while ((await app.get(Database).read.query(behind)).length > 0) await pause(5);
  }

  const rules: [text: string, expected: string[]][] = [
    ['creme', ['creme']],
    ['BRULEE', ['creme']],
    ['brûlée crème', ['creme']],
    ['creme soup', []],
    ['"brulee at noon"', ['creme']],
    ['"brulee noon"', []],
    ['"noon with sugar"', ['creme']],
    ['sugar_cane', ['creme']],
    ['cane_sugar', []],
    ['run', ['soup']],
    ['"run"', []],
    ['unning', []],
    ['ru', []],
    ['warm cold', ['soup']],
    ['"warm cold"', ['soup']],
    ['lunch', ['soup', 'lunch']],
    ['lunch fine', ['lunch']],
    ['lunch break', ['lunch']],
    ['"lunch break"', ['lunch']],
    ['"break lunch"', []],
    ['"lunch running"', []],
    ['lunch running', ['soup']],
    ['京タ', ['tokyo']],
    ['タ京', []],
    ['東', ['tokyo']],
    ['link', ['tokyo']],
    ['hidden', []],
    ['https', []],
    ['straße', ['quiet']],
    ['print strasse', ['quiet']],
    ['python', []],
    ['p', []],
    ['?!', []],
    ['general', []],
  ];

  it.each(rules)('finds by %j what it should, at once', async (text, expected) => {
    await expect(found(text)).resolves.toEqual(expected);
  });

  it('finds the same when all is indexed', async () => {
    await indexAll();
    for (const [text, expected] of rules) {
      await expect(found(text).then((names) => [text, names])).resolves.toEqual([text, expected]);
    }
  });

  it('leaves out what is asked not to be there', async () => {
    const here = { operator: 'channel', operand: kitchen };
    const withLunch = (text: string) =>
      found('lunch', here, { operator: 'search', operand: text, negated: true });
    await expect(withLunch('fine')).resolves.toEqual(['soup']);
    await expect(withLunch('break')).resolves.toEqual(['soup']);
    await expect(withLunch('"warm cold"')).resolves.toEqual(['lunch']);
    const others = await fetchIds(app, app.cast.mia, [
      here,
      { operator: 'search', operand: 'lunch', negated: true },
      { operator: 'sender', operand: app.cast.max.id },
    ]);
    expect(others).toEqual([sent.creme, sent.tokyo, sent.quiet]);
    await expect(
      fetchIds(app, app.cast.mia, [here, { operator: 'search', operand: '?', negated: true }]),
    ).resolves.toHaveLength(5);
  });

  it('marks what it found, in text and topic', async () => {
    const { messages } = expectSuccess(
      await fetchMessages(app, app.cast.mia, [{ operator: 'search', operand: 'lunch running' }]),
    );
    expect(messages).toHaveLength(1);
    expect(messages[0].match_content).toContain('<p><span class="highlight">Running</span> soups</p>');
    expect(messages[0].match_subject).toBe('<span class="highlight">Lunch</span>');
  });

  /** The longest that is looked at. */
  const MAX_OPERAND = 2_000;

  const hostile: Record<string, string> = {
    'a word of a query language': 'AND',
    'two of them': 'NOT NOT',
    'a lone quote': '"',
    'unbalanced quotes': '""" "',
    'quotes within words': 'a" OR "b',
    'a function of FTS5': 'NEAR(soup, 2)',
    'marks of FTS5': '^soup : {words} : x a* b* - + (e)',
    'a column of FTS5': 'words:soup',
    'marks of tsquery': "soup' & | ! <-> ( :*",
    SQL: "'; DROP TABLE message; --",
    'a backslash': 'soup\\',
    'a pattern': '%_*?[a-z]+(a+)+$',
    'marks that nobody sees': '\u202esoup\ufeff',
    HTML: '&amp; &lt;script&gt;',
    'a long word': 'x'.repeat(MAX_OPERAND),
    'a word many times': 'soup '.repeat(MAX_OPERAND / 5),
    'many quotes': '"'.repeat(MAX_OPERAND),
    'many accents': `e${'\u0301'.repeat(MAX_OPERAND - 1)}`,
    'characters that are many words': 'ﷺ'.repeat(1_000),
    'many words': Array.from({ length: 500 }, (_, at) => at).join(' '),
    'a long phrase': `"${Array.from({ length: 500 }, (_, at) => at).join(' ')}`,
  };

  it.each(Object.keys(hostile))('is not put out by %s', async (name) => {
    for (const negated of [false, true]) {
      const narrow = [{ operator: 'search', operand: hostile[name], negated }];
      expectSuccess(await fetchMessages(app, app.cast.mia, narrow));
    }
  });

  it('finds what a message says now, and what its topic is called now', async () => {
    const { transactions, hooks } = { transactions: app.get(TransactionService), hooks: app.get(Hooks) };
    const sender = app.get(AccountDirectory).byId(app.cast.max.id);
    const channel = app.get(ChannelDirectory).byId(kitchen);
    if (!sender || !channel) throw new Error('Nobody is there.');
    for (const isIndexed of [false, true]) {
      const id = await send('Oven', 'before');
      if (isIndexed) await indexAll();
      await expect(found('before')).resolves.toEqual([id]);
      const rendered = await app
        .get(MessageRendererService)
        .renderFor({ userId: app.cast.max.id, role: app.cast.max.role }, 'afterwards');
      await transactions.run(async (tx) => {
        await tx.query('UPDATE message SET content = ?, rendered_content = ? WHERE id = ?', [
          'afterwards',
          rendered.html,
          id,
        ]);
        await hooks.run(messageEdited, tx, {
          messageId: id,
          sender,
          rendered,
          isDirect: false,
          newlyNamed: new Set<number>(),
          newlyMentioned: new Set<number>(),
        });
      });
      await expect(found('before')).resolves.toEqual([]);
      await expect(found('afterwards')).resolves.toEqual([id]);
      await expect(found('oven')).resolves.toEqual([id]);
      await transactions.run(async (tx) => {
        const [topic] = await tx.query<{ id: number }>('SELECT id FROM topic WHERE name = ?', ['Oven']);
        const topicId = topic?.id ?? 0;
        await tx.query(`UPDATE topic SET name = 'Stove', name_key = 'stove' WHERE id = ?`, [topicId]);
        const place = { channelId: kitchen, topicId };
        const moved = { from: { ...place, topic: 'Oven' }, to: { ...place, topic: 'Stove' } };
        await hooks.run(messagesMoved, tx, { messageIds: [id], ...moved });
      });
      await expect(found('oven')).resolves.toEqual([]);
      await expect(found('stove afterwards')).resolves.toEqual([id]);
      expectSuccess(await app.as(app.cast.adam).delete(`/messages/${id}`));
      await expect(found('afterwards')).resolves.toEqual([]);
      await expect(found('stove')).resolves.toEqual([]);
    }
  });

  it('finds what was there before there was an index', async () => {
    await app.get(TransactionService).run(async (tx) => {
      const clear = (table: string) =>
        engine === 'postgres' ? `DELETE FROM ${table}` : `DELETE FROM ${table} WHERE rowid > 0`;
      await tx.query(clear('message_search'));
      await tx.query(clear('topic_search'));
      for (const what of ['message', 'topic']) {
        const newest = engine === 'postgres' || what === 'topic' ? `(SELECT MAX(id) FROM ${what})` : 'NULL';
        await tx.query(`UPDATE search_progress SET indexed_id = 0, until_id = ${newest} WHERE name = ?`, [
          what,
        ]);
      }
      // Nothing counts as indexed that comes before one that is.
      await app.get(IndexMessagesService).addWritten(tx, [{ id: Number(sent.quiet), html: '' }], []);
    });
    await indexAll();
    for (const [text, expected] of rules) {
      await expect(found(text).then((names) => [text, names])).resolves.toEqual([text, expected]);
    }
  });

  it('indexes many at a time, also while others go on writing', async () => {
    await indexAll();
    const steps = jest.spyOn(app.get(SearchIndex), 'add');
    const writers = Array.from({ length: 10 }, async () => {
      for (let at = 0; at < 32; at++) await send('Rush hour', 'quick quick');
    });
    await Promise.all(writers);
    await indexAll();
    const counts = steps.mock.calls.flatMap(([, what, entries]) =>
      what === 'message' ? entries.length : [],
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(engine === 'postgres' ? 0 : 320);
    expect(counts.length).toBeLessThan(10);
    steps.mockRestore();
  });

  const onSqlite = engine === 'postgres' ? it.skip : it; // PostgreSQL indexes a message as it is sent.

  onSqlite('does not leave long messages to be read by each search', async () => {
    await indexAll();
    const table = `|a\n|-\n${'|a\n'.repeat(1_490)}`;
    const sentTables = [];
    for (let at = 0; at < 5; at++) sentTables.push(await send('Tables', `${table}\n\ngigantic`));
    const behind = `SELECT name FROM search_progress WHERE name = 'message' AND indexed_id < ?`;
    while ((await app.get(Database).read.query(behind, [sentTables[0] ?? 0])).length > 0) await pause(5);
    await expect(found('gigantic')).resolves.toEqual(sentTables);
  });

  it('finds the same as a look at every message, indexed or not', async () => {
    const random = pseudoRandom(20_26);
    const pick = () => VOCABULARY[Math.floor((random.next().value as number) * VOCABULARY.length)] ?? '';
    const texts = new Map<number, string>();
    for (let at = 0; at < 90; at++) {
      const length = 1 + Math.floor((random.next().value as number) * 6);
      const content = Array.from({ length }, pick).join(' ');
      texts.set(await send('.', content), content);
    }
    await indexAll();
    for (let at = 0; at < 20; at++) {
      const content = `${pick()} ${pick()} ${pick()}`;
      texts.set(await send('.', content), content);
    }
    const here = { operator: 'topic', operand: '.' };
    for (let at = 0; at < 60; at++) {
      const [a, b, c] = [pick(), pick(), pick()];
      const text = [`${a} ${b}`, `"${a} ${b}" ${c}`, `${a}`, `"${a} ${b} ${c}"`][at % 4] ?? '';
      const query = parseSearch(text);
      const expected = [...texts]
        .filter(([, content]) => {
          const words = messageWords(`<p>${content}</p>`);
          return query?.phrases.every((phrase) => phraseMatches(words, { phrases: [phrase] }).found.size > 0);
        })
        .map(([id]) => id);
      const ids = await fetchIds(app, app.cast.mia, [{ operator: 'search', operand: text }, here]);
      expect({ text, ids }).toEqual({ text, ids: expected });
    }
  });

  it('finds words with one beginning, however many there are', async () => {
    const words = Array.from({ length: 300 }, (_, n) => `fig${n}`);
    const many = await send('Figs', words.slice(0, 290).join(' '));
    const some = await send('Figs', `a ripe ${words.slice(290).join(' ')}`);
    const one = await send('Figs', 'a ripe fig290, and a date');
    for (const isIndexed of [false, true]) {
      if (isIndexed) await indexAll();
      await expect(found('fig')).resolves.toEqual([many, some, one]);
      await expect(found('fig29')).resolves.toEqual([many, some, one]);
      await expect(found('fig29 date')).resolves.toEqual([one]);
      await expect(found('ripe.fig29 fig')).resolves.toEqual([some, one]);
      await expect(found('fig2900')).resolves.toEqual([]);
    }
  });
});
