import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from './config';
import { IdentityProviders } from './identity-providers';
import { StartRefused } from './start-refused';

const RIGHT = {
  name: 'staff',
  label: 'Staff',
  issuer: 'https://sso.example.com/realms/staff',
  client_id: 'parley',
  client_secret_file: 'secret',
};

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-providers-'));
  writeFileSync(join(folder, 'secret'), 'the secret\n');
  writeFileSync(join(folder, 'empty'), '\n');
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Reads a file with this text, or this as JSON. */
function read(content: unknown): IdentityProviders {
  const identityProviders = join(folder, 'providers.json');
  writeFileSync(identityProviders, typeof content === 'string' ? content : JSON.stringify(content));
  return new IdentityProviders({ identityProviders } as Config);
}

describe('The file of identity providers', () => {
  it('may be missing', () => {
    expect(new IdentityProviders({ identityProviders: null } as Config).all).toEqual([]);
  });

  it('has a block for each, with the secret of its file', () => {
    const { all } = read([
      RIGHT,
      { ...RIGHT, name: 'local', issuer: 'http://[::1]:8080/', roles: { a: 'guest' } },
    ]);
    expect(all.map(({ name, secret, creates_accounts }) => [name, secret, creates_accounts])).toEqual([
      ['staff', 'the secret', false],
      ['local', 'the secret', false],
    ]);
  });

  it.each<[string, unknown]>([
    ['it is not JSON', '{"name"'],
    ['it must be a list of 1 to 20 providers', {}],
    ['it must be a list of 1 to 20 providers', []],
    ['provider 1: it must be an object', ['staff']],
    ['provider 1: "name" must be 1 to 31', [{ ...RIGHT, name: 'Big Company' }]],
    ['two providers have the name "staff"', [RIGHT, RIGHT]],
    [
      'provider 2: "issuer" must be an https:// address',
      [RIGHT, { ...RIGHT, name: 'x', issuer: 'http://sso.example.com' }],
    ],
    ['provider 1: "issuer" must be an https:// address', [{ ...RIGHT, issuer: 'https://x.example/?a=b' }]],
    ['provider 1: "client_id" must be', [{ ...RIGHT, client_id: undefined }]],
    [
      'provider 1: "issuer" must name one tenant of Microsoft Entra ID',
      [{ ...RIGHT, issuer: 'https://login.microsoftonline.com/common/v2.0' }],
    ],
    [
      'provider 1: "client_secret" is not a field of a provider',
      [{ ...RIGHT, client_secret: 'in the open' }],
    ],
    ['provider 1: "secret" is not a field of a provider', [{ ...RIGHT, secret: 'in the open' }]],
    ['which cannot be read (ENOENT)', [{ ...RIGHT, client_secret_file: 'nowhere' }]],
    ['which is empty', [{ ...RIGHT, client_secret_file: 'empty' }]],
    [
      '"roles" must map to one of administrator, moderator, member, guest',
      [{ ...RIGHT, roles: { boss: 'owner' } }],
    ],
    ['"groups" must map to names of user groups', [{ ...RIGHT, groups: { a: 'role:owners' } }]],
    ['"trusts_email" needs "domains"', [{ ...RIGHT, trusts_email: true }]],
    ['"domains" must be a list of domain names', [{ ...RIGHT, domains: ['not a domain'] }]],
    ['"scopes" must be a list', [{ ...RIGHT, scopes: 'groups' }]],
    ['"creates_accounts" must be true or false', [{ ...RIGHT, creates_accounts: 'yes' }]],
  ])('is refused with what is wrong: %s', (problem, content) => {
    const attempt = () => read(content);
    expect(attempt).toThrow(StartRefused);
    expect(attempt).toThrow(problem);
    expect(attempt).not.toThrow('in the open');
  });

  it('may be any of those in docs/identity.md', () => {
    const page = readFileSync(join(__dirname, '../../../docs/identity.md'), 'utf8');
    const blocks = [...page.matchAll(/^```json\n(\[.*?)^```$/gms)].map(([, block = '']) => block);
    expect(blocks).toHaveLength(3);
    for (const block of blocks) {
      const { all } = read(block.replaceAll(/"[a-z]+\.secret"/g, '"secret"'));
      expect(all).toHaveLength(1);
    }
  });
});
