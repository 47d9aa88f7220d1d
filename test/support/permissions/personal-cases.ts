import type { Member } from '../cast';
import { expectSuccess } from '../expect-answer';
import type { CaseTable, World } from './case';
import type { Target } from './outcome';
import { on, plain, type MakeTarget } from './plain-cases';

/** Something of one's own and the same of somebody else, as targets. */
const ownedBy = (
  make: (owner: Member, world: World) => Promise<number>,
): Readonly<Record<string, MakeTarget>> => {
  const targetOf = async (owner: Member, world: World): Promise<Target> => ({ id: await make(owner, world) });
  return {
    own: ({ account, friend, name }, world) =>
      targetOf(account && name !== 'incoming webhook' ? account : friend, world),
    "somebody else's": (_, world) => targetOf(world.host, world),
  };
};

const SNIPPET = { title: 'lunch', content: 'Soup' };
const SNIPPETS = ownedBy(
  async (owner, { app }) =>
    expectSuccess(await app.as(owner).post('/saved_snippets', SNIPPET)).saved_snippet_id,
);

/** What people keep for themselves, to come back to. */
export const PERSONAL_CASES: CaseTable = {
  'GET /saved_snippets': on(SNIPPETS, ({ client }) => client.get('/saved_snippets'), {
    isDone: ({ body }, { id }) => body.saved_snippets.some((each: Target) => each.id === id),
    isList: true,
  }),
  'POST /saved_snippets': plain({ '': ({ client }) => client.post('/saved_snippets', SNIPPET) }),
  'PATCH /saved_snippets/{saved_snippet_id}': on(SNIPPETS, ({ client }, { id }) =>
    client.patch(`/saved_snippets/${id}`, { title: 'dinner' }),
  ),
  'DELETE /saved_snippets/{saved_snippet_id}': on(SNIPPETS, ({ client }, { id }) =>
    client.delete(`/saved_snippets/${id}`),
  ),
};
