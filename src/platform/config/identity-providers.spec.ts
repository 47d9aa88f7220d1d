import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

const CERTIFICATES = join(__dirname, '../../../test/support/tls');
const SIGNER = join(CERTIFICATES, 'provider-cert.pem');
const SAML = { name: 'corp', label: 'Corp', protocol: 'saml', metadata_file: 'metadata.xml' };
const BY_HAND = {
  name: 'corp',
  label: 'Corp',
  protocol: 'saml',
  entity_id: 'corp',
  sign_in_url: 'https://sso.example.com/?tenant=1',
  certificate_file: 'certificates.pem',
};
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const METADATA = `<?xml version="1.0" encoding="utf-8"?>
<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">
  <EntityDescriptor entityID="corp"><IDPSSODescriptor>
    <KeyDescriptor use="encryption"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"/></KeyDescriptor>
    <KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>
      ${readFileSync(SIGNER, 'utf8').replaceAll(/-----[A-Z ]+-----/g, '')}
    </X509Certificate></X509Data></KeyInfo></KeyDescriptor>
    <SingleSignOnService Binding="${REDIRECT}" Location="https://sso.example.com/?tenant=1"/>
  </IDPSSODescriptor></EntityDescriptor>
</EntitiesDescriptor>`;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-providers-'));
  writeFileSync(join(folder, 'secret'), 'the secret\n');
  writeFileSync(join(folder, 'empty'), '\n');
  writeFileSync(join(folder, 'metadata.xml'), METADATA);
  copyFileSync(SIGNER, join(folder, 'certificates.pem'));
  copyFileSync(join(CERTIFICATES, 'weak-cert.pem'), join(folder, 'weak.pem'));
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Reads a file with this text, or with this value as JSON. */
function read(content: unknown): IdentityProviders {
  const identityProviders = join(folder, 'providers.json');
  writeFileSync(identityProviders, typeof content === 'string' ? content : JSON.stringify(content));
  return new IdentityProviders({ identityProviders } as Config);
}

describe('The file of identity providers', () => {
  it('may be missing', () => {
    expect(new IdentityProviders({ identityProviders: null } as Config).all).toEqual([]);
  });

  it('has a block for each, with the secret from its file', () => {
    const all = read([
      RIGHT,
      { ...RIGHT, name: 'local', issuer: 'http://[::1]:8080/', roles: { a: 'guest' } },
    ]).of('oidc');
    expect(all.map(({ name, secret, creates_accounts }) => [name, secret, creates_accounts])).toEqual([
      ['staff', 'the secret', false],
      ['local', 'the secret', false],
    ]);
  });

  it('lists SAML providers first, described by metadata or fields', () => {
    const all = read([RIGHT, SAML, { ...BY_HAND, name: 'by-hand' }]).all;
    expect(all.map(({ name }) => name)).toEqual(['corp', 'by-hand', 'staff']);
    for (const { entityId, signInUrl, keys } of read([SAML, { ...BY_HAND, name: 'by-hand' }]).of('saml')) {
      expect([entityId, signInUrl]).toEqual(['corp', 'https://sso.example.com/?tenant=1']);
      expect(keys.map(({ asymmetricKeyType }) => asymmetricKeyType)).toEqual(['rsa']);
    }
  });

  it.each<[string, string]>([
    ['which is not the XML that metadata is', 'no XML'],
    ['which is not the XML that metadata is', METADATA.replace('?>', '?><!DOCTYPE x>')],
    ['which must describe one provider', METADATA.replaceAll('EntityDescriptor', 'Other')],
    ['which must describe one provider', METADATA.replace('entityID="corp"', '')],
    ['which describes no identity provider', METADATA.replaceAll('IDPSSODescriptor', 'SPSSODescriptor')],
    ['which has no endpoint of the binding HTTP-Redirect', METADATA.replace(REDIRECT, 'SOAP')],
    ['which has a malformed certificate', METADATA.replace('MII', 'AAA')],
    ['it must have 1 to 10 certificates', METADATA.replace('use="signing"', 'use="encryption"')],
    ['must be an https:// address', METADATA.replace('https:', 'http:')],
  ])('is refused with what is wrong with metadata: %s', (problem, metadata) => {
    writeFileSync(join(folder, 'wrong.xml'), metadata);
    expect(() => read([{ ...SAML, metadata_file: 'wrong.xml' }])).toThrow(problem);
  });

  it.each<[string, unknown]>([
    ['"protocol" must be "oidc" or "saml"', [{ ...RIGHT, protocol: 'cas' }]],
    ['"metadata_file" takes the place of', [{ ...SAML, entity_id: 'corp' }]],
    ['it needs "metadata_file", or', [{ ...BY_HAND, sign_in_url: undefined }]],
    ['which cannot be read (ENOENT)', [{ ...SAML, metadata_file: 'nowhere' }]],
    ['with certificates as PEM', [{ ...BY_HAND, certificate_file: 'secret' }]],
    ['RSA keys of at least 2048 bits', [{ ...BY_HAND, certificate_file: 'weak.pem' }]],
    ['need "trusts_email"', [{ ...SAML, creates_accounts: true }]],
    ['need "trusts_email"', [{ ...SAML, links_by_email: true }]],
    ['"trusts_email" needs "domains"', [{ ...SAML, trusts_email: true }]],
    ['"client_id" is not a field of a provider', [{ ...SAML, client_id: 'x' }]],
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
    ['"private_networks" must be a list', [{ ...RIGHT, private_networks: '10.0.0.0/8' }]],
    ['"private_networks" must be a list', [{ ...RIGHT, private_networks: ['10.0.0.0/64'] }]],
    ['"private_networks" must be a list', [{ ...RIGHT, private_networks: [10] }]],
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
    writeFileSync(join(folder, 'entra.xml'), METADATA);
    for (const block of blocks) {
      const { all } = read(block.replaceAll(/"[a-z]+\.secret"/g, '"secret"'));
      expect(all).toHaveLength(1);
    }
  });
});
