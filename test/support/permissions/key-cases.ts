import { PASSWORD } from '../cast';
import type { Actor } from './actors';
import type { CaseTable, World } from './case';
import { on, plain } from './plain-cases';

const KEY = { name: 'matrix', scopes: 'read', password: PASSWORD };

/** A named key that the person created. */
async function keyOf({ email, id }: { email: string; id: number }, { app }: World) {
  const { body } = await (await app.companionAs({ email })).post('/auth/keys', KEY);
  return { id: body.id as number, userId: id };
}

/** One of the caller's own; if the caller cannot sign in, one of a member. */
const own = ({ account, isPerson }: Actor, world: World) =>
  keyOf(isPerson && account ? account : world.host, world);
const ofMember = (_actor: Actor, world: World) => keyOf(world.host, world);
const ofOwner = (_actor: Actor, world: World) => keyOf(world.app.cast.olivia, world);

const member = (_actor: Actor, { host }: World) => ({ id: host.id });
const owner = (_actor: Actor, { app }: World) => ({ id: app.cast.olivia.id });
const OF_OTHERS = { 'of a member': ofMember, 'of an owner': ofOwner };

/** Named API keys, one's own and those of others. */
export const KEY_CASES: CaseTable = {
  'GET {site}/api/auth/keys': plain({ '': ({ companion }) => companion.get('/auth/keys') }),
  'POST {site}/api/auth/keys': plain({ '': ({ companion }) => companion.post('/auth/keys', KEY) }),
  'DELETE {site}/api/auth/keys': plain({ '': ({ companion }) => companion.delete('/auth/keys') }),
  'DELETE {site}/api/auth/keys/{key_id}': on(
    { 'of their own': own, 'of a member': ofMember },
    ({ companion }, { id }) => companion.delete(`/auth/keys/${id}`),
  ),
  'GET {site}/api/auth/users/{user_id}/keys': on(
    { 'of a member': member, 'of an owner': owner },
    ({ companion }, { id }) => companion.get(`/auth/users/${id}/keys`),
  ),
  'DELETE {site}/api/auth/users/{user_id}/keys': on(
    { 'of a member': member, 'of an owner': owner },
    ({ companion }, { id }) => companion.delete(`/auth/users/${id}/keys`),
  ),
  'DELETE {site}/api/auth/users/{user_id}/keys/{key_id}': on(OF_OTHERS, ({ companion }, { id, userId }) =>
    companion.delete(`/auth/users/${userId}/keys/${id}`),
  ),
};
