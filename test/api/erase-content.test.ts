import { FileStore } from '../../src/platform/files/file-store';
import { Hooks } from '../../src/platform/hooks/hooks';
import { OperatorCommands } from '../../src/platform/operator/operator-commands';
import { contentErased } from '../../src/features/users/users.module';
import { Role } from '../../src/platform/actor';
import { addAccount, type Member } from '../support/cast';
import { createChannelWith } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { fetchIds, fetchMessage, sendDirect, sendTo } from '../support/message-setup';
import { copyMessage, expectConsistentRows, rowsOf } from '../support/message-state';
import { TestApp } from '../support/test-app';
import { storedFiles, upload } from '../support/upload-setup';

const VOTE = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 });

interface Receipt {
  readonly erased: Readonly<Record<string, number>>;
  readonly started_at: string;
  readonly finished_at: string;
}

describe('parley user erase', () => {
  let app: TestApp;
  let people = 0;

  beforeAll(async () => {
    app = await TestApp.start();
  });

  afterAll(() => app.stop());

  afterEach(() => expectConsistentRows(app));

  const run = <Result = Receipt>(
    name: string,
    input: object,
    report = (): void => undefined,
    signal?: AbortSignal,
  ) =>
    app.get(OperatorCommands).run(name, input, {
      site: '',
      signal: signal ?? new AbortController().signal,
      report,
    }) as Promise<Result>;

  const person = () =>
    addAccount(app.nest, {
      deliveryEmail: `erased${++people}@example.com`,
      fullName: `Erased ${people}`,
      role: Role.member,
    });
  const deactivate = ({ id }: Member) => run('user deactivate', { user: String(id) });
  const erase = ({ email }: Member) => run('user erase', { user: email });

  it('deletes what a person wrote and uploaded, and nothing of others', async () => {
    const { mia, max } = app.cast;
    const writer = await person();
    const client = app.as(writer);
    const channel = await createChannelWith(app, mia, [max, writer], 'erased place');
    const files = storedFiles(app).length;
    const url = await upload(app, writer, { name: 'secret.txt', content: 'a secret' });
    const own = await sendTo(app, writer, channel, 'lunch', `[see](${url})`);
    const direct = await sendDirect(app, writer, [max], 'a word');
    const quoting = await sendTo(app, max, channel, 'lunch', `my copy of [it](${url})`);
    const poll = await sendTo(app, mia, channel, 'lunch', '/poll Soup?');
    for (const answer of [
      client.post(`/messages/${quoting}/reactions`, { emoji_name: 'tada' }),
      app.as(mia).post(`/messages/${quoting}/reactions`, { emoji_name: 'tada' }),
      client.post('/submessage', { message_id: poll, msg_type: 'widget', content: VOTE }),
      client.post('/drafts', {
        drafts: [{ type: 'stream', to: [channel], topic: 'lunch', content: 'Is it' }],
      }),
      client.post('/scheduled_messages', {
        ...{ type: 'channel', to: channel, topic: 'lunch', content: 'later' },
        scheduled_delivery_timestamp: 4_000_000_000,
      }),
      client.post('/reminders', { message_id: poll, scheduled_delivery_timestamp: 4_000_000_000 }),
      client.post('/saved_snippets', { title: 'soup', content: 'Soup is ready.' }),
    ])
      expectSuccess(await answer);
    await deactivate(writer);
    let receipt: Receipt | undefined;
    const events = await app.captureEvents(async () => {
      receipt = await erase(writer);
    });
    expect(receipt).toEqual({
      user_id: writer.id,
      email: writer.email,
      started_at: expect.stringMatching(/^\d{4}-.*Z$/),
      finished_at: expect.stringMatching(/^\d{4}-.*Z$/),
      erased: {
        messages: 2,
        files: 1,
        drafts: 1,
        scheduled_messages: 1,
        reminders: 1,
        saved_snippets: 1,
        reactions: 1,
        submessages: 1,
      },
      kept: expect.arrayContaining(['Backups and exports that were made before.']),
    });
    const told = events.map(({ event }) => event);
    expect(told).toContainEqual(expect.objectContaining({ type: 'delete_message', message_ids: [own] }));
    expect(told).toContainEqual(expect.objectContaining({ type: 'delete_message', message_ids: [direct] }));
    expect(told).toContainEqual(
      expect.objectContaining({ type: 'reaction', op: 'remove', message_id: quoting, user_id: writer.id }),
    );
    expect(storedFiles(app)).toHaveLength(files);
    expect(await fetchIds(app, max, [{ operator: 'channel', operand: channel }])).toEqual(
      expect.arrayContaining([quoting, poll]),
    );
    const { reactions } = await fetchMessage(app, max, quoting);
    expect(reactions.map((each: { user_id: number }) => each.user_id)).toEqual([mia.id]);
    for (const [table, column] of [
      ...[['message', 'sender_id'] as const, ['attachment', 'owner_id'] as const],
      ...[['submessage', 'sender_id'] as const, ['reaction', 'user_id'] as const],
      ...(['draft', 'scheduled_message', 'reminder', 'saved_snippet'] as const).map(
        (each) => [each, 'user_id'] as const,
      ),
    ])
      expect(await rowsOf(app, `SELECT 1 FROM ${table} WHERE ${column} = ?`, [writer.id])).toEqual([]);
    const [entry] = await rowsOf<{ way: string; target_user_id: number; details: string }>(
      app,
      "SELECT way, target_user_id, details FROM audit_entry WHERE action = 'user.content_erased' ORDER BY id DESC",
    );
    expect(entry).toMatchObject({ way: 'command', target_user_id: writer.id });
    const administrator = await app.companionAs(app.cast.adam);
    expect((await administrator.delete(`/auth/users/${writer.id}`)).status).toBe(204);
  });

  it('goes on after an interruption, and counts the whole', async () => {
    const { mia, max } = app.cast;
    const writer = await person();
    const channel = await createChannelWith(app, mia, [max, writer], 'interrupted');
    await copyMessage(app, await sendTo(app, writer, channel, 'lunch', 'again'), 149);
    const urls = [await upload(app, writer, { name: 'a.txt' }), await upload(app, writer, { name: 'b.txt' })];
    await deactivate(writer);
    const count = async () =>
      (await rowsOf(app, 'SELECT id FROM message WHERE sender_id = ?', [writer.id])).length;
    const canceled = new AbortController();
    await expect(
      run('user erase', { user: writer.email }, () => canceled.abort(), canceled.signal),
    ).rejects.toThrow(/Run the command again/);
    expect(await count()).toBe(50);
    // The process dies after the first file is gone, and before the commit.
    let deletions = 0;
    const broken = jest.spyOn(app.get(FileStore), 'delete').mockImplementation(async () => {
      deletions++;
      throw new Error('died');
    });
    await expect(erase(writer)).rejects.toThrow('died');
    broken.mockRestore();
    expect([deletions, await count()]).toEqual([1, 0]);
    const receipt = await erase(writer);
    expect(receipt.erased).toMatchObject({ messages: 150, files: urls.length });
    // Once more: the same, as nothing is left.
    const again = await erase(writer);
    expect([again.erased, again.started_at]).toEqual([receipt.erased, receipt.started_at]);
  });

  it('is refused for active accounts, and while anything is on hold', async () => {
    const { mia, max } = app.cast;
    const writer = await person();
    const channel = await createChannelWith(app, mia, [max, writer], 'held erasure');
    const url = await upload(app, writer, { name: 'held.txt' });
    const own = await sendTo(app, writer, channel, 'lunch', 'of the writer');
    const elsewhere = await createChannelWith(app, mia, [max, writer], 'held elsewhere');
    await sendTo(app, writer, elsewhere, 'lunch', `[file](${url})`);
    await sendTo(app, max, elsewhere, 'lunch', `[file](${url})`);
    await expect(erase(writer)).rejects.toThrow(/is active.*Run "parley user deactivate/);
    await expect(run('user erase', { user: 'none@example.com' })).rejects.toThrow(
      /No account has the address/,
    );
    await deactivate(writer);
    const hold = async (input: object) => {
      const { held } = await run<{ held: { id: number } }>('hold add', { ...input, reason: 'case' });
      await expect(erase(writer)).rejects.toThrow(/^Content of Erased \d+ is on legal hold/);
      await run('hold remove', { id: held.id });
    };
    await hold({ user: writer.email });
    await hold({ channel: 'held erasure' });
    await hold({ user: max.email });
    expect(await fetchIds(app, max, [])).toContain(own);
    expect((await erase(writer)).erased).toMatchObject({ messages: 2, files: 1 });
  });

  it('stops at a hold that is placed in between, and lets no one lose what is held', async () => {
    const { mia, max } = app.cast;
    const writer = await person();
    const channel = await createChannelWith(app, mia, [max, writer], 'late erasure');
    await copyMessage(app, await sendTo(app, writer, channel, 'lunch', 'many'), 700);
    await deactivate(writer);
    let placing: Promise<{ held: { id: number } }> | undefined;
    const erasing = run('user erase', { user: writer.email }, () => {
      placing ??= run('hold add', { channel: 'late erasure', reason: 'case' });
    });
    const result = await erasing.then(
      () => 'erased',
      (error: Error) => error.message,
    );
    const left = (await rowsOf(app, 'SELECT id FROM message WHERE sender_id = ?', [writer.id])).length;
    const { held } = (await placing)!;
    expect(result).toMatch(/is on legal hold/);
    expect(left).toBeGreaterThan(0);
    await run('hold remove', { id: held.id });
    expect((await erase(writer)).erased).toMatchObject({ messages: 701 });
  });

  it('is not run twice at once', async () => {
    const writer = await person();
    await deactivate(writer);
    let reached = false;
    app.get(Hooks).on(contentErased, async (_tx, userId) => {
      if (userId !== writer.id || reached) return {};
      reached = true;
      await expect(erase(writer)).rejects.toThrow(/already under way/);
      return {};
    });
    await erase(writer);
    expect(reached).toBe(true);
  });
});
