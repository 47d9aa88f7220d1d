import { expectSuccess } from '../support/expect-answer';
import { fetchMessages } from '../support/message-setup';
import { ModuleFolders } from '../support/module-folders';
import { addBot } from '../support/permissions/actors';
import { TestApp } from '../support/test-app';
import { callService } from '../support/webhooks/call-service';

const OVEN = `
  const { codeBlock, defineModule, Injectable, link, Module, Moments, quoted, safe } = require('parley/module');

  class Ovens {
    constructor(moments) {
      moments.onWebhook({
        name: 'module_oven',
        displayName: 'Oven',
        about: 'How hot it is.',
        events: ['hot', 'cold'],
        read: ({ payload }) => ({
          event: payload.text('state'),
          topic: payload.text('oven'),
          content: safe\`\${link(payload.text('oven'), payload.textOr('url', ''))} is \${payload.text('state')}.\`,
        }),
      });
    }
  }
  Injectable()(Ovens);
  Reflect.defineMetadata('design:paramtypes', [Moments], Ovens);

  class OvenModule {}
  Module({ providers: [Ovens] })(OvenModule);
  exports.default = defineModule({ name: 'oven', about: 'Ovens.', module: OvenModule });
`;

describe('a module', () => {
  const folders = new ModuleFolders();
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start({ env: { PARLEY_MODULES: folders.write('oven', OVEN) } });
  });

  afterAll(async () => {
    await app.stop();
    folders.remove();
  });

  it('reads what a service of its own sends', async () => {
    const { mia } = app.cast;
    const bot = await addBot(app, mia, 2);
    const payload = { oven: '**Big** one', state: 'hot', url: 'https://oven.example.com' };
    expectSuccess(await callService(app, bot, 'module_oven', { payload }));
    const answer = await fetchMessages(app, mia, [{ operator: 'is', operand: 'dm' }], {
      apply_markdown: false,
    });
    const { content } = expectSuccess(answer).messages.at(-1);
    expect(content).toBe('[\\*\\*Big\\*\\* one](https://oven.example.com) is hot.');
    const refused = await callService(app, bot, 'module_oven', { payload: { oven: [] } });
    expect(refused).toMatchObject({ status: 400, body: { webhook_name: 'Oven', field: 'state' } });
  });
});
