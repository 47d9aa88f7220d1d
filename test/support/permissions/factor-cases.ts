import { TransactionService } from '../../../src/platform/database/transaction.service';
import { PASSWORD } from '../cast';
import { type Actor, addPerson } from './actors';
import type { CaseTable, World } from './case';
import { on, plain } from './plain-cases';

/** A person with an authenticator app. */
async function enrolled(_actor: Actor, { app }: World): Promise<{ id: number }> {
  const { id } = await addPerson(app);
  const row = `INSERT INTO second_factor
    (user_id, sealed_seed, recovery_codes, is_confirmed, newest_step, created_at) VALUES (?, '', '[]', true, 0, 1)`;
  await app.get(TransactionService).run((tx) => tx.query(row, [id]));
  return { id };
}

/** A passkey of another person. */
async function othersPasskey(_actor: Actor, { app }: World): Promise<{ id: number }> {
  const { id } = await addPerson(app);
  const row = `INSERT INTO passkey (user_id, algorithm, name, credential_id, public_key, site, sign_count, created_at)
    VALUES (?, -7, 'Laptop', ?, '', 'chat.localhost', 0, 1) RETURNING id`;
  return app.writeRows((tx) => tx.queryOne<{ id: number }>(row, [id, `passkey of ${id}`]));
}

const CODE = { code: '000000' };
const MADE = { name: 'Laptop', state: 'guess', client_data: '', attestation_object: '' };

/** Second factors, one's own and those of others. */
export const FACTOR_CASES: CaseTable = {
  'GET {site}/api/auth/me/second-factor': plain({
    '': ({ companion }) => companion.get('/auth/me/second-factor'),
  }),
  'GET {site}/api/auth/me/reauthentication': plain({
    '': ({ companion }) => companion.get('/auth/me/reauthentication'),
  }),
  'POST {site}/api/auth/me/reauthentication': plain({
    'with the password': ({ companion }) =>
      companion.post('/auth/me/reauthentication', { password: PASSWORD }),
  }),
  'GET {site}/api/auth/second-factor-policy': plain({
    '': ({ companion }) => companion.get('/auth/second-factor-policy'),
  }),
  'PATCH {site}/api/auth/second-factor-policy': plain({
    'as it is': ({ companion }) => companion.patch('/auth/second-factor-policy', { required_of: 'nobody' }),
  }),
  'POST {site}/api/auth/me/second-factor': plain({
    '': ({ companion }) => companion.post('/auth/me/second-factor', { password: PASSWORD }),
  }),
  'POST {site}/api/auth/me/second-factor/confirm': plain({
    'with a wrong code': ({ companion }) => companion.post('/auth/me/second-factor/confirm', CODE),
  }),
  'POST {site}/api/auth/me/second-factor/remove': plain({
    'with a wrong code': ({ companion }) => companion.post('/auth/me/second-factor/remove', CODE),
  }),
  'DELETE {site}/api/auth/users/{user_id}/second-factor': on(
    { 'of a member': enrolled },
    ({ companion }, { id }) => companion.delete(`/auth/users/${id}/second-factor`),
  ),
  'POST {site}/api/auth/login/second-factor': plain({
    'with a made-up challenge': ({ companion }) =>
      companion.post('/auth/login/second-factor', { ...CODE, challenge: 'guess' }),
  }),
  'GET {site}/api/auth/me/passkeys': plain({ '': ({ companion }) => companion.get('/auth/me/passkeys') }),
  'POST {site}/api/auth/me/passkeys/challenge': plain({
    'where browsers have none': ({ companion }) => companion.post('/auth/me/passkeys/challenge'),
  }),
  'POST {site}/api/auth/me/passkeys': plain({
    'where browsers have none': ({ companion }) => companion.post('/auth/me/passkeys', MADE),
  }),
  'POST {site}/api/auth/me/reauthentication/challenge': plain({
    'where browsers have none': ({ companion }) => companion.post('/auth/me/reauthentication/challenge'),
  }),
  'PATCH {site}/api/auth/me/passkeys/{passkey_id}': on(
    { 'of somebody else': othersPasskey },
    ({ companion }, { id }) => companion.patch(`/auth/me/passkeys/${id}`, { name: 'Mine' }),
  ),
  'DELETE {site}/api/auth/me/passkeys/{passkey_id}': on(
    { 'of somebody else': othersPasskey },
    ({ companion }, { id }) => companion.delete(`/auth/me/passkeys/${id}`),
  ),
};
