import { expectError, expectSuccess } from '../support/expect-answer';
import { stateOf } from '../support/initial-state';
import type { Member } from '../support/cast';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const PATH = '/navigation_views';
const EXISTS = 'Navigation view already exists.';
const MISSING = 'Navigation view does not exist.';

const viewsOf = async (member: Member) => expectSuccess(await app.as(member).get(PATH)).navigation_views;
const add = (member: Member, fragment: string, name?: string, pinned: unknown = true) =>
  app.as(member).post(PATH, { fragment, is_pinned: pinned, name });

describe('Navigation views', () => {
  it('are added, changed and removed, and told to their owner alone', async () => {
    const { mia, max } = app.cast;
    const view = { fragment: 'narrow/is/alerted', is_pinned: true, name: 'Alerts' };
    const events = await app.captureEvents(async () => {
      expectSuccess(await add(mia, ' narrow/is/alerted ', ' Alerts '));
      await expect(viewsOf(mia)).resolves.toEqual([view]);
      expectSuccess(
        await app.as(mia).patch(`${PATH}/narrow/is/alerted`, { is_pinned: false, name: 'Words' }),
      );
      await expect(viewsOf(mia)).resolves.toEqual([{ ...view, is_pinned: false, name: 'Words' }]);
      expectSuccess(await app.as(mia).patch(`${PATH}/${encodeURIComponent(view.fragment)}`));
      expectSuccess(await app.as(mia).delete(`${PATH}/narrow/is/alerted`));
    });
    const { fragment } = view;
    expect(events.map(({ event, audience }) => [event, audience])).toEqual([
      [{ type: 'navigation_view', op: 'add', navigation_view: view }, [mia.id]],
      [
        { type: 'navigation_view', op: 'update', fragment, data: { is_pinned: false, name: 'Words' } },
        [mia.id],
      ],
      [{ type: 'navigation_view', op: 'update', fragment, data: {} }, [mia.id]],
      [{ type: 'navigation_view', op: 'remove', fragment }, [mia.id]],
    ]);
    await expect(viewsOf(mia)).resolves.toEqual([]);
    await expect(viewsOf(max)).resolves.toEqual([]);
  });

  it('come with the state at registration', async () => {
    const { max } = app.cast;
    expectSuccess(await add(max, 'inbox', undefined, false));
    expectSuccess(await add(max, 'narrow/dm/1', 'First'));
    const { navigation_views: views } = await stateOf(app, max, { wanted: ['navigation_views'] });
    expect(views).toEqual([
      { fragment: 'inbox', is_pinned: false, name: null },
      { fragment: 'narrow/dm/1', is_pinned: true, name: 'First' },
    ]);
  });

  it('have a name unless they are built in', async () => {
    const { mona } = app.cast;
    expectError(await add(mona, 'inbox', 'Mine'), 'Built-in views cannot have a custom name.');
    expectError(await add(mona, 'narrow/x'), 'Custom views must have a valid name.');
    expectError(await add(mona, 'narrow/x', '  '), 'Custom views must have a valid name.');
    expectSuccess(await add(mona, 'narrow/is/starred'));
    expectError(
      await app.as(mona).patch(`${PATH}/narrow/is/starred`, { name: 'Stars' }),
      'Built-in views cannot have a custom name.',
    );
    expectSuccess(await add(mona, 'narrow/x', 'X'));
    expectError(
      await app.as(mona).patch(`${PATH}/narrow/x`, { name: ' ' }),
      'Custom views must have a valid name.',
    );
  });

  it('have a fragment and a name of their own', async () => {
    const { adam } = app.cast;
    expectError(await add(adam, ' ', 'Blank'), 'fragment cannot be blank');
    expectSuccess(await add(adam, 'narrow/a', 'A'));
    expectSuccess(await add(adam, 'narrow/b', 'B'));
    expectError(await add(adam, 'narrow/a', 'Another'), EXISTS);
    expectError(await add(adam, 'narrow/c', 'A'), EXISTS);
    expectSuccess(await add(adam, 'narrow/c', 'a'));
    expectError(await app.as(adam).patch(`${PATH}/narrow/b`, { name: 'A' }), EXISTS);
    expectError(await app.as(adam).patch(`${PATH}/narrow/b`, { name: 'B' }), EXISTS);
  });

  it('that nobody has are not found', async () => {
    const { olivia } = app.cast;
    const missing = { status: 404, code: 'BAD_REQUEST' };
    expectError(await app.as(olivia).patch(`${PATH}/narrow/none`, { is_pinned: true }), MISSING, missing);
    expectError(await app.as(olivia).delete(`${PATH}/narrow/none`), MISSING, missing);
    expectSuccess(await add(app.cast.mia, 'narrow/hers', 'Hers'));
    expectError(await app.as(olivia).delete(`${PATH}/narrow/hers`), MISSING, missing);
  });

  it('are no more than 500 a person, and bounded in length', async () => {
    const { gus } = app.cast;
    expectError(await add(gus, 'x'.repeat(1_001), 'Long'), 'fragment is too long (limit: 1000 characters)');
    expectError(await add(gus, 'narrow/long', 'x'.repeat(256)), 'name is too long (limit: 255 characters)');
    for (let i = 0; i < 500; i++) expectSuccess(await add(gus, `narrow/${i}`, `View ${i}`));
    expectError(await add(gus, 'narrow/500', 'View 500'), 'You can have at most 500 navigation views.');
  });

  it('are added once when two clients add the same', async () => {
    const { robo } = app.cast;
    const answers = await Promise.all(Array.from({ length: 8 }, () => add(robo, 'narrow/once', 'Once')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    await expect(viewsOf(robo)).resolves.toHaveLength(1);
  });
});
