import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../../platform/config/config';
import { IdentityProviders, type SamlProvider } from '../../../platform/config/identity-providers';
import { readResponse, ResponseRefused } from './saml-response';

/** Metadata of Keycloak 26.7.3, and its responses for three clients that differ in what is signed. */
const KEYCLOAK = join(__dirname, '../../../../test/support/keycloak');
const SITE = 'http://localhost:9991';

let folder: string;
let provider: SamlProvider;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-keycloak-'));
  const identityProviders = join(folder, 'providers.json');
  const metadata_file = join(KEYCLOAK, 'metadata.xml');
  const block = { name: 'kcsaml', label: 'Keycloak', protocol: 'saml', metadata_file };
  writeFileSync(identityProviders, JSON.stringify([block]));
  [provider] = new IdentityProviders({ identityProviders } as Config).of('saml') as [SamlProvider];
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Reads a recorded response, optionally modified. */
function read(name: string, { change = (text: string) => text, later = 0, audience = SITE } = {}) {
  const text = readFileSync(join(KEYCLOAK, `${name}.xml`), 'utf8').trim();
  const attribute = (wanted: string) => new RegExp(` ${wanted}="([^"]*)"`).exec(text)?.[1] ?? '';
  return readResponse(change(text), {
    provider,
    requestId: attribute('InResponseTo'),
    recipients: [`${SITE}/complete/saml/kcsaml/`],
    audience,
    now: Date.parse(attribute('IssueInstant')) / 1000 + later,
  });
}

describe.each(['assertion', 'response', 'both'])('A response of Keycloak with a signature of: %s', (name) => {
  it('says who the person is', () => {
    expect(read(name)).toMatchObject({ email: 'ada@example.com', name: 'Ada' });
    expect(read(name, { later: 60 }).sub).toBe(read(name).sub);
  });

  it('counts for nothing later, elsewhere, or changed', () => {
    const changes = [
      (text: string) => text.replace('>ada@example.com<', '>eve@example.com<'),
      (text: string) => text.replace(/<dsig:DigestValue>./, '<dsig:DigestValue>_'),
      (text: string) => text.replaceAll(/<dsig:Signature .*?<\/dsig:Signature>/gs, ''),
    ];
    expect(() => read(name, { later: 3_600 })).toThrow('expired');
    expect(() => read(name, { audience: 'https://other.example.com' })).toThrow('Audience is not');
    for (const change of changes) expect(() => read(name, { change })).toThrow(ResponseRefused);
  });
});
