import type { Answer, Method } from '../api-client';
import type { Actor } from './actors';
import type { CaseTable, World } from './case';
import { on, plain } from './plain-cases';

const USERS = '/Users';
const PERSON = { userName: 'stranger@example.com', active: true };
const CHANGE = { Operations: [{ op: 'replace', value: { displayName: 'Stranger' } }] };

/** Sends a request with the caller's credentials, which are not a directory's key. */
const send = ({ client }: Actor, method: Method, path: string, body?: object): Promise<Answer> =>
  client.send({
    method,
    url: `/scim/v2${path}`,
    headers: body === undefined ? {} : { 'content-type': 'application/scim+json' },
    payload: body === undefined ? undefined : JSON.stringify(body),
  });

const without = (method: Method, path: string, body?: object) =>
  plain({ 'without a key of a directory': (actor) => send(actor, method, path, body) });

async function key(_actor: Actor, { app }: World): Promise<{ id: number }> {
  const owner = await app.companionAs(app.cast.olivia);
  const { body } = await owner.post('/directories/keys', { directory: 'matrix' });
  return { id: body.id };
}

/** The directory interface, and who issues keys for it. */
export const DIRECTORY_CASES: CaseTable = {
  'GET {site}/api/directories/keys': plain({ '': ({ companion }) => companion.get('/directories/keys') }),
  'POST {site}/api/directories/keys': plain({
    '': ({ companion }) => companion.post('/directories/keys', { directory: 'okta' }),
  }),
  'DELETE {site}/api/directories/keys/{key_id}': on({ '': key }, ({ companion }, { id }) =>
    companion.delete(`/directories/keys/${id}`),
  ),
  'GET {site}/scim/v2/ServiceProviderConfig': without('GET', '/ServiceProviderConfig'),
  'GET {site}/scim/v2/ResourceTypes': without('GET', '/ResourceTypes'),
  'GET {site}/scim/v2/ResourceTypes/{id}': without('GET', '/ResourceTypes/User'),
  'GET {site}/scim/v2/Schemas': without('GET', '/Schemas'),
  'GET {site}/scim/v2/Schemas/{id}': without('GET', '/Schemas/User'),
  'GET {site}/scim/v2/Users': without('GET', '/Users'),
  'POST {site}/scim/v2/Users': without('POST', '/Users', PERSON),
  [`GET {site}/scim/v2${USERS}/{id}`]: without('GET', `${USERS}/1`),
  [`PUT {site}/scim/v2${USERS}/{id}`]: without('PUT', `${USERS}/1`, PERSON),
  [`PATCH {site}/scim/v2${USERS}/{id}`]: without('PATCH', `${USERS}/1`, CHANGE),
  [`DELETE {site}/scim/v2${USERS}/{id}`]: without('DELETE', `${USERS}/1`),
  'GET {site}/scim/v2/Groups': without('GET', '/Groups'),
  'POST {site}/scim/v2/Groups': without('POST', '/Groups', { displayName: 'Strangers' }),
  'GET {site}/scim/v2/Groups/{id}': without('GET', '/Groups/1'),
  'PUT {site}/scim/v2/Groups/{id}': without('PUT', '/Groups/1', { displayName: 'Strangers' }),
  'PATCH {site}/scim/v2/Groups/{id}': without('PATCH', '/Groups/1', CHANGE),
  'DELETE {site}/scim/v2/Groups/{id}': without('DELETE', '/Groups/1'),
};
