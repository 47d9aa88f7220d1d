import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BrowserClient } from '../support/browser-client';
import { LyingProvider } from '../support/lying-provider';
import {
  assertion,
  envelope,
  NAME_ID,
  type SamlRequest,
  type SamlResponse,
  type Signing,
  TestSamlProvider,
} from '../support/saml-provider';
import { StoppedClock } from '../support/test-clocks';
import { TestApp } from '../support/test-app';
import { FIRST } from '../support/tls/identities';

const clock = new StoppedClock();
const provider = new TestSamlProvider(() => clock.now);
const lines: string[] = [];
let app: TestApp;

beforeAll(async () => {
  const block = { name: 'corp', domains: ['example.com'], trusts_email: true, creates_accounts: true };
  const named = { ...block, name: 'named', id_attribute: 'number' };
  const env = { IDENTITY_PROVIDERS: provider.fileOf([block, named]), LOG_LEVEL: 'debug' };
  app = await TestApp.start({ clock, env, log: { write: (line) => void lines.push(String(line)) } });
});

afterAll(async () => {
  await app.stop();
  provider.stop();
});

async function asked(browser: BrowserClient): Promise<SamlRequest> {
  const { headers } = await browser.send({ url: '/accounts/login/social/saml/corp' });
  return provider.asked(headers.location);
}

function post(form: Readonly<Record<string, string>>, url = '/complete/saml/corp/') {
  return new BrowserClient(app.nest).send({ method: 'POST', url, form });
}

const encoded = (xml: string) => Buffer.from(xml).toString('base64');

/** Somebody comes back with a response. @returns the status at its address, and whom the server takes the browser for */
async function comesBack(respond: (right: SamlResponse, request: SamlRequest) => string | Promise<string>) {
  const browser = new BrowserClient(app.nest);
  const request = await asked(browser);
  const response = await respond(provider.right(request), request);
  const { status } = await post({ SAMLResponse: encoded(response), RelayState: request.relayState });
  await browser.send({ url: `/complete/saml/corp/finish?state=${request.relayState}` });
  return { status, who: await browser.whoAmI() };
}

const REFUSED = { status: 400, who: null };
const SIGNED_IN = { status: 303, who: expect.any(Number) as number };

/** Both ways in which providers sign. */
const ways = (change: (right: SamlResponse) => Partial<SamlResponse>, signing?: Signing) =>
  [
    (right: SamlResponse) => provider.signedAssertion({ ...right, ...change(right) }, signing),
    (right: SamlResponse) => provider.signedResponse({ ...right, ...change(right) }, signing),
  ] as const;

const SHA1 = 'http://www.w3.org/2000/09/xmldsig#sha1';
const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
const INCLUSIVE = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';

describe('What a SAML provider signed', () => {
  it('signs in where everything about it is right, with any of its keys', async () => {
    for (const respond of ways(() => ({}))) expect(await comesBack(respond)).toEqual(SIGNED_IN);
    const curve = {
      key: createPrivateKey(readFileSync(FIRST.keyPath)),
      signature: 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256',
    };
    for (const respond of ways(() => ({}), curve)) expect(await comesBack(respond)).toEqual(SIGNED_IN);
    const long = {
      signature: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
      digest: 'http://www.w3.org/2001/04/xmlenc#sha512',
    };
    for (const respond of ways(() => ({}), long)) expect(await comesBack(respond)).toEqual(SIGNED_IN);
  });

  it('may end within the minute by which clocks differ', async () => {
    for (const now of [-350_000, 50_000])
      for (const respond of ways((right) => ({ now: right.now + now })))
        expect(await comesBack(respond)).toEqual(SIGNED_IN);
  });

  it('is as recent as it says, and asked for anew of people who are signed in', async () => {
    const codes = [];
    const requests = [];
    for (const instant of [/AuthnInstant="[^"]*"/, / AuthnInstant="[^"]*"/, /(?!)/]) {
      const browser = new BrowserClient(app.nest);
      const request = await asked(browser);
      const right = provider.right(request);
      const old = new Date(right.now - 700_000).toISOString();
      const text = assertion(right).replace(instant, (found) =>
        found.startsWith(' ') ? '' : `AuthnInstant="${old}"`,
      );
      const SAMLResponse = encoded(envelope(right, provider.sign(text, 'Assertion')));
      await post({ SAMLResponse, RelayState: request.relayState });
      await browser.send({ url: `/complete/saml/corp/finish?state=${request.relayState}` });
      const { body } = await browser.call('POST', '/json/users/me/api_key/regenerate');
      codes.push(body.code as string | undefined);
      requests.push(request.xml, (await asked(browser)).xml);
    }
    expect(codes).toEqual(['REAUTHENTICATION_REQUIRED', undefined, undefined]);
    const forced = requests.map((xml) => xml.includes(' ForceAuthn="true"'));
    expect(forced).toEqual([false, true, false, true, false, true]);
  });

  it.each<[string, (right: SamlResponse) => Partial<SamlResponse>]>([
    ['names another issuer', () => ({ issuer: 'https://evil.example' })],
    ['has an assertion of another issuer', () => ({ assertionIssuer: 'https://evil.example' })],
    ['is for another server', () => ({ audience: 'https://other.example.com' })],
    ['was to be posted elsewhere', () => ({ recipient: 'https://other.example.com/complete/saml/corp/' })],
    [
      'was to be posted to another provider’s address',
      (right) => ({ recipient: right.recipient.replace('corp', 'x') }),
    ],
    ['was sent elsewhere', () => ({ destination: 'https://other.example.com/complete/saml/corp/' })],
    ['answers another request', () => ({ inResponseTo: '_another' })],
    ['has an assertion that answers another request', () => ({ confirmed: '_another' })],
    ['has an assertion that answers no request', () => ({ confirmed: '' })],
    ['has ended', (right) => ({ now: right.now - 361_000 })],
    ['has yet to begin', (right) => ({ now: right.now + 61_000 })],
    ['has a condition that nobody knows', () => ({ conditions: '<saml:Condition/>' })],
    ['is for a holder of a key', () => ({ method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' })],
    ['is a refusal', () => ({ status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' })],
    ['names a person who is another one each time', () => ({ format: NAME_ID.transient })],
    ['names a person by an address', () => ({ format: NAME_ID.email })],
    ['names nobody', () => ({ nameId: '' })],
    ['has elements in a name', () => ({ nameId: 'ada<saml:x/>-1' })],
    ['has an ID that is none', () => ({ assertionId: '', responseId: '' })],
  ])('does not where it %s', async (_what, change) => {
    for (const respond of ways(change)) expect(await comesBack(respond)).toEqual(REFUSED);
  });

  const DATA = /<saml:SubjectConfirmationData[^>]*>/;
  const confirmation = /<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/;
  const audience = /<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/;
  const past = (right: SamlResponse) => new Date(right.now - 61_000).toISOString();

  it.each<[string, RegExp | string, (found: string, right: SamlResponse) => string]>([
    ['is for no audience', audience, () => ''],
    [
      'is for two audiences, one of which is another',
      audience,
      (found) => found + found.replace(/<saml:Audience>[^<]*/, '<saml:Audience>https://other.example.com'),
    ],
    ['has no recipient', DATA, (found) => found.replace(/ Recipient="[^"]*"/, '')],
    ['has no end of the confirmation', DATA, (found) => found.replace(/ NotOnOrAfter="[^"]*"/, '')],
    ['has no confirmation', confirmation, () => ''],
    ['has two confirmations', confirmation, (found) => found + found],
    [
      'has an ended confirmation',
      DATA,
      (found, right) => found.replace(/(NotOnOrAfter=")[^"]*/, `$1${past(right)}`),
    ],
    ['has no conditions', /<saml:Conditions .*<\/saml:Conditions>/, () => ''],
    [
      'has ended conditions',
      /<saml:Conditions [^>]*>/,
      (_found, right) => `<saml:Conditions NotOnOrAfter="${past(right)}">`,
    ],
    ['says of nobody that they signed in', /<saml:AuthnStatement .*<\/saml:AuthnStatement>/, () => ''],
    [
      'has an ended session',
      '<saml:AuthnStatement ',
      (found, right) => `${found}SessionNotOnOrAfter="${past(right)}" `,
    ],
    ['has another version', /<saml:Assertion [^>]*>/, (found) => found.replace('"2.0"', '"1.1"')],
    ['has a name ID of another', '<saml:NameID ', (found) => `${found}NameQualifier="https://evil.example" `],
    [
      'has a name ID for another',
      '<saml:NameID ',
      (found) => `${found}SPNameQualifier="https://evil.example" `,
    ],
    ['has a name ID with a blank before', '>ada-1<', () => '> ada-1<'],
    ['has a name ID with a blank behind', '>ada-1<', () => '>ada-1\n<'],
  ])('does not where the signed assertion %s', async (_what, part, change) => {
    const changed = (right: SamlResponse) => {
      const original = assertion(right);
      const result = original.replace(part, (found) => change(found, right));
      expect(result).not.toBe(original);
      return result;
    };
    const both = [
      (right: SamlResponse) => envelope(right, provider.sign(changed(right), 'Assertion')),
      (right: SamlResponse) => provider.sign(envelope(right, changed(right)), 'Response'),
    ];
    for (const respond of both) expect(await comesBack(respond)).toEqual(REFUSED);
  });

  it('does with the qualifiers of provider and server', async () => {
    const qualifiers = `NameQualifier="${provider.entityId}" SPNameQualifier="http://chat.example.com"`;
    const respond = (right: SamlResponse) => {
      const named = assertion(right).replace('<saml:NameID ', `<saml:NameID ${qualifiers} `);
      return envelope(right, provider.sign(named, 'Assertion'));
    };
    expect(await comesBack(respond)).toEqual(SIGNED_IN);
  });

  it('does not where the ID in an attribute starts or ends with blanks', async () => {
    const statuses = [];
    for (const number of ['7', ' 7', '7 ']) {
      const { headers } = await new BrowserClient(app.nest).send({
        url: '/accounts/login/social/saml/named',
      });
      const request = provider.asked(headers.location);
      const response = { ...provider.right(request), attributes: { email: 'seven@example.com', number } };
      const form = {
        SAMLResponse: encoded(provider.signedAssertion(response)),
        RelayState: request.relayState,
      };
      statuses.push((await post(form, '/complete/saml/named/')).status);
    }
    expect(statuses).toEqual([303, 400, 400]);
  });

  it.each<[string, Signing]>([
    ['SHA-1', { signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }],
    ['a digest of SHA-1', { digest: SHA1 }],
    ['the public key as if it were a password', { signature: 'http://www.w3.org/2000/09/xmldsig#hmac-sha1' }],
    ['the key of a stranger, who sends it along', { key: LyingProvider.strangersKey() }],
    ['another canonical form', { canonical: INCLUSIVE }],
    ['comments', { transforms: [`${DSIG}enveloped-signature`, `${EXCLUSIVE}WithComments`] }],
    ['a transform too few', { transforms: [`${DSIG}enveloped-signature`] }],
    ['a transform too many', { transforms: [`${DSIG}enveloped-signature`, EXCLUSIVE, EXCLUSIVE] }],
  ])('does not where the signature is made with %s', async (_what, signing) => {
    for (const respond of ways(() => ({}), signing)) expect(await comesBack(respond)).toEqual(REFUSED);
  });
});

describe('What a SAML provider did not sign', () => {
  const evil = (right: SamlResponse): SamlResponse => ({
    ...right,
    nameId: 'evil',
    attributes: { email: 'owner@example.com', name: 'Evil' },
    assertionId: '_evil',
  });
  const signature = (xml: string) => /<ds:Signature .*<\/ds:Signature>/s.exec(xml)?.[0] ?? '';
  const inResponse = (xml: string, added: string) =>
    xml.replace('</samlp:Response>', `${added}</samlp:Response>`);
  const signedOf = (right: SamlResponse) => provider.sign(assertion(right), 'Assertion');
  const resigned = (right: SamlResponse, change: (info: string) => string) =>
    provider.resigned(provider.signedAssertion(right), change);
  const named = (letter: string) =>
    Array.from({ length: 70 }, (_, index) => `<${letter}${index}></${letter}${index}>`).join('');

  it.each<[string, (right: SamlResponse) => string]>([
    ['nothing', (right) => envelope(right, assertion(right))],
    ['another text than it is', (right) => provider.signedAssertion(right).replace('>ada-1<', '>ada-2<')],
    ['another response than it is', (right) => provider.signedResponse(right).replace('>ada-1<', '>ada-2<')],
    ['a second assertion', (right) => inResponse(provider.signedAssertion(right), assertion(evil(right)))],
    ['a first assertion', (right) => envelope(right, assertion(evil(right)) + signedOf(right))],
    [
      'an assertion around that which is signed',
      (right) =>
        envelope(right, assertion(evil(right)).replace('<saml:Subject>', `${signedOf(right)}<saml:Subject>`)),
    ],
    [
      'an assertion beside that in the extensions',
      (right) =>
        envelope(right, `<samlp:Extensions>${signedOf(right)}</samlp:Extensions>${assertion(evil(right))}`),
    ],
    [
      'an assertion with the signature of another one inside it',
      (right) => {
        const signed = signedOf(right);
        const object = `<ds:Object>${signed.replace(signature(signed), '')}</ds:Object></ds:Signature>`;
        const moved = signature(signed).replace('</ds:Signature>', object);
        return envelope(right, assertion(evil(right)).replace('<saml:Subject>', `${moved}<saml:Subject>`));
      },
    ],
    [
      'an assertion with the ID of that which is signed',
      (right) => {
        const signed = signedOf(right);
        const forged = assertion({ ...evil(right), assertionId: right.assertionId });
        const both = forged.replace('<saml:Subject>', `${signature(signed)}<saml:Subject>`);
        return envelope(right, `<samlp:Extensions>${signed}</samlp:Extensions>${both}`);
      },
    ],
    [
      'a response around that which is signed',
      (right) => {
        const signed = provider.signedResponse(right);
        const forged = envelope({ ...right, responseId: '_evil' }, assertion(evil(right)));
        return forged.replace(
          '<samlp:Status>',
          `<samlp:Extensions>${signed}</samlp:Extensions><samlp:Status>`,
        );
      },
    ],
    [
      'a response with the signature of another one',
      (right) => {
        const signed = provider.signedResponse(right);
        const object = `<ds:Object>${signed.replace(signature(signed), '')}</ds:Object></ds:Signature>`;
        const moved = signature(signed).replace('</ds:Signature>', object);
        const forged = envelope({ ...right, responseId: '_evil' }, assertion(evil(right)));
        return forged.replace('<samlp:Status>', `${moved}<samlp:Status>`);
      },
    ],
    [
      'a response in which an assertion is signed that is not the one',
      (right) => inResponse(envelope(right, signedOf(right)), assertion(evil(right))),
    ],
    [
      'a comment in the digest',
      (right) => {
        const signed = provider.signedAssertion(right).replace('>ada-1<', '>ada-2<');
        return signed.replace('<ds:DigestValue>', '<ds:DigestValue><!--AAAA-->');
      },
    ],
    [
      'a second signed text',
      (right) => {
        const signed = provider.signedAssertion(right);
        const [reference = ''] = /<ds:Reference .*<\/ds:Reference>/s.exec(signed) ?? [];
        return signed.replace(reference, reference + reference);
      },
    ],
    [
      'an encrypted assertion',
      (right) =>
        envelope(right, '<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/>'),
    ],
    ['a document type', (right) => `<!DOCTYPE x>${provider.signedAssertion(right)}`],
    [
      'an entity without end',
      (right) =>
        `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>${provider.signedAssertion(right).replace('ada-1', '&b;')}`,
    ],
    ['an entity', (right) => provider.signedAssertion(right).replace('ada-1', 'ada-1&evil;')],
    ['an instruction', (right) => `<?evil x?>${provider.signedAssertion(right)}`],
    [
      'another encoding',
      (right) => `<?xml version="1.0" encoding="UTF-7"?>${provider.signedAssertion(right)}`,
    ],
    ['half a response', (right) => provider.signedAssertion(right).slice(0, -20)],
    ['a text behind it', (right) => `${provider.signedAssertion(right)}x`],
    ['a second root', (right) => provider.signedAssertion(right) + provider.signedAssertion(right)],
    [
      'an attribute twice',
      (right) => provider.signedAssertion(right).replace(' Version=', ' Version="2.0" Version='),
    ],
    ['no XML', (right) => `InResponseTo="${right.inResponseTo}"`],
    ['an assertion alone', (right) => signedOf(right)],
    ['a very long response', (right) => inResponse(provider.signedAssertion(right), ' '.repeat(100_000))],
    ['very many elements', (right) => inResponse(provider.signedAssertion(right), '<x/>'.repeat(4_000))],
    ['elements of very many names', (right) => inResponse(provider.signedAssertion(right), named('a'))],
    ['a paragraph separator', (right) => inResponse(provider.signedAssertion(right), '\u2029')],
    [
      'very many attributes in what says what is signed',
      (right) => {
        const many = Array.from('abcdefg', (name) => ` ${name}=""`).join('');
        return resigned(right, (info) => info.replace('<ds:SignedInfo', `<ds:SignedInfo${many}`));
      },
    ],
    [
      'an element in the digest',
      (right) => resigned(right, (info) => info.replace('</ds:DigestValue>', '<x></x></ds:DigestValue>')),
    ],
  ])('signs nobody in: %s', async (_what, respond) => {
    expect(await comesBack(respond)).toEqual(REFUSED);
  });

  it('does not cut a name: a comment in it changes nothing, and no part is data of another kind', async () => {
    const whole = async (name: string) => {
      const right = (one: SamlResponse) => ({ ...one, nameId: 'ada-1.evil' });
      return comesBack((one) => provider.signedAssertion(right(one)).replace('ada-1.evil', name));
    };
    const { who } = await whole('ada-1.evil');
    const { who: ada } = await comesBack((right) => provider.signedAssertion(right));
    expect(ada).not.toBe(who);
    expect(await whole('ada-1<!-- x -->.evil')).toEqual({ status: 303, who });
    expect(await whole('ada-1<![CDATA[.evil]]>')).toEqual({ status: 303, who });
  });

  it('has attributes that providers add to what says what is signed', async () => {
    const change = (info: string) => info.replace('<ds:SignedInfo', '<ds:SignedInfo Id="a"');
    expect(await comesBack((right) => resigned(right, change))).toEqual(SIGNED_IN);
  });

  it('takes time in proportion to its length', async () => {
    const { id, relayState: RelayState } = await asked(new BrowserClient(app.nest));
    const blank = `A${' '.repeat(190_000)}%`;
    const line = encoded(`<r InResponseTo="${id}">${'a'.repeat(95_000)}\u2029</r>`);
    // Where the time grows with the square of the length, each takes some ten seconds, and the test fails.
    for (const SAMLResponse of [blank, line])
      for (let times = 0; times < 5; times++)
        expect((await post({ RelayState, SAMLResponse })).status).toBe(400);
  });

  it('does not fit into a form that is too large', async () => {
    const { relayState: RelayState } = await asked(new BrowserClient(app.nest));
    expect((await post({ RelayState, SAMLResponse: 'A'.repeat(1_000_000) })).status).toBe(413);
    expect((await post({ RelayState, SAMLResponse: 'A'.repeat(200_000) })).status).toBe(413);
    expect((await post({ RelayState, SAMLResponse: 'A'.repeat(190_000) })).status).toBe(400);
    expect((await post({ RelayState, SAMLResponse: '%%%' })).status).toBe(400);
    expect(
      (await post({ RelayState, SAMLResponse: Buffer.of(0x3c, 0xff, 0x3e).toString('base64') })).status,
    ).toBe(400);
    expect((await post({ RelayState })).status).toBe(400);
    expect((await post({})).status).toBe(400);
  });

  it('has at most about 700 groups, and says so in the log', async () => {
    const values = (count: number) => ({
      groups: Array.from({ length: count }, (_, index) => `group ${index}`),
    });
    const withGroups = (count: number) => (right: SamlResponse) =>
      provider.signedAssertion({ ...right, attributes: { ...right.attributes, ...values(count) } });
    expect(await comesBack(withGroups(650))).toEqual(SIGNED_IN);
    lines.length = 0;
    expect(await comesBack(withGroups(750))).toEqual(REFUSED);
    expect(lines.join('')).toContain(
      'Response has too many elements and attributes. Have the provider send fewer groups.',
    );
  });

  it('is not even read before somebody asked for it', async () => {
    const request = { ...(await asked(new BrowserClient(app.nest))) };
    const response = encoded(provider.signedAssertion(provider.right(request)));
    const { relayState } = request;
    const changed = [
      `${relayState}0`,
      relayState.slice(1),
      relayState.replace(/\d{10}$/, (seconds) => String(Number(seconds) + 5)),
      'https://evil.example',
    ];
    for (const RelayState of changed)
      expect((await post({ RelayState, SAMLResponse: response })).status).toBe(400);
  });

  it('is in no line of the log, which says why it was refused', async () => {
    lines.length = 0;
    const sha1 = { signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' };
    let sent = '';
    await comesBack((right) => (sent = provider.signedAssertion(right, sha1)));
    const log = lines.join('');
    const reason =
      'Signature algorithm rsa-sha1 not accepted. Have the provider sign with SHA-256 or stronger.';
    expect(log).toContain(`Signing in with corp failed: ${reason}`);
    expect(log).not.toContain('SAMLResponse');
    expect(log).not.toContain(encoded(sent).slice(0, 100));
  });

  it('signs nobody out', async () => {
    const browser = new BrowserClient(app.nest);
    const request = await asked(browser);
    const SAMLResponse = encoded(provider.signedAssertion(provider.right(request)));
    const { headers } = await post({ SAMLResponse, RelayState: request.relayState });
    await browser.send({ url: String(headers.location) });
    const logout = `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_l" Version="2.0"><saml:NameID xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">ada-1</saml:NameID></samlp:LogoutRequest>`;
    expect((await post({ SAMLRequest: encoded(logout), RelayState: request.relayState })).status).toBe(400);
    expect(await browser.whoAmI()).toEqual(expect.any(Number));
  });
});
