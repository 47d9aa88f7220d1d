import { begun, sendPiece, TUS } from '../tus-setup';
import type { Member } from '../cast';
import type { CaseTable, World } from './case';
import type { Target } from './outcome';
import { on, plain, type MakeTarget } from './plain-cases';

/** An unfinished upload. */
interface Unfinished extends Target {
  readonly url: string;
}

const unfinished = async ({ app }: World, owner: Member): Promise<Unfinished> => ({
  id: -1,
  url: await begun(app, owner, 4),
});

const OWN_AND_OTHERS: Readonly<Record<string, MakeTarget<Unfinished>>> = {
  own: ({ account, friend, name }, world) =>
    unfinished(world, account && name !== 'incoming webhook' ? account : friend),
  "somebody else's": (_, world) => unfinished(world, world.host),
};

const nothing: Unfinished = { id: -1, url: `/api/v1/tus/${'x'.repeat(24)}` };

/** Resumable uploads. */
export const TUS_CASES: CaseTable = {
  'OPTIONS /tus': plain({ '': ({ client }) => client.send({ method: 'OPTIONS', url: '/api/v1/tus' }) }),
  'POST /tus': plain({
    '': ({ client }) =>
      client.send({ method: 'POST', url: '/api/v1/tus', headers: { ...TUS, 'upload-length': '4' } }),
  }),
  'GET /tus/{upload_id}': on(
    OWN_AND_OTHERS,
    ({ client }, { url }) => client.send({ method: 'GET', url, headers: TUS }),
    { nothing },
  ),
  'PATCH /tus/{upload_id}': on(OWN_AND_OTHERS, ({ client }, { url }) => sendPiece(client, url, 0, 'abcd'), {
    nothing,
  }),
  'DELETE /tus/{upload_id}': on(
    OWN_AND_OTHERS,
    ({ client }, { url }) => client.send({ method: 'DELETE', url, headers: TUS }),
    { nothing },
  ),
};
