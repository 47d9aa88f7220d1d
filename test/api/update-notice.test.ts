import { UpdateNoticeService } from '../../src/features/organization/update-notice.service';
import { writeState } from '../../src/platform/database/server-state';
import { PROGRAM_VERSION } from '../../src/platform/version';
import { createChannel } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { fetchMessages } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;
let channel: number;

beforeAll(async () => {
  app = await TestApp.start();
  channel = await createChannel(app, app.cast.olivia, 'news');
});

afterAll(() => app.stop());

/** The server starts, having run another version before. */
async function startAfter(version: string): Promise<void> {
  await app.writeRows((tx) => writeState(tx, 'announced_version', version));
  await app.get(UpdateNoticeService).post();
}

async function notices(): Promise<readonly { content: string; sender_full_name: string }[]> {
  const narrow = [
    { operator: 'channel', operand: channel },
    { operator: 'topic', operand: 'Parley updates' },
  ];
  const answer = await fetchMessages(app, app.cast.olivia, narrow, { apply_markdown: false });
  return expectSuccess(answer).messages;
}

const choose = async (id: number) =>
  expectSuccess(await app.as(app.cast.olivia).patch('/realm', { zulip_update_announcements_stream_id: id }));

describe('The channel for updates', () => {
  it('gets one notice of each version, after the first that the server ran', async () => {
    await choose(channel);
    await app.get(UpdateNoticeService).post();
    await app.get(UpdateNoticeService).post();
    expect(await notices()).toEqual([]);
    await startAfter('0.0.1');
    await app.get(UpdateNoticeService).post();
    expect(await notices()).toMatchObject([
      {
        content: `This server now runs Parley ${PROGRAM_VERSION}; before, it was 0.0.1.`,
        sender_full_name: 'Notification Bot',
      },
    ]);
  });

  it('gets none where none is chosen, or where it is archived', async () => {
    const before = (await notices()).length;
    await choose(-1);
    await startAfter('0.0.2');
    await choose(channel);
    expectSuccess(await app.as(app.cast.olivia).delete(`/streams/${channel}`));
    await startAfter('0.0.3');
    expect(await notices()).toHaveLength(before);
  });
});
