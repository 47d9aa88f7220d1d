import { createChannel } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { fetchIds, fetchMessage, fetchMessages, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
  await createChannel(app, app.cast.mia, 'math');
});

afterAll(() => app.stop());

const search = (operand: string) => [{ operator: 'search', operand }];
const FORMULA =
  /^<p>so (<span class="katex">.*<annotation encoding="application\/x-tex">([^<]*)<\/annotation>.*<\/span>)<\/p>$/s;

it('is typeset for whoever reads it, and not in its source', async () => {
  const { mia } = app.cast;
  const content = 'so $$\\frac{alpha}{2}$$';
  const id = await sendTo(app, mia, 'math', 'formulas', content);
  const { content: html } = await fetchMessage(app, mia, id);
  expect(FORMULA.exec(html)?.[2]).toBe('\\frac{alpha}{2}');
  await expect(fetchMessage(app, mia, id, { apply_markdown: false })).resolves.toMatchObject({ content });
  const preview = await app.as(mia).post('/messages/render', { content });
  expect(expectSuccess(preview).rendered).toBe(html);
});

it('is found by its source, once, and marked as a whole', async () => {
  const { mia } = app.cast;
  const id = await sendTo(app, mia, 'math', 'search', 'so $$\\beta + lantern$$');
  const { content: html } = await fetchMessage(app, mia, id);
  await expect(fetchIds(app, mia, search('lantern'))).resolves.toEqual([id]);
  await expect(fetchIds(app, mia, search('"so beta lantern"'))).resolves.toEqual([id]);
  const { messages } = expectSuccess(await fetchMessages(app, mia, search('lantern')));
  expect(messages[0].match_content).toBe(
    html.replace(FORMULA, '<p>so <span class="highlight">$1</span></p>'),
  );
  for (const nothing of ['katex', 'mathnormal', '"lantern lantern"', 'x-tex', 'annotation']) {
    await expect(fetchIds(app, mia, search(nothing))).resolves.toEqual([]);
  }
});

it('is exchanged as a whole in the history of edits', async () => {
  const { mia } = app.cast;
  const id = await sendTo(app, mia, 'math', 'edits', 'so $$x$$');
  const before = FORMULA.exec((await fetchMessage(app, mia, id)).content)?.[1];
  expectSuccess(await app.as(mia).patch(`/messages/${id}`, { content: 'so $$y$$' }));
  const after = FORMULA.exec((await fetchMessage(app, mia, id)).content)?.[1];
  const { message_history: snapshots } = expectSuccess(await app.as(mia).get(`/messages/${id}/history`));
  expect(snapshots[1].content_html_diff).toBe(
    `<div><p>so <span class="highlight_text_inserted">${after}</span>` +
      `<span class="highlight_text_deleted">${before}</span></p></div>`,
  );
});

it('shows its source where it asks for what is no character', async () => {
  const { mia } = app.cast;
  const id = await sendTo(app, mia, 'math', 'characters', 'so $$\\char0$$');
  await expect(fetchMessage(app, mia, id)).resolves.toMatchObject({
    content: '<p>so <span class="tex-error">$$\\char0$$</span></p>',
  });
});

it('shows its source where nobody can read it', async () => {
  const { mia } = app.cast;
  const id = await sendTo(app, mia, 'math', 'errors', 'so $$\\nothing{$$');
  await expect(fetchMessage(app, mia, id)).resolves.toMatchObject({
    content: '<p>so <span class="tex-error">$$\\nothing{$$</span></p>',
  });
});
