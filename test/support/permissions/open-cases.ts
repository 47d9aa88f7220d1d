import type { Answer } from '../api-client';
import { BrowserClient, FROM_OWN_PAGE } from '../browser-client';
import { PASSWORD } from '../cast';
import { expectSuccess } from '../expect-answer';
import type { TestApp } from '../test-app';
import { upload } from '../upload-setup';
import type { Actor } from './actors';
import type { CaseTable, World } from './case';
import { plain } from './plain-cases';

/** Submits a form of a page of the server like a browser. */
const send = ({ client }: Actor, url: string, form: Readonly<Record<string, string>>) =>
  client.send({
    method: 'POST',
    url,
    headers: { ...FROM_OWN_PAGE, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form).toString(),
  });

/** Opens a page in a signed-in browser. */
async function openPage({ account }: Actor, app: TestApp, url: string): Promise<Answer> {
  const browser = new BrowserClient(app.nest);
  const signedIn = await browser.signIn(account?.email ?? 'nobody@example.com');
  return signedIn.status === 302 ? browser.send({ url }) : signedIn;
}

const NOBODYS_CODE = `/login/first?code=1-9999999999-${'a'.repeat(24)}`;

const load = ({ client }: Actor, url: string) => client.send({ method: 'GET', url });

/** Endpoints without authentication by account; the cases try what they check instead. */
export const OPEN_CASES: CaseTable = {
  'GET /server_settings': plain({ '': ({ client }) => client.get('/server_settings') }),
  'POST /fetch_api_key': plain({
    'own password': ({ client, account }) =>
      client.post('/fetch_api_key', { username: account?.email ?? 'nobody@example.com', password: PASSWORD }),
    'wrong password': ({ client, account }) =>
      client.post('/fetch_api_key', { username: account?.email ?? 'nobody@example.com', password: 'guess' }),
  }),
  'POST /dev_fetch_api_key': plain({
    'in production': ({ client }, { host }) => client.post('/dev_fetch_api_key', { username: host.email }),
  }),
  'GET /dev_list_users': plain({ 'in production': ({ client }) => client.get('/dev_list_users') }),
  'POST {site}/accounts/logout': plain({
    'with a session of their own': async ({ account }, { app }) => {
      const browser = new BrowserClient(app.nest);
      const signedIn = await browser.signIn(account?.email ?? 'nobody@example.com');
      return signedIn.status === 302 ? browser.call('POST', '/accounts/logout/') : signedIn;
    },
  }),
  'GET {site}/compatibility': plain({ '': (actor) => load(actor, '/compatibility') }),
  'GET {site}/console': plain({
    'with a session of their own': (actor, { app }) => openPage(actor, app, '/console'),
  }),
  'GET {site}/console/{page}': plain({
    'with a session of their own': (actor, { app }) => openPage(actor, app, '/console/starred'),
  }),
  'GET {site}/console/assets/{file}': plain({ '': (actor) => load(actor, '/console/assets/licences.txt') }),
  'GET {site}/console/worker.js': plain({ '': (actor) => load(actor, '/console/worker.js') }),
  'GET {site}/console/manifest.webmanifest': plain({
    '': (actor) => load(actor, '/console/manifest.webmanifest'),
  }),
  'GET {site}/favicon.ico': plain({ '': (actor) => load(actor, '/favicon.ico') }),
  'GET {site}/login': plain({ '': (actor) => load(actor, '/login/') }),
  'POST {site}/login': plain({
    'own password': (actor) =>
      send(actor, '/login/', { username: actor.account?.email ?? 'nobody@example.com', password: PASSWORD }),
    'wrong password': (actor) =>
      send(actor, '/login/', { username: actor.account?.email ?? 'nobody@example.com', password: 'guess' }),
  }),
  'POST {site}/login/code': plain({
    'without a password before it': (actor) => send(actor, '/login/code', { code: '000000' }),
  }),
  'POST {site}/login/passkey': plain({
    'that nobody has': (actor) => send(actor, '/login/passkey', { credential_id: 'AAAA', signature: 'AAAA' }),
  }),
  'POST {site}/login/passkey/challenge': plain({
    'where browsers have none': (actor) => send(actor, '/login/passkey/challenge', {}),
  }),
  ...Object.fromEntries(
    ['', '/confirm', '/code', '/passkey', '/passkey/challenge'].map((path) => [
      `POST {site}/login/second-factor${path}`,
      plain({
        'with a session that needs none': async ({ account }: Actor, { app }: World) => {
          const browser = new BrowserClient(app.nest);
          const signedIn = await browser.signIn(account?.email ?? 'nobody@example.com');
          return signedIn.status === 302 ? browser.call('POST', `/login/second-factor${path}`) : signedIn;
        },
      }),
    ]),
  ),
  'GET {site}/login/first': plain({
    'with a link that nobody was given': (actor) => load(actor, NOBODYS_CODE),
  }),
  'POST {site}/login/first': plain({
    'with a link that nobody was given': (actor) => send(actor, NOBODYS_CODE, { password: PASSWORD }),
  }),
  'GET {site}/accounts/login/social/oidc/{provider}': plain({
    'where there is no such provider': (actor) => load(actor, '/accounts/login/social/oidc/none'),
  }),
  'GET {site}/accounts/login/subdomain/{token}': plain({
    'with an unknown token': (actor) => load(actor, `/accounts/login/subdomain/${'x'.repeat(32)}`),
  }),
  'GET {site}/complete/oidc/{provider}': plain({
    'where there is no such provider': (actor) => load(actor, '/complete/oidc/none/?code=a&state=b'),
  }),
  'POST {site}/complete/oidc/{provider}/backchannel-logout': plain({
    'where there is no such provider': (actor) =>
      send(actor, '/complete/oidc/none/backchannel-logout', { logout_token: 'a.b.c' }),
  }),
  'GET {site}/accounts/login/social/saml/{provider}': plain({
    'where there is no such provider': (actor) => load(actor, '/accounts/login/social/saml/none'),
  }),
  'GET {site}/complete/saml/{provider}/finish': plain({
    'where there is no such provider': (actor) => load(actor, '/complete/saml/none/finish?state=a'),
  }),
  'POST {site}/complete/saml/{provider}': plain({
    'where there is no such provider': (actor) =>
      send(actor, '/complete/saml/none/', { SAMLResponse: 'YQ==', RelayState: 'a' }),
  }),
  'POST {site}/complete/saml': plain({
    'where there is no provider': (actor) =>
      send(actor, '/complete/saml/', { SAMLResponse: 'YQ==', RelayState: 'a' }),
  }),
  'GET {site}/saml/metadata.xml': plain({
    'where there is no provider': (actor) => load(actor, '/saml/metadata.xml'),
  }),
  'GET {site}/': plain({ '': (actor) => load(actor, '/') }),
  'GET {site}/health/live': plain({ '': (actor) => load(actor, '/health/live') }),
  'GET {site}/health/ready': plain({ '': (actor) => load(actor, '/health/ready') }),
  'GET {site}/metrics': plain({ 'on the machine itself': (actor) => load(actor, '/metrics') }),
  'GET {site}/desktop_home': plain({ '': (actor) => load(actor, '/desktop_home') }),
  'GET {site}/static/{file}': plain({
    'where there is no web app': (actor) => load(actor, '/static/webpack-bundles/app.js'),
  }),
  'GET {site}/static/generated/emoji/emoji_api.json': plain({
    '': (actor) => load(actor, '/static/generated/emoji/emoji_api.json'),
  }),
  'GET {site}/static/generated/emoji/images/emoji/unicode/zulip.png': plain({
    '': (actor) => load(actor, '/static/generated/emoji/images/emoji/unicode/zulip.png'),
  }),
  'GET {site}/static/images/loading/loader-black.svg': plain({
    '': (actor) => load(actor, '/static/images/loading/loader-black.svg'),
  }),
  'GET {site}/user_avatars/1/emoji/images/{file}': plain({
    'an emoji whose address one knows': async (actor, { app, host }) => {
      const { emoji } = expectSuccess(await app.as(host).get('/realm/emoji'));
      const [{ source_url }] = Object.values(emoji) as [{ source_url: string }];
      return load(actor, source_url);
    },
  }),
  'GET {site}/user_avatars/1/realm/{file}': plain({
    'the icon of the organization': async (actor, { app, picture }) => {
      const answer = await app.as(app.cast.olivia).upload('/realm/icon', { name: 'a.png', content: picture });
      return load(actor, expectSuccess(answer).icon_url);
    },
  }),
  'GET {site}/user_avatars/1/{file}': plain({
    'a picture whose address one knows': async (actor, { app, host, picture }) => {
      const answer = await app.as(host).upload('/users/me/avatar', { name: 'a.png', content: picture });
      return load(actor, expectSuccess(answer).avatar_url);
    },
  }),
  'GET {site}/user_uploads/temporary/{token}/{name}': plain({
    'a file with a link that its owner asked for': async (actor, { app, host }) => {
      const address = await upload(app, host);
      return load(actor, expectSuccess(await app.as(host).get(address)).url);
    },
    'a file with a token that nobody made': async (actor) =>
      load(actor, '/user_uploads/temporary/bm90IGEgdG9rZW4/file.txt'),
  }),
};
