import { createChannel } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { fetchIds, fetchMessage, fetchMessages, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
  await createChannel(app, app.cast.mia, 'code');
});

afterAll(() => app.stop());

const block = (code: string, language?: string) =>
  `<div class="codehilite"${language === undefined ? '' : ` data-code-language="${language}"`}>` +
  `<pre><span></span><code>${code}\n</code></pre></div>`;
const rendered = async (content: string) =>
  expectSuccess(await app.as(app.cast.mia).post('/messages/render', { content })).rendered as string;

const SOURCE = '```python\nif lantern == 1:\n    harbour()\n```';
const SHOWN = block(
  '<span class="k">if</span> <span class="n">lantern</span> <span class="o">==</span> <span class="mi">1</span>' +
    '<span class="p">:</span>\n    <span class="n">harbour</span><span class="p">()</span>',
  'Python',
);

describe('code with a language', () => {
  it('has its tokens marked for whoever reads it, and not in its source', async () => {
    const { mia } = app.cast;
    let id = 0;
    const [told] = await app.captureEvents(async () => {
      id = await sendTo(app, mia, 'code', 'tokens', SOURCE);
    });
    expect(told!.event).toMatchObject({ message: { content: SHOWN } });
    expect(told!.options.alternatives).toMatchObject({ markdown: { content: SOURCE } });
    await expect(fetchMessage(app, mia, id)).resolves.toMatchObject({ content: SHOWN });
    const raw = expectSuccess(await app.as(mia).get(`/messages/${id}`, { apply_markdown: false }));
    expect(raw).toMatchObject({ raw_content: SOURCE, message: { content: SOURCE } });
    await expect(rendered(SOURCE)).resolves.toBe(SHOWN);
  });

  it('is found by its words, which are marked inside its tokens', async () => {
    const { mia } = app.cast;
    const id = await sendTo(app, mia, 'code', 'search', SOURCE.replace('lantern', 'beacon'));
    const narrow = [{ operator: 'search', operand: 'beacon' }];
    await expect(fetchIds(app, mia, narrow)).resolves.toEqual([id]);
    const { messages } = expectSuccess(await fetchMessages(app, mia, narrow));
    expect(messages[0]).toMatchObject({
      match_content: SHOWN.replace('lantern', '<span class="highlight">beacon</span>'),
    });
    for (const nothing of ['codehilite', 'span', 'nb']) {
      await expect(fetchIds(app, mia, [{ operator: 'search', operand: nothing }])).resolves.toEqual([]);
    }
  });

  it('is rendered anew by an edit, whose history shows what changed', async () => {
    const { mia } = app.cast;
    const id = await sendTo(app, mia, 'code', 'edits', SOURCE);
    expectSuccess(await app.as(mia).patch(`/messages/${id}`, { content: SOURCE.replace('lantern', 'mast') }));
    await expect(fetchMessage(app, mia, id)).resolves.toMatchObject({
      content: SHOWN.replace('lantern', 'mast'),
    });
    const { message_history: snapshots } = expectSuccess(await app.as(mia).get(`/messages/${id}/history`));
    expect(snapshots[1].content_html_diff).toBe(
      `<div>${SHOWN.replace(
        'lantern',
        '<span class="highlight_text_inserted">mast</span><span class="highlight_text_deleted">lantern</span>',
      )}</div>`,
    );
  });
});

describe('the language of code that is given none', () => {
  afterEach(async () => {
    expectSuccess(await app.as(app.cast.olivia).patch('/realm', { default_code_block_language: '' }));
  });

  it('is that of the organization, from the change on', async () => {
    const { mia, olivia } = app.cast;
    const plain = '```\nif\n```';
    const before = await sendTo(app, mia, 'code', 'default', plain);
    expectSuccess(await app.as(olivia).patch('/realm', { default_code_block_language: 'python' }));
    const after = await sendTo(app, mia, 'code', 'default', plain);
    await expect(fetchMessage(app, mia, before)).resolves.toMatchObject({ content: block('if') });
    await expect(fetchMessage(app, mia, after)).resolves.toMatchObject({
      content: block('<span class="k">if</span>', 'Python'),
    });
    await expect(rendered('```text\nif\n```')).resolves.toBe(block('if', 'Text only'));
    await expect(rendered('    if')).resolves.toBe(block('if'));
  });

  it('may be one that nobody knows', async () => {
    const { olivia } = app.cast;
    expectSuccess(await app.as(olivia).patch('/realm', { default_code_block_language: 'MyOwn "Words"' }));
    await expect(rendered('```\nif\n```')).resolves.toBe(block('if', 'myown &quot;words&quot;'));
  });
});
