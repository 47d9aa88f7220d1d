import type { Answer } from '../../support/api-client';
import { expectSuccess } from '../../support/expect-answer';
import { begun, sendPiece, TUS } from '../../support/tus-setup';
import { done, ground, slug, stranger, type Races, type Side } from './race';

/** What people keep for themselves. */
export const PERSONAL_RACES: Races = {
  'change a draft, and delete it': async (app, round) => {
    const { mia } = app.cast;
    const { channel } = await ground(app, round);
    const draft = {
      type: 'stream',
      to: [channel],
      topic: 'topic',
      content: 'draft',
      timestamp: 1_700_000_000,
    };
    const { ids } = expectSuccess(await app.as(mia).post('/drafts', { drafts: [draft] }));
    return [
      (call) => app.as(mia).patch(`/drafts/${ids[0]}`, { draft: { ...draft, content: `draft ${call}` } }),
      () => app.as(mia).delete(`/drafts/${ids[0]}`),
    ];
  },
  'change a draft, twice': async (app, round) => {
    const { mia } = app.cast;
    const draft = { type: '', to: [], topic: '', content: round, timestamp: 1_700_000_000 };
    const { ids } = expectSuccess(await app.as(mia).post('/drafts', { drafts: [draft] }));
    const change: Side = (call) =>
      app.as(mia).patch(`/drafts/${ids[0]}`, { draft: { ...draft, content: `draft ${call}` } });
    return [change, change, async () => void expectSuccess(await app.as(mia).delete(`/drafts/${ids[0]}`))];
  },
  'change a saved snippet, and delete it': async (app, round) => {
    const { mia } = app.cast;
    const saved = { title: round, content: 'saved' };
    const { saved_snippet_id: id } = expectSuccess(await app.as(mia).post('/saved_snippets', saved));
    return [
      (call) => app.as(mia).patch(`/saved_snippets/${id}`, { content: `saved ${call}` }),
      () => app.as(mia).delete(`/saved_snippets/${id}`),
      ({ other }) => expect(done(other)).toBe(1),
    ];
  },
  'put a view into the sidebar, twice': async (app, round) => {
    const view = { fragment: `narrow/${slug(round)}`, is_pinned: true, name: round };
    const add: Side = () => app.as(app.cast.mia).post('/navigation_views', view);
    return [add, add, ({ one, other }) => expect(done([...one, ...other])).toBe(1)];
  },
  'change a view of the sidebar, and take it away': async (app, round) => {
    const { mia } = app.cast;
    const fragment = `narrow/${slug(round)}`;
    expectSuccess(await app.as(mia).post('/navigation_views', { fragment, is_pinned: true, name: round }));
    return [
      (call) => app.as(mia).patch(`/navigation_views/${fragment}`, { name: `view ${call} ${round}` }),
      () => app.as(mia).delete(`/navigation_views/${fragment}`),
    ];
  },
  'add an alert word, and take it away': async (app, round) => {
    const words = { alert_words: [slug(round), 'soup'] };
    return [
      () => app.as(app.cast.mia).post('/users/me/alert_words', words),
      () => app.as(app.cast.mia).delete('/users/me/alert_words', words),
    ];
  },
  'mute somebody, and take it back': async (app) => {
    const { mia, mona } = app.cast;
    return [
      () => app.as(mia).post(`/users/me/muted_users/${mona.id}`),
      () => app.as(mia).delete(`/users/me/muted_users/${mona.id}`),
    ];
  },
  'mute somebody, and delete them for good': async (app, round) => {
    const who = await stranger(app, round);
    const owner = await app.companionAs(app.cast.olivia);
    return [
      () => app.as(app.cast.mia).post(`/users/me/muted_users/${who.id}`),
      () => owner.delete(`/auth/users/${who.id}`),
    ];
  },
  'set a status, and clear it': async (app) => {
    const { mia } = app.cast;
    return [
      (call) => app.as(mia).post('/users/me/status', { status_text: `busy ${call}` }),
      () => app.as(mia).post('/users/me/status', { status_text: '' }),
    ];
  },
  'fill in a profile field, and remove the field': async (app, round) => {
    const { olivia, mia } = app.cast;
    const field = { name: `Field ${slug(round)}`, field_type: 1 };
    const { id } = expectSuccess(await app.as(olivia).post('/realm/profile_fields', field));
    return [
      (call) => app.as(mia).patch('/users/me/profile_data', { data: [{ id, value: `value ${call}` }] }),
      () => app.as(olivia).delete(`/realm/profile_fields/${id}`),
    ];
  },
  'keep something for a bot, and drop it': async (app, round) => {
    const robo = app.as(app.cast.robo);
    return [
      (call) => robo.put('/bot_storage', { storage: { [slug(round)]: `${call}` } }),
      () => robo.delete('/bot_storage', { keys: [slug(round)] }),
    ];
  },
  'send one piece of a file, twice': async (app, round) => {
    const { mia } = app.cast;
    const url = await begun(app, mia, 10, `${slug(round)}.txt`);
    const send: Side = () => sendPiece(app.as(mia), url, 0, 'one piece!');
    const whole = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200);
    return [send, send, ({ one, other }) => expect(whole([...one, ...other])).toHaveLength(1)];
  },
  'send a piece of a file, and give it up': async (app, round) => {
    const { mia } = app.cast;
    const url = await begun(app, mia, 10, `${slug(round)}.txt`);
    return [
      () => sendPiece(app.as(mia), url, 0, 'one piece!'),
      () => app.as(mia).send({ method: 'DELETE', url, headers: TUS }),
    ];
  },
};
