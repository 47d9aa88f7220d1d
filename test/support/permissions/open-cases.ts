import { PASSWORD } from '../cast';
import { expectSuccess } from '../expect-answer';
import { upload } from '../upload-setup';
import type { Actor } from './actors';
import type { CaseTable } from './case';
import { plain } from './plain-cases';

const load = ({ client }: Actor, url: string) => client.send({ method: 'GET', url });

/** Endpoints that do not look at credentials; what they look at instead is what is tried. */
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
  'GET {site}/': plain({ '': (actor) => load(actor, '/') }),
  'GET {site}/health/live': plain({ '': (actor) => load(actor, '/health/live') }),
  'GET {site}/health/ready': plain({ '': (actor) => load(actor, '/health/ready') }),
  'GET {site}/metrics': plain({ 'on the machine itself': (actor) => load(actor, '/metrics') }),
  'GET {site}/static/generated/emoji/emoji_api.json': plain({
    '': (actor) => load(actor, '/static/generated/emoji/emoji_api.json'),
  }),
  'GET {site}/static/generated/emoji/images/emoji/unicode/zulip.png': plain({
    '': (actor) => load(actor, '/static/generated/emoji/images/emoji/unicode/zulip.png'),
  }),
  'GET {site}/user_avatars/1/emoji/images/{file}': plain({
    'an emoji whose address one knows': async (actor, { app, host }) => {
      const { emoji } = expectSuccess(await app.as(host).get('/realm/emoji'));
      const [{ source_url }] = Object.values(emoji) as [{ source_url: string }];
      return load(actor, source_url);
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
