import { CommandLine } from '../support/command-line';
import { LyingProvider } from '../support/lying-provider';
import { ServerProcess } from '../support/server-process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { ENDED_CERT } from '../support/tls/identities';

// Each command is a process, which takes its time where other tests run beside.
jest.setTimeout(240_000);

describe('the command line about identity providers', () => {
  let database: TestDatabase;
  let provider: LyingProvider;
  let folder: string;
  let parley: CommandLine;
  let server: ServerProcess;

  beforeAll(async () => {
    database = await createTestDatabase();
    provider = await LyingProvider.start();
    folder = mkdtempSync(join(tmpdir(), 'parley-sso-'));
    writeFileSync(join(folder, 'secret'), 'a secret');
    const block = { label: 'Staff', client_id: 'parley', client_secret_file: 'secret' };
    const providers = [
      { ...block, name: 'staff', issuer: provider.issuer },
      { ...block, name: 'away', issuer: 'http://127.0.0.1:9' },
      {
        name: 'old',
        label: 'Old',
        protocol: 'saml',
        entity_id: 'https://idp.example.com/saml',
        sign_in_url: 'https://idp.example.com/sso',
        certificate_file: ENDED_CERT,
      },
    ];
    writeFileSync(join(folder, 'providers.json'), JSON.stringify(providers));
    const env = {
      ...database.env,
      DATA_DIR: join(folder, 'data'),
      IDENTITY_PROVIDERS: join(folder, 'providers.json'),
    };
    parley = new CommandLine(env);
    // By a server, commands are done in a third of the time.
    server = new ServerProcess([parley.program, 'serve'], { env });
    await server.ready();
  });

  afterAll(async () => {
    server.signal('SIGTERM');
    await server.exitCode();
    await provider.stop();
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  it('asks the providers, and links people whom the operator knows', async () => {
    const { exitCode, output } = await parley.run(['sso', 'check']);
    expect(exitCode).toBe(1);
    expect(output).toContain('staff: fine');
    expect(output).toContain(`/complete/oidc/staff/`);
    expect(output).toMatch(/away: .*connection failed/);
    expect(output).toMatch(/old: Certificate expired on .*idp\.example\.com\/saml.*\/complete\/saml\/old\//s);
    await parley.run(['user', 'add', '--email', 'ada@example.com', '--name', 'Ada']);
    const without = await parley.run(['user', 'factor', 'reset', 'ada@example.com']);
    expect([without.exitCode, without.errors]).toEqual([1, 'No second factor is set up.\n']);
    const linked = await parley.run(['sso', 'link', 'ada@example.com', 'staff', 'ada-1']);
    expect(linked.output).toContain('Ada (ada@example.com) can now sign in with staff.');
    await parley.run(['user', 'add', '--email', 'eve@example.com', '--name', 'Eve']);
    const taken = await parley.run(['sso', 'link', 'eve@example.com', 'staff', 'ada-1']);
    expect(taken.exitCode).toBe(1);
    expect(taken.errors).toContain('ada-1 is already linked');
    const unknown = await parley.run(['sso', 'link', 'ada@example.com', 'okta', 'ada-1']);
    expect(unknown.errors).toContain('No identity provider has the name okta. There are: old, staff, away.');
  });

  it('makes a key for a directory, and revokes it', async () => {
    const added = await parley.run(['scim', 'add', 'okta']);
    expect(added.output).toMatch(/^Key 1 of okta\. .*parley-scim-1-[a-z2-7]{24}\n$/s);
    expect((await parley.run(['scim', 'list'])).output).toMatch(/1 +okta +\d{4}-\d\d-\d\d +never/);
    expect((await parley.run(['scim', 'revoke', '1'])).output).toBe('Key 1 is revoked.\n');
    const gone = await parley.run(['scim', 'revoke', '1']);
    expect([gone.exitCode, gone.errors]).toEqual([1, 'No such key\n']);
    expect((await parley.run(['scim', 'list'])).output).toContain('No directory has a key.');
  });

  it('makes a named API key for an account, and revokes it', async () => {
    const add = ['key', 'add', 'ada@example.com', 'deploys'];
    const added = await parley.run([...add, '--scopes', 'send read', '--days', '7']);
    expect(added.output).toMatch(/^Key 1\. It is not shown again:\n\n {2}[A-Za-z0-9]{32}\n$/);
    const wrong = await parley.run([...add, '--scopes', 'everything']);
    expect([wrong.exitCode, wrong.errors]).toEqual([
      1,
      expect.stringContaining('read, send, manage_channels'),
    ]);
    const list = await parley.run(['key', 'list', 'ada@example.com']);
    expect(list.output).toMatch(/1 +deploys +read send +all +\d{4}-\d\d-\d\d +never +\d{4}-\d\d-\d\d/);
    const limited = await parley.run([...add, '--scopes', 'send', '--channels', '1']);
    expect(limited.exitCode).toBe(0);
    expect((await parley.run(['key', 'list', 'ada@example.com'])).output).toMatch(
      /2 +deploys +send +1 +\d{4}/,
    );
    const nowhere = await parley.run([...add, '--scopes', 'send', '--channels', '1 999']);
    expect([nowhere.exitCode, nowhere.errors]).toEqual([
      1,
      expect.stringContaining('no channel with the ID 999'),
    ]);
    expect((await parley.run(['key', 'revoke', 'ada@example.com', '2'])).exitCode).toBe(0);
    const revoked = await parley.run(['key', 'revoke', 'ada@example.com', '1']);
    expect(revoked.output).toBe('Key 1 is revoked.\n');
    const gone = await parley.run(['key', 'revoke', 'ada@example.com', '1']);
    expect([gone.exitCode, gone.errors]).toEqual([1, 'No such key\n']);
    expect((await parley.run(['key', 'list', 'ada@example.com'])).output).toContain('has no named keys');
  });
  it('does the same while no server runs', async () => {
    server.signal('SIGTERM');
    await server.exitCode();
    const checked = await parley.run(['sso', 'check']);
    expect([checked.exitCode, checked.output]).toEqual([1, expect.stringContaining('staff: fine')]);
    const linked = await parley.run(['sso', 'link', 'eve@example.com', 'staff', 'eve-1']);
    expect(linked.output).toContain('Eve (eve@example.com) can now sign in with staff.');
    const reset = await parley.run(['user', 'factor', 'reset', 'eve@example.com']);
    expect([reset.exitCode, reset.errors]).toEqual([1, 'No second factor is set up.\n']);
    expect((await parley.run(['scim', 'add', 'entra'])).output).toMatch(/^Key 2 of entra\. /);
    expect((await parley.run(['scim', 'list'])).output).toMatch(/2 +entra /);
    expect((await parley.run(['scim', 'revoke', '2'])).output).toBe('Key 2 is revoked.\n');
    const added = await parley.run(['key', 'add', 'eve@example.com', 'deploys', '--scopes', 'send']);
    expect(added.output).toMatch(/^Key 3\. /);
    expect((await parley.run(['key', 'list', 'eve@example.com'])).output).toMatch(/3 +deploys +send /);
    expect((await parley.run(['key', 'revoke', 'eve@example.com', '3'])).output).toBe('Key 3 is revoked.\n');
  });
});
