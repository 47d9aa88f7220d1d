import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decode, sign, type JwtPayload } from 'jsonwebtoken';
import { CsrfTokens, SecretLinks } from '../../src/platform/secrets/secret-links';
import { DerivedKeys, ServerSecret } from '../../src/platform/secrets/server-secret';
import { BrowserClient, browserOf } from '../support/browser-client';
import { TestApp } from '../support/test-app';
import { hasPostgres, sqliteDrivers } from '../support/test-database';
import { begun, sendPiece } from '../support/tus-setup';
import { load } from '../support/upload-setup';

if (!hasPostgres) test.todo('browsers on several nodes: TEST_DATABASE_URL names no server');

const describeOnPostgres = hasPostgres ? describe : describe.skip;

describeOnPostgres('The session of a browser, on two nodes', () => {
  let one: TestApp;
  let other: TestApp;

  beforeAll(async () => {
    one = await TestApp.start({ engine: 'postgres' });
    other = await one.anotherNode();
  });

  afterAll(async () => {
    await other.stop();
    await one.stop();
  });

  it('begins on one, works with its token on the other, and ends on both', async () => {
    const { mia } = one.cast;
    const here = await browserOf(one, mia);
    const there = new BrowserClient(other.nest);
    for (const [name, value] of here.cookies) there.cookies.set(name, value);
    expect(await there.whoAmI()).toBe(mia.id);
    expect(await there.csrfToken()).toBe(await here.csrfToken());
    expect((await there.call('POST', '/json/mark_all_as_read')).status).toBe(200);
    expect((await there.call('POST', '/accounts/logout/')).status).toBe(302);
    expect(await here.whoAmI()).toBeNull();
  });

  it('ends on both with the role on which it depends', async () => {
    const { max, olivia } = one.cast;
    const here = await browserOf(one, max);
    const there = new BrowserClient(other.nest);
    for (const [name, value] of here.cookies) there.cookies.set(name, value);
    expect((await other.as(olivia).patch(`/users/${max.id}`, { role: 300 })).status).toBe(200);
    expect([await here.whoAmI(), await there.whoAmI()]).toEqual([null, null]);
  });
});

describeOnPostgres('A file that arrives piece by piece, on two nodes', () => {
  let one: TestApp;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-elsewhere-'));
    one = await TestApp.start({
      engine: 'postgres',
      env: { SECRET_KEY: 'one secret, that both of the nodes have' },
    });
  }, 60_000);

  afterAll(async () => {
    await one.stop();
    rmSync(folder, { recursive: true });
  });

  it('may go to either of them, which then both have it', async () => {
    const { mia } = one.cast;
    const other = await one.anotherNode();
    try {
      const url = await begun(one, mia, 12);
      expect((await sendPiece(other.as(mia), url, 0, 'four')).headers['upload-offset']).toBe('4');
      expect((await sendPiece(one.as(mia), url, 4, 'five')).headers['upload-offset']).toBe('8');
      const done = await sendPiece(other.as(mia), url, 8, 'last');
      expect(done.status).toBe(200);
      for (const node of [one, other]) {
        const content = (await load(node, mia, done.body.url)).body as Buffer;
        expect(content.toString()).toBe('fourfivelast');
      }
    } finally {
      await other.stop();
    }
  });

  it('is refused, with the reason, by a node that does not share the folder', async () => {
    const { mia } = one.cast;
    const other = await one.anotherNode({ DATA_DIR: folder });
    try {
      const url = await begun(one, mia, 8);
      expect((await sendPiece(one.as(mia), url, 0, 'four')).status).toBe(204);
      const refused = await sendPiece(other.as(mia), url, 4, 'last');
      expect([refused.status, refused.body.msg]).toEqual([
        503,
        'Part of this file is missing on this node. All nodes must share one DATA_DIR.',
      ]);
      expect((await sendPiece(one.as(mia), url, 4, 'last')).status).toBe(200);
    } finally {
      await other.stop();
    }
  });
});

describe('The session of a browser, where the secret is changed', () => {
  const PREVIOUS = 'the secret before that one, 40 letters.';
  const SECRET = 'the secret of today, with 40 letters too';

  it('goes on under the one before, with the token that its open pages hold', async () => {
    const app = await TestApp.start({
      engine: sqliteDrivers[0],
      env: { SECRET_KEY: SECRET, SECRET_KEY_PREVIOUS: PREVIOUS },
    });
    const browser = await browserOf(app, app.cast.mia);
    const [name = '', cookie = ''] = [...browser.cookies].flat();
    const claims = decode(cookie) as JwtPayload;
    const before = new DerivedKeys(
      ServerSecret.open({ secretKey: PREVIOUS, secretKeyPrevious: null, dataDir: '' }),
    );
    browser.cookies.set(name, sign(claims, before.current('access-tokens')));
    expect(await browser.whoAmI()).toBe(app.cast.mia.id);
    const token = new CsrfTokens(new SecretLinks(before)).tokenFor(String(claims.jti));
    expect(token).not.toBe(await browser.csrfToken());
    for (const given of [token, await browser.csrfToken()]) {
      const headers = { 'x-csrftoken': given };
      expect((await browser.send({ method: 'POST', url: '/json/mark_all_as_read', headers })).status).toBe(
        200,
      );
    }
    browser.cookies.set(name, sign(claims, 'some other secret of the same length'));
    expect(await browser.whoAmI()).toBeNull();
    await app.stop();
  });
});
