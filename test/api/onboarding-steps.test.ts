import { expectError, expectSuccess } from '../support/expect-answer';
import { stateOf } from '../support/initial-state';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const PATH = '/users/me/onboarding_steps';
const SHOWN = [
  'intro_inbox_view_modal',
  'intro_recent_view_modal',
  'first_stream_created_banner',
  'jump_to_conversation_banner',
  'non_interleaved_view_messages_fading',
  'interleaved_view_messages_fading',
  'intro_resolve_topic',
].map((name) => ({ type: 'one_time_notice', name }));

describe('Onboarding steps', () => {
  it('are shown until their owner marks them, who is told what is left', async () => {
    const { mia, max } = app.cast;
    await expect(stateOf(app, mia, { wanted: ['onboarding_steps'] })).resolves.toMatchObject({
      onboarding_steps: SHOWN,
      navigation_tour_video_url: null,
    });
    const mark = () => app.as(mia).post(PATH, { onboarding_step: 'intro_resolve_topic' });
    const left = SHOWN.slice(0, -1);
    const events = await app.captureEvents(async () => {
      expectSuccess(await mark());
      expectSuccess(await mark());
    });
    const told = [{ type: 'onboarding_steps', onboarding_steps: left }, [mia.id]];
    expect(events.map(({ event, audience }) => [event, audience])).toEqual([told, told]);
    await expect(stateOf(app, mia, { wanted: ['onboarding_steps'] })).resolves.toMatchObject({
      onboarding_steps: left,
    });
    await expect(stateOf(app, max, { wanted: ['onboarding_steps'] })).resolves.toMatchObject({
      onboarding_steps: SHOWN,
    });
  });

  it('include some that nobody is shown, which may be marked all the same', async () => {
    const { max } = app.cast;
    for (const onboarding_step of ['visibility_policy_banner', 'navigation_tour_video']) {
      expectSuccess(await app.as(max).post(PATH, { onboarding_step }));
    }
    await expect(stateOf(app, max, { wanted: ['onboarding_steps'] })).resolves.toMatchObject({
      onboarding_steps: SHOWN,
    });
  });

  it('are marked by people, and by a name that there is', async () => {
    const { mia, robo } = app.cast;
    expectError(
      await app.as(mia).post(PATH, { onboarding_step: 'coffee' }),
      'Unknown onboarding_step: coffee',
    );
    expectError(
      await app.as(robo).post(PATH, { onboarding_step: 'intro_resolve_topic' }),
      'This endpoint does not accept bot requests.',
    );
    expectError(
      await app.as(mia).post(PATH, {
        onboarding_step: 'navigation_tour_video',
        schedule_navigation_tour_video_reminder_delay: 60,
      }),
      'schedule_navigation_tour_video_reminder_delay is not supported: this server has no navigation tour video',
    );
  });
});
