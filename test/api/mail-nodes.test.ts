import { Role } from '../../src/platform/actor';
import { Jobs } from '../../src/platform/jobs/jobs.service';
import { PASSWORD } from '../support/cast';
import { expectSuccess } from '../support/expect-answer';
import { MailServer } from '../support/mail-server';
import { sendDirect } from '../support/message-setup';
import { sendForm } from '../support/page-setup';
import { StoppedTimeOfDay } from '../support/test-clocks';
import { TestApp } from '../support/test-app';
import { hasPostgres } from '../support/test-database';

if (!hasPostgres) test.todo('mails of several nodes: TEST_DATABASE_URL names no server');

const describeOnPostgres = hasPostgres ? describe : describe.skip;

/** Mails are put together by whatever node takes their job, a moment after the change that they follow from. */
describeOnPostgres('A mail that another node sends', () => {
  const clock = new StoppedTimeOfDay();
  let server: MailServer;
  let one: TestApp;
  let other: TestApp;

  beforeAll(async () => {
    server = await MailServer.start();
    one = await TestApp.start({ clock, engine: 'postgres', env: { SMTP_URL: server.url } });
    other = await one.anotherNode({}, { clock });
    await one.get(Jobs).onModuleDestroy();
  });

  afterAll(async () => {
    await other.stop();
    await one.stop();
    await server.stop();
  });

  /** Whom mails have gone to meanwhile. */
  async function mailed(work: () => Promise<unknown>): Promise<(readonly string[])[]> {
    const before = server.mails.length;
    await work();
    await other.get(Jobs).runDue();
    return server.mails.slice(before).map(({ to }) => to);
  }

  it('reaches an address that somebody has only just been given', async () => {
    const email = 'maximilian@example.com';
    const former = one.cast.max.email;
    const to = await mailed(async () => {
      expectSuccess(await one.as(one.cast.max).patch('/settings', { email, old_password: PASSWORD }));
      expect(await sendForm(one, '/accounts/password/reset/', { email })).toMatchObject({ status: 200 });
    });
    // The former address hears of the change.
    expect(to.flat().sort()).toEqual([former, email].sort());
  });

  it('invites in the name of somebody who has only just been given the right to', async () => {
    const { olivia, mona } = one.cast;
    const to = await mailed(async () => {
      expectSuccess(await one.as(olivia).patch(`/users/${mona.id}`, { role: Role.administrator }));
      const invitation = {
        invitee_emails: 'nora@example.com',
        stream_ids: [],
        invite_as: Role.moderator,
      };
      expectSuccess(await one.as(mona).post('/invites', invitation));
    });
    expect(to).toEqual([['nora@example.com']]);
  });

  it('tells of a missed message once, whichever nodes look at it, and after a restart', async () => {
    const { max, mia } = one.cast;
    const nodes = [other, await one.anotherNode({}, { clock })];
    const settle = async () => {
      for (let step = 0; step < 3; step++) await Promise.all(nodes.map((node) => node.get(Jobs).runDue()));
    };
    const before = server.mails.length;
    await Promise.all(
      Array.from({ length: 8 }, (_, index) => sendDirect(nodes[index % 2]!, max, [mia], `Soup ${index}`)),
    );
    await settle();
    expect(server.mails.length).toBe(before);
    await nodes.pop()!.stop();
    clock.aheadMs += 121_000;
    nodes.push(await one.anotherNode({}, { clock }), await one.anotherNode({}, { clock }));
    await settle();
    const mails = server.mails.slice(before);
    expect(mails.map(({ to }) => to)).toEqual([[mia.email]]);
    for (let index = 0; index < 8; index++) expect(mails[0]!.plain).toContain(`> Soup ${index}\r\n`);
    for (const node of nodes.slice(1)) await node.stop();
  });
});
