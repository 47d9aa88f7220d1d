import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from '../../src/app.factory';
import { runAllAlone } from '../../src/cli/run-alone';
import { loadConfig } from '../../src/platform/config/load-config';
import { OperatorCommands } from '../../src/platform/operator/operator-commands';
import { FROM_OWN_PAGE } from '../support/browser-client';
import { expectSuccess } from '../support/expect-answer';
import { type ArchiveRow, ReadArchive, tarOf } from '../support/export-setup';
import { GOOD_PASSWORD } from '../support/invitation-setup';
import { MailServer } from '../support/mail-server';
import { TestApp } from '../support/test-app';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

jest.setTimeout(240_000);

const CONTEXT = {
  site: 'http://chat.example.com',
  signal: new AbortController().signal,
  report: () => undefined,
};

describe('parley import invite', () => {
  let folder: string;
  let archive: string;
  let mails: MailServer;
  let database: TestDatabase;
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-invite-'));
    const target = join(folder, 'before.tar.gz');
    const app = await TestApp.start();
    const { gus, mona, olivia } = app.cast;
    expectSuccess(await app.as(app.cast.adam).delete(`/users/${gus.id}`));
    await app.get(OperatorCommands).run('export', { target, content: 'everything' }, CONTEXT);
    await app.stop();

    const before = ReadArchive.of(readFileSync(target));
    const realm = structuredClone(before.realm) as Record<string, ArchiveRow[]>;
    realm.zerver_userprofile = (realm.zerver_userprofile ?? []).map((row) =>
      row.id === mona.id ? { ...row, delivery_email: 'no address' } : row,
    );
    archive = join(folder, 'archive.tar.gz');
    const files = new Map(before.files).set('realm.json', Buffer.from(JSON.stringify(realm)));
    writeFileSync(archive, tarOf(files));
    mails = await MailServer.start();
    database = await createTestDatabase();
    env = {
      LOG_LEVEL: 'silent',
      PORT: '0',
      EXTERNAL_URL: 'http://chat.example.com',
      OWNER_EMAIL: olivia.email,
      SMTP_URL: mails.url,
      ...database.env,
      DATA_DIR: join(folder, 'data'),
    };
  });

  afterAll(async () => {
    await mails.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (name: string, input: object, changed: Readonly<Record<string, string>> = {}) =>
    runAllAlone(loadConfig({ ...env, ...changed }), (command) => command(name, input, CONTEXT));

  it('mails nobody before, and nobody where nothing was imported', async () => {
    await run('init', {});
    await expect(run('import invite', {})).rejects.toThrow(/Nothing was imported here/);
    await run('import zulip', { archive });
    // Adam, Mia and Max: not the owner who is here already, bots, Gus who has left, or Mona, whose address is none.
    expect(await run('import invite', { dryRun: true })).toEqual({
      ...{ isDryRun: true, people: 3, withoutAddress: 1 },
    });
    await expect(run('import invite', {}, { SMTP_URL: '' })).rejects.toThrow(
      /cannot send email. Set SMTP_URL/,
    );
    const server = await started();
    await server.close();
    expect(mails.mails).toEqual([]);
  });

  it('mails each a link with which they set a password, and no one twice who has one', async () => {
    expect(await run('import invite', {})).toMatchObject({ isDryRun: false, people: 3 });
    // What waits to be sent is not sent twice.
    await run('import invite', {});
    const server = await started();
    try {
      await mails.mail(3);
      const byAddress = new Map(mails.mails.map((mail) => [mail.to.join(), mail]));
      expect([...byAddress.keys()].sort()).toEqual([
        'adam@example.com',
        'max@example.com',
        'mia@example.com',
      ]);
      const mail = byAddress.get('mia@example.com');
      expect(mail?.plain).toContain('Hello Mia Member,');
      expect(mail?.plain).toContain('expires in 7 days');
      const path = new URL(mail?.link ?? '').pathname;
      const post = (url: string, fields: Record<string, string>) => {
        const headers = { ...FROM_OWN_PAGE, 'content-type': 'application/x-www-form-urlencoded' };
        return server.inject({
          method: 'POST',
          url,
          headers,
          payload: new URLSearchParams(fields).toString(),
        });
      };
      expect((await post(path, { password: GOOD_PASSWORD })).statusCode).toBe(302);
      const signIn = { username: 'mia@example.com', password: GOOD_PASSWORD };
      expect((await post('/api/v1/fetch_api_key', signIn)).statusCode).toBe(200);

      const again = await server.get(OperatorCommands, { strict: false }).run('import invite', {}, CONTEXT);
      expect(again).toMatchObject({ people: 2 });
      while (invitations().length < 5) await pause(10);
      expect(
        invitations()
          .slice(3)
          .flatMap(({ to }) => to)
          .sort(),
      ).toEqual(['adam@example.com', 'max@example.com']);
    } finally {
      await server.close();
    }
  });

  /** Mia is also told that her password was changed. */
  const invitations = () => mails.mails.filter(({ link }) => link.includes('/accounts/password/reset/'));

  async function started(): Promise<NestFastifyApplication> {
    const server = await createApp(loadConfig(env));
    await server.init();
    return server;
  }
});
