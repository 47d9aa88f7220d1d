import { TransactionService } from '../../src/platform/database/transaction.service';
import type { Member } from '../support/cast';
import { changeChannel, createChannel, subscribersOf } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const unsubscribe = (who: Member, names: string[], principals?: (number | string)[]) =>
  app.as(who).delete('/users/me/subscriptions', { subscriptions: names, principals });

const only = (...members: Member[]) => ({
  direct_members: members.map(({ id }) => id),
  direct_subgroups: [],
});

/** A channel with everybody named in it. */
const channelWith = (creator: Member, name: string, others: Member[], options = {}) =>
  createChannel(app, creator, name, {
    principals: [creator, ...others].map(({ id }) => id),
    ...options,
  });

describe('leaving', () => {
  it('names what was left and what there was no subscription to [EP2-removed, EP2-not_removed, EP2-principals-default, STATE-subscription-unsubscribe, STATE-subscription-not-subscribed]', async () => {
    const { mia, max } = app.cast;
    const id = await createChannel(app, mia, 'Left');
    await createChannel(app, max, 'Never in');
    expect(expectSuccess(await unsubscribe(mia, ['left', ' Never in ']))).toEqual({
      result: 'success',
      msg: '',
      removed: ['Left'],
      not_removed: ['Never in'],
    });
    await expect(subscribersOf(app, id)).resolves.toEqual([]);
    expect(expectSuccess(await unsubscribe(mia, ['Left']))).toMatchObject({
      removed: [],
      not_removed: ['Left'],
    });
  });

  it('accepts an empty list', async () => {
    expect(expectSuccess(await unsubscribe(app.cast.mia, []))).toMatchObject({
      removed: [],
      not_removed: [],
    });
  });

  it('is free for guests, and works in archived channels [VER-362, STATE-channel-archived-subscriptions]', async () => {
    const { mia, gus } = app.cast;
    const id = await channelWith(mia, 'Old', [gus]);
    await changeChannel(app, id, { is_archived: true });
    expect(expectSuccess(await unsubscribe(gus, ['Old'])).removed).toEqual(['Old']);
  });

  it('needs the list [EP2-subscriptions]', async () => {
    expectError(
      await app.as(app.cast.mia).delete('/users/me/subscriptions'),
      "Missing 'subscriptions' argument",
      {
        code: 'REQUEST_VARIABLE_MISSING',
        data: { var_name: 'subscriptions' },
      },
    );
    expectError(
      await app.as(app.cast.mia).delete('/users/me/subscriptions', { subscriptions: [5] }),
      'subscriptions[0] is not a string',
    );
    expectError(
      await unsubscribe(app.cast.mia, ['x'.repeat(61)]),
      'Channel name too long (limit: 60 characters).',
    );
  });

  it('tells the name of a channel that does not exist, and changes nothing [EP2-R1, ERR-STREAM_DOES_NOT_EXIST]', async () => {
    const { mia } = app.cast;
    const id = await createChannel(app, mia, 'Still in');
    expectError(await unsubscribe(mia, ['Still in', ' no <such> ']), "Channel 'no <such>' does not exist", {
      code: 'STREAM_DOES_NOT_EXIST',
      data: { stream: 'no <such>' },
    });
    await expect(subscribersOf(app, id)).resolves.toEqual([mia.id]);
  });

  it('takes a private channel away as a whole: its messages are read, and none is told as deleted', async () => {
    const { mia, max } = app.cast;
    const id = await channelWith(mia, 'Between us', [max], { invite_only: true });
    const message = await sendTo(app, mia, id, 'x');
    const events = await app.captureEvents(async () => expectSuccess(await unsubscribe(max, ['Between us'])));
    const own = events.filter(({ audience }) => audience.includes(max.id)).map(({ event }) => event);
    expect(own).toEqual([
      expect.objectContaining({ type: 'subscription', op: 'remove' }),
      { type: 'stream', op: 'delete', streams: [{ stream_id: id }], stream_ids: [id] },
      expect.objectContaining({ type: 'update_message_flags', flag: 'read', messages: [message] }),
    ]);
    expectError(await app.as(max).get(`/messages/${message}`), 'Invalid message(s)');
  });

  it('keeps the subscription row and closes the period', async () => {
    const { mona } = app.cast;
    const id = await createChannel(app, mona, 'Periods');
    const rows = () =>
      app.get(TransactionService).run(async (tx) => ({
        subscriptions: await tx.query('SELECT id FROM subscription WHERE channel_id = ?', [id]),
        open: await tx.query(
          'SELECT id FROM subscription_period WHERE channel_id = ? AND last_message_id IS NULL',
          [id],
        ),
      }));
    await expect(rows()).resolves.toMatchObject({ subscriptions: [{}], open: [{}] });
    await unsubscribe(mona, ['Periods']);
    await expect(rows()).resolves.toMatchObject({ subscriptions: [{}], open: [] });
    await app.as(mona).post('/users/me/subscriptions', { subscriptions: [{ name: 'Periods' }] });
    await expect(rows()).resolves.toMatchObject({ subscriptions: [{}], open: [{}] });
  });
});

describe('removing others', () => {
  it('is for administrators, from private channels they do not see into as well [AUTH-5a, EP2-principals-ids]', async () => {
    const { adam, mia, max } = app.cast;
    const id = await channelWith(mia, 'Private', [max], { invite_only: true });
    expect(expectSuccess(await unsubscribe(adam, ['Private'], [mia.id, max.id])).removed).toEqual([
      'Private',
      'Private',
    ]);
    await expect(subscribersOf(app, id)).resolves.toEqual([]);
  });

  it('counts each person apart [EP2-removed, EP2-not_removed, EP2-principals-emails]', async () => {
    const { adam, mia, max } = app.cast;
    await channelWith(mia, 'Mixed', []);
    expect(expectSuccess(await unsubscribe(adam, ['Mixed'], [mia.email, max.email]))).toMatchObject({
      removed: ['Mixed'],
      not_removed: ['Mixed'],
    });
  });

  it('is for the owners of bots, as far as they see the channel [AUTH-5b, VER-145]', async () => {
    const { mia, max, robo } = app.cast;
    const open = await channelWith(max, 'Bots open', [robo]);
    expectError(await unsubscribe(max, ['Bots open'], [robo.id]), 'Insufficient permission');
    expectSuccess(await unsubscribe(mia, ['Bots open'], [robo.id]));
    await expect(subscribersOf(app, open)).resolves.toEqual([max.id]);
    await channelWith(max, 'Bots closed', [robo], { invite_only: true });
    expectError(await unsubscribe(mia, ['Bots closed'], [robo.id]), "Channel 'Bots closed' does not exist", {
      code: 'STREAM_DOES_NOT_EXIST',
      data: { stream: 'Bots closed' },
    });
    await channelWith(max, 'Bots shared', [robo, mia], { invite_only: true });
    expectSuccess(await unsubscribe(mia, ['Bots shared'], [robo.id, mia.id]));
  });

  it('is for members of can_remove_subscribers_group who see the channel [AUTH-5c, EP1-can_remove_subscribers_group]', async () => {
    const { mia, max, mona, gus } = app.cast;
    await channelWith(max, 'Ruled', [mona, gus], { can_remove_subscribers_group: only(mia) });
    expectSuccess(await unsubscribe(mia, ['Ruled'], [mona.id, gus.id]));
    await channelWith(max, 'Ruled unseen', [mona], {
      can_remove_subscribers_group: only(mia),
      invite_only: true,
    });
    expectError(
      await unsubscribe(mia, ['Ruled unseen'], [mona.id]),
      "Channel 'Ruled unseen' does not exist",
      {
        code: 'STREAM_DOES_NOT_EXIST',
        data: { stream: 'Ruled unseen' },
      },
    );
  });

  it('needs the permission in each of the channels [AUTH-5c, AUTH-5d]', async () => {
    const { mia, max, mona } = app.cast;
    const ruled = await channelWith(max, 'Both A', [mona], { can_remove_subscribers_group: only(mia) });
    await channelWith(max, 'Both B', [mona]);
    expectError(await unsubscribe(mia, ['Both A', 'Both B'], [mona.id]), 'Insufficient permission');
    await expect(subscribersOf(app, ruled)).resolves.toContain(mona.id);
  });

  it('is for nobody else, the administrators of the channel included [AUTH-5d]', async () => {
    const { max, mona, gus } = app.cast;
    await channelWith(max, 'Mine', [mona, gus]);
    expectError(await unsubscribe(max, ['Mine'], [mona.id]), 'Insufficient permission');
    expectError(await unsubscribe(gus, ['Mine'], [mona.id]), 'Insufficient permission');
  });

  it('is checked before missing channels are told', async () => {
    expectError(
      await unsubscribe(app.cast.max, ['Mine', 'No such channel'], [app.cast.mona.id]),
      'Insufficient permission',
    );
  });

  it('refuses people who are unknown or deactivated [EP2-R2, ERR-BAD_REQUEST-principal, ERR-UNAUTHORIZED_PRINCIPAL, VER-208]', async () => {
    const { adam, mona } = app.cast;
    expectError(await unsubscribe(adam, ['Mine'], [4711]), 'No such user');
    expectError(await unsubscribe(adam, ['Mine'], ['nobody@example.com']), 'No such user');
    await app.writeRows(async (tx) => {
      await tx.query('UPDATE account SET is_active = ? WHERE id = ?', [false, mona.id]);
      tx.touch('accounts', [mona.id]);
    });
    expectError(await unsubscribe(adam, ['Mine'], [mona.id]), 'User is deactivated');
  });
});
