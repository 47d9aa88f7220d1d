import { createHash } from 'node:crypto';
import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { createChannelWith } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { systemGroupId } from '../support/group-setup';
import { fetchIds, fetchMessage, sendDirect, sendTo } from '../support/message-setup';
import { expectConsistentRows } from '../support/message-state';
import { changeOrganization } from '../support/organization-setup';
import { TestApp } from '../support/test-app';
import { OffsetClock } from '../support/test-clocks';
import { attachmentsOf, load, upload } from '../support/upload-setup';

let app: TestApp;
let channels = 0;
const clock = new OffsetClock();

beforeAll(async () => {
  app = await TestApp.start({ clock });
});

afterAll(() => app.stop());

afterEach(() => expectConsistentRows(app));

/** A new channel of Mia's, with these people beside her. */
const channelWith = (people: readonly Member[] = [app.cast.max], options: Parameters = {}) =>
  createChannelWith(app, app.cast.mia, people, `edits ${++channels}`, options);

const edit = (member: Member, id: number, changes: Parameters) =>
  app.as(member).patch(`/messages/${id}`, changes);
const change = (parameters: Parameters) => changeOrganization(app, parameters);
const seconds = () => Math.floor(clock.nowMs() / 1000);

/** A message of Mia's to a channel that Max is subscribed to as well. */
const message = async (content = 'soup') => sendTo(app, app.cast.mia, await channelWith(), 'lunch', content);

const MAY_NOT_EDIT = "You don't have permission to edit this message";

describe('An edit of the content', () => {
  it('is shown, and told to those who got the message', async () => {
    const { mia, max } = app.cast;
    const channel = await channelWith();
    const id = await sendTo(app, mia, channel, 'lunch', 'soup');
    const before = seconds();
    const events = await app.captureEvents(async () => {
      expect(expectSuccess(await edit(mia, id, { content: '**stew**  \n' }))).toEqual({
        result: 'success',
        msg: '',
        detached_uploads: [],
      });
    });
    expect(events).toEqual([
      expect.objectContaining({
        event: {
          type: 'update_message',
          user_id: mia.id,
          edit_timestamp: expect.any(Number),
          message_id: id,
          message_ids: [id],
          flags: [],
          rendering_only: false,
          stream_id: channel,
          stream_name: `edits ${channels}`,
          content: '**stew**',
          rendered_content: '<p><strong>stew</strong></p>',
          orig_content: 'soup',
          orig_rendered_content: '<p>soup</p>',
          is_me_message: false,
        },
        audience: [max.id, mia.id],
      }),
    ]);
    expect(events[0]?.event.edit_timestamp).toBeGreaterThanOrEqual(before);
    const shown = await fetchMessage(app, max, id);
    expect(shown).toMatchObject({
      content: '<p><strong>stew</strong></p>',
      last_edit_timestamp: events[0]?.event.edit_timestamp,
    });
    expect(shown).not.toHaveProperty('last_moved_timestamp');
  });

  it('of a direct message names no channel', async () => {
    const { mia, max } = app.cast;
    const id = await sendDirect(app, mia, [max], 'soup');
    const events = await app.captureEvents(async () => {
      expectSuccess(await edit(mia, id, { content: '/me cooks' }));
    });
    expect(events).toEqual([
      expect.objectContaining({
        event: {
          type: 'update_message',
          user_id: mia.id,
          edit_timestamp: expect.any(Number),
          message_id: id,
          message_ids: [id],
          flags: [],
          rendering_only: false,
          content: '/me cooks',
          rendered_content: '<p>/me cooks</p>',
          orig_content: 'soup',
          orig_rendered_content: '<p>soup</p>',
          is_me_message: true,
        },
        audience: [max.id, mia.id],
      }),
    ]);
    await expect(fetchMessage(app, max, id)).resolves.toMatchObject({ is_me_message: true });
  });

  it('takes `message_id` in the form as well, as clients send it', async () => {
    const id = await message();
    const answer = await edit(app.cast.mia, id, { message_id: id, content: 'stew' });
    expect(answer.status).toBe(200);
  });

  it('turns blank content into a word, and cuts what is too long', async () => {
    const { mia } = app.cast;
    const id = await message();
    expectSuccess(await edit(mia, id, { content: '  \n ' }));
    await expect(fetchMessage(app, mia, id, { apply_markdown: false })).resolves.toMatchObject({
      content: '(deleted)',
    });
    expectSuccess(await edit(mia, id, { content: 'x'.repeat(10_001) }));
    const { content } = await fetchMessage(app, mia, id, { apply_markdown: false });
    expect(content).toHaveLength(10_000);
    expect(content.endsWith('\n[message truncated]')).toBe(true);
    expectError(await edit(mia, id, { content: 'a\0b' }), 'Message must not contain null bytes');
  });

  it('finds the message by what is in it now', async () => {
    const { mia, max } = app.cast;
    const id = await message('plain');
    const has = (what: string) => fetchIds(app, max, [['has', what]]);
    await expect(has('link')).resolves.not.toContain(id);
    expectSuccess(await edit(mia, id, { content: 'https://example.com' }));
    await expect(has('link')).resolves.toContain(id);
    expectSuccess(await app.as(max).post(`/messages/${id}/reactions`, { emoji_name: 'tada' }));
    expectSuccess(await edit(mia, id, { content: 'plain' }));
    await expect(has('link')).resolves.not.toContain(id);
    await expect(has('reaction')).resolves.toContain(id);
  });

  it('tells those of a private channel with protected history who have the message', async () => {
    const { mia, max, mona } = app.cast;
    const channel = await channelWith([max], { invite_only: true, history_public_to_subscribers: false });
    const id = await sendTo(app, mia, channel, 'lunch');
    expectSuccess(
      await app.as(mia).post('/users/me/subscriptions', {
        subscriptions: [{ name: `edits ${channels}` }],
        principals: [mona.id],
      }),
    );
    const events = await app.captureEvents(async () => expectSuccess(await edit(mia, id, { content: 'x' })));
    expect(events[0]?.audience).toEqual([max.id, mia.id]);
  });

  it('tells later subscribers of open history, with flags of messages they never got', async () => {
    const { mia, max, mona } = app.cast;
    const channel = await channelWith();
    const id = await sendTo(app, mia, channel, 'lunch');
    expectSuccess(
      await app.as(mona).post('/users/me/subscriptions', { subscriptions: [{ name: `edits ${channels}` }] }),
    );
    const events = await app.captureEvents(async () => expectSuccess(await edit(mia, id, { content: 'x' })));
    expect(events).toHaveLength(1);
    expect(events[0]?.audience).toEqual([mona.id, max.id, mia.id].sort((a, b) => a - b));
    const flags = new Map(events[0]?.options.personal);
    expect(flags.get(mona.id)).toEqual({ flags: ['read', 'historical'] });
  });
});

describe('Links to files', () => {
  it('are renewed, and the sender learns which files no message links any more', async () => {
    const { mia, max } = app.cast;
    const [first, second] = [await upload(app, mia), await upload(app, mia)];
    const id = await message(`[a](${first})`);
    expect((await load(app, max, first)).status).toBe(200);
    const events = await app.captureEvents(async () => {
      const answer = expectSuccess(await edit(mia, id, { content: `[b](${second})` }));
      expect(answer.detached_uploads).toEqual([
        expect.objectContaining({
          path_id: first.replace('/user_uploads/', ''),
          message_ids: [],
        }),
      ]);
    });
    const told = events.filter(({ event }) => event.type === 'attachment');
    expect(told.map(({ event }) => event.attachment.message_ids)).toEqual([[], [id]]);
    expect((await load(app, max, first)).status).toBe(403);
    expect((await load(app, max, second)).status).toBe(200);
    const own = await attachmentsOf(app, mia);
    expect(own.map(({ message_ids }: { message_ids: number[] }) => message_ids)).toEqual([[], [id]]);
  });

  it('in other messages keep a file, and those of others are not named', async () => {
    const { mia, max } = app.cast;
    const channel = await channelWith();
    const [own, foreign] = [await upload(app, mia), await upload(app, max)];
    await sendTo(app, mia, channel, 'lunch', `[a](${own})`);
    await sendTo(app, max, channel, 'lunch', `[b](${foreign})`);
    const id = await sendTo(app, mia, channel, 'lunch', `[a](${own}) [b](${foreign})`);
    const answer = expectSuccess(await edit(mia, id, { content: 'none' }));
    expect(answer.detached_uploads).toEqual([]);
  });

  it('to a file out of reach open nothing', async () => {
    const { mia, max, mona } = app.cast;
    const secret = await upload(app, mona);
    const id = await message();
    expectSuccess(await edit(mia, id, { content: `[a](${secret})` }));
    expect((await load(app, max, secret)).status).toBe(403);
  });
});

describe('An edit of the content is refused', () => {
  it('to everybody but the sender', async () => {
    const { olivia, max, mona, gus } = app.cast;
    const id = await sendTo(app, app.cast.mia, await channelWith([max, mona, gus]), 'lunch');
    for (const member of [olivia, max, mona, gus]) {
      expectError(await edit(member, id, { content: 'x' }), MAY_NOT_EDIT);
    }
  });

  it('where the message is out of reach, unknown, or in an archived channel', async () => {
    const { mia, max, olivia } = app.cast;
    const secret = await sendTo(app, mia, await channelWith([], { invite_only: true }), 'lunch');
    expectError(await edit(max, secret, { content: 'x' }), 'Invalid message(s)');
    expectError(await edit(max, 999_999_999, { content: 'x' }), 'Invalid message(s)');
    const archived = await channelWith();
    const id = await sendTo(app, mia, archived, 'lunch');
    expectSuccess(await app.as(olivia).delete(`/streams/${archived}`));
    expectError(await edit(mia, id, { content: 'x' }), 'Invalid message(s)');
  });

  it('where editing is switched off, which does not concern topics', async () => {
    const { mia } = app.cast;
    const id = await message();
    await change({ allow_message_editing: false });
    expectError(
      await edit(app.cast.max, id, { content: 'x' }),
      'Your organization has turned off message editing',
    );
    expectSuccess(await edit(mia, id, { topic: 'dinner' }));
    await change({ allow_message_editing: true });
  });

  it('once the message is too old, moderators included', async () => {
    const { mona, mia } = app.cast;
    const channel = await channelWith([mona]);
    const id = await sendTo(app, mona, channel, 'lunch');
    clock.aheadMs += 615_000;
    expectSuccess(await edit(mona, id, { content: 'in time' }));
    clock.aheadMs += 10_000;
    const tooLate = 'The time limit for editing this message has passed';
    expectError(await edit(mona, id, { content: 'too late' }), tooLate);
    expectError(await edit(mia, id, { content: 'mine' }), MAY_NOT_EDIT);
    await change({ message_content_edit_limit_seconds: 'unlimited' });
    expectSuccess(await edit(mona, id, { content: 'at any time' }));
    await change({ message_content_edit_limit_seconds: 600 });
  });

  it('where somebody else was faster', async () => {
    const { mia } = app.cast;
    const id = await message('soup ✓');
    const hash = (text: string) => createHash('sha256').update(text).digest('hex');
    expectError(
      await edit(mia, id, { content: 'stew', prev_content_sha256: hash('salad') }),
      "'prev_content_sha256' value does not match the expected value.",
      { code: 'EXPECTATION_MISMATCH', data: { field_name: 'prev_content_sha256' } },
    );
    expectSuccess(await edit(mia, id, { content: 'stew', prev_content_sha256: hash('soup ✓') }));
  });
});

describe('An edit that makes no sense is refused', () => {
  it.each([
    [{}, 'Nothing to change'],
    [{ topic: 'lunch' }, 'Nothing to change'],
    [{ topic: ' lunch ' }, 'Nothing to change'],
    [{ content: 'x', propagate_mode: 'change_all' }, 'Invalid propagate_mode without topic edit'],
    [{ topic: 'x', propagate_mode: 'change_some' }, 'Invalid propagate_mode'],
    [{ topic: '✔' }, 'General chat cannot be marked as resolved'],
    [{ topic: '✔ general chat' }, 'General chat cannot be marked as resolved'],
    [{ topic: 'a\nb' }, 'Invalid character in topic, at position 2!'],
    [{ topic: 'a\0' }, 'Invalid character in topic, at position 2!'],
    [{ stream_id: 999_999 }, 'Invalid channel ID'],
    [{ stream_id: 99_999_999_999 }, 'Invalid channel ID'],
    [{ stream_id: -1 }, 'Invalid channel ID'],
    [{ content: 'x', stream_id: 1 }, 'Cannot change message content while changing channel'],
    [{ topic: 'x', subject: 'y' }, "Can't decide between 'topic' and 'subject' arguments"],
    [{ stream_id: 'x' }, 'stream_id is not valid JSON'],
  ] as [Parameters, string][])('%j', async (changes, expected) => {
    const id = await message();
    const answer = await edit(app.cast.mia, id, changes);
    expect(answer.status).toBe(400);
    expect(answer.body.msg).toContain(expected);
  });

  it('of a direct message: it has neither topic nor channel', async () => {
    const { mia, max } = app.cast;
    const id = await sendDirect(app, mia, [max]);
    expectError(await edit(mia, id, { topic: 'x' }), 'Direct messages cannot have topics.');
    expectError(await edit(mia, id, { topic: '' }), 'Nothing to change');
    expectError(
      await edit(mia, id, { stream_id: 1, topic: 'x' }),
      'Direct messages cannot be moved to channels.',
    );
    expectError(
      await edit(mia, id, { content: 'x', propagate_mode: 'change_later' }),
      'Invalid propagate_mode without topic edit',
    );
  });

  it('before anything is looked up that comes later', async () => {
    const { max } = app.cast;
    const id = await message();
    expectError(await edit(max, id, { content: 'x', stream_id: 999_999 }), MAY_NOT_EDIT);
    await change({ can_move_messages_between_topics_group: { new: systemGroupId(app, 'role:nobody') } });
    expectError(await edit(max, id, { topic: 'x', stream_id: 999_999 }), 'Invalid channel ID');
    expectError(await edit(max, id, { topic: 'x' }), MAY_NOT_EDIT);
    await change({ can_move_messages_between_topics_group: { new: systemGroupId(app, 'role:everyone') } });
  });
});
