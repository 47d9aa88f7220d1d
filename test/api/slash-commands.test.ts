import type { Member } from '../support/cast';
import { expectError } from '../support/expect-answer';
import { stateOf } from '../support/initial-state';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const run = (member: Member, command: string) => app.as(member).post('/zcommand', { command });

/** What the success of a command tells the person. */
async function told(member: Member, command: string): Promise<string> {
  const { status, body } = await run(member, command);
  expect([status, Object.keys(body)]).toEqual([200, ['result', 'msg']]);
  expect(body.result).toBe('success');
  return body.msg;
}

describe('POST /zcommand', () => {
  it('answers a ping', async () => {
    await expect(told(app.cast.mia, '/ping')).resolves.toBe('');
  });

  it('changes the colours and the width, once', async () => {
    const { mia } = app.cast;
    const events = await app.captureEvents(async () => {
      await expect(told(mia, '/dark')).resolves.toBe(
        'Changed to dark theme! To revert dark theme, type `/light`.',
      );
      await expect(told(mia, '/dark')).resolves.toBe('You are still in dark theme.');
      await expect(told(mia, '/light')).resolves.toBe(
        'Changed to light theme! To revert light theme, type `/dark`.',
      );
      await expect(told(mia, '/fluid-width')).resolves.toBe(
        'Changed to fluid-width mode! To revert fluid-width mode, type `/fixed-width`.',
      );
      await expect(told(mia, '/fluid-width')).resolves.toBe('You are still in fluid width mode.');
      await expect(told(mia, '/fixed-width')).resolves.toBe(
        'Changed to fixed-width mode! To revert fixed-width mode, type `/fluid-width`.',
      );
    });
    const change = (property: string, value: unknown) => [
      expect.objectContaining({ type: 'user_settings', op: 'update', property, value }),
      [mia.id],
    ];
    expect(events.map(({ event, audience }) => [event, audience])).toEqual([
      change('color_scheme', 2),
      change('color_scheme', 3),
      change('fluid_layout_width', true),
      change('fluid_layout_width', false),
    ]);
    const { user_settings: settings } = await stateOf(app, mia, { wanted: ['user_settings'] });
    expect(settings).toMatchObject({ color_scheme: 3, fluid_layout_width: false });
  });

  it('knows no other commands, and takes them as they are', async () => {
    const { mia } = app.cast;
    expectError(await run(mia, 'dark'), 'There should be a leading slash in the zcommand.');
    expectError(await run(mia, '/Dark'), 'No such command: Dark');
    expectError(await run(mia, '/dark now'), 'No such command: dark now');
    expectError(await run(mia, '/day'), 'No such command: day');
    expectError(await run(mia, `/${'x'.repeat(100)}`), 'command is too long (limit: 100 characters)');
  });
});
