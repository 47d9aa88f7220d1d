import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from './config';
import { LdapSettings } from './ldap-settings';
import { StartRefused } from './start-refused';

const RIGHT = {
  name: 'corp',
  url: 'ldaps://ldap.example.com',
  bind_dn: 'cn=parley,dc=example,dc=com',
  bind_password_file: 'secret',
  base_dn: 'dc=example,dc=com',
};

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-ldap-'));
  writeFileSync(join(folder, 'secret'), 'the secret\n');
});

afterAll(() => rmSync(folder, { recursive: true }));

function read(changes: object): LdapSettings {
  const ldapDirectory = join(folder, 'ldap.json');
  writeFileSync(ldapDirectory, JSON.stringify({ ...RIGHT, ...changes }));
  return new LdapSettings({ ldapDirectory } as Config);
}

describe('The file of the LDAP directory', () => {
  it('may be missing', () => {
    expect(new LdapSettings({ ldapDirectory: null } as Config).directory).toBeNull();
  });

  it('contains the secret from its file, and allows plain text on this machine', () => {
    expect(read({}).directory).toMatchObject({
      password: 'the secret',
      id_attribute: 'entryUUID',
      starttls: false,
    });
    expect(read({ url: 'ldap://127.0.0.1:389' }).directory).not.toBeNull();
    expect(read({ url: 'ldap://ldap.example.com', starttls: true }).directory).not.toBeNull();
  });

  it('may be any of those in docs/identity.md', () => {
    const page = readFileSync(join(__dirname, '../../../docs/identity.md'), 'utf8');
    const blocks = [...page.matchAll(/^```json\n(\{.*?)^```$/gms)].map(([, block = '']) => block);
    expect(blocks).toHaveLength(2);
    for (const block of blocks) {
      const settings = JSON.parse(block.replace(/"[a-z]+\.secret"/, '"secret"')) as object;
      expect(read(settings).directory).toMatchObject({ password: 'the secret', creates_accounts: true });
    }
  });

  it.each<[string, object]>([
    ['"url" must be an ldaps:// address, or "starttls" true', { url: 'ldap://ldap.example.com' }],
    ['"url" must be an ldaps:// or ldap:// address', { url: 'https://ldap.example.com' }],
    ['"url" must be an ldaps:// or ldap:// address', { url: 'ldap.example.com' }],
    ['nothing else', { url: 'ldaps://ldap.example.com/dc=example?uid' }],
    ['"starttls" is for ldap:// addresses', { starttls: true }],
    ['"bind_password" is not a field of a directory', { bind_password: 'in the open' }],
    ['"bind_password_file" names', { bind_password_file: 'nowhere' }],
    ['"ca_file" names', { ca_file: 'nowhere' }],
    ['"username_attributes" must be a list of attributes', { username_attributes: ['uid)(cn=*'] }],
    ['"id_attribute" must be an attribute', { id_attribute: '*' }],
    ['"groups" must map to', { groups: { a: 'role:owners' } }],
    ['"groups" must map to', { groups: { a: 5 } }],
  ])('is refused with what is wrong: %s', (problem, changes) => {
    expect(() => read(changes)).toThrow(StartRefused);
    expect(() => read(changes)).toThrow(problem);
  });
});
