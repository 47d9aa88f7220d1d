import { expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const rendered = async (content: string) =>
  expectSuccess(await app.as(app.cast.mia).post('/messages/render', { content })).rendered as string;

describe('the text of a message', () => {
  it('has emoticons translated for authors who want that', async () => {
    const smile =
      '<span aria-label="smile" class="emoji emoji-1f642" role="img" title="smile">:smile:</span>';
    await expect(rendered('hello :)')).resolves.toBe('<p>hello :)</p>');
    expectSuccess(await app.as(app.cast.mia).patch('/settings', { translate_emoticons: true }));
    await expect(rendered('hello :)')).resolves.toBe(`<p>hello ${smile}</p>`);
    expectSuccess(await app.as(app.cast.mia).patch('/settings', { translate_emoticons: false }));
    await expect(rendered('hello :)')).resolves.toBe('<p>hello :)</p>');
  });

  it('mentions people silently once they are deactivated', async () => {
    const { max, olivia } = app.cast;
    const mention = `@**${max.fullName}**`;
    await expect(rendered(mention)).resolves.toBe(
      `<p><span class="user-mention" data-user-id="${max.id}">@${max.fullName}</span></p>`,
    );
    expectSuccess(await app.as(olivia).delete(`/users/${max.id}`));
    await expect(rendered(mention)).resolves.toBe(
      `<p><span class="user-mention silent" data-user-id="${max.id}">${max.fullName}</span></p>`,
    );
  });

  it('shows groups of roles by the names that people see', async () => {
    await expect(rendered('@_*role:administrators*')).resolves.toMatch(/ silent".*>Administrators</);
  });

  it('is a quotation where fences without a language are to be one', async () => {
    expectSuccess(await app.as(app.cast.olivia).patch('/realm', { default_code_block_language: 'quote' }));
    await expect(rendered('```\nx\n```')).resolves.toBe('<blockquote>\n<p>x</p>\n</blockquote>');
  });
});
