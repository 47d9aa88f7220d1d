import { check, topicOf } from '../check';
import { expectThat, listWith, listWithout, number } from '../expectations';

/** Invitation links. No email is sent. */
export const INVITATIONS = topicOf(
  'invitations',
  check(
    'makes a link, lists and revokes it',
    'Administrators look after who can join.',
    async ({ owner }) => {
      const { client } = owner;
      const { invite_link: link } = await client.ok('POST /invites/multiuse', {
        invite_expires_in_minutes: 60,
        invite_as: 400,
        stream_ids: [],
      });
      expectThat('invite_link', link, /^https?:\/\/.+\/join\/.+/);
      const listed = async () => (await client.ok('GET /invites'))['invites'];
      const record = {
        id: number,
        invited_by_user_id: owner.id,
        invited: number,
        invited_as: 400,
        is_multiuse: true,
        link_url: link,
      };
      const before = await listed();
      expectThat('invites', before, listWith(record));
      const { id } = (before as { id: number; link_url?: string }[]).find(
        (each) => each.link_url === link,
      ) ?? {
        id: 0,
      };
      await client.ok(`DELETE /invites/multiuse/${id}`);
      expectThat('invites', await listed(), listWithout({ link_url: link }));
    },
  ),
  check('tells administrators that there is something new', 'Their lists are up to date.', async (scene) => {
    const { client } = scene.owner;
    const queue = await scene.listen(['invites_changed']);
    const { invite_link: link } = await client.ok('POST /invites/multiuse', { stream_ids: [] });
    await queue.next({ type: 'invites_changed' });
    const { invites } = await client.ok('GET /invites');
    for (const { id, link_url } of invites as { id: number; link_url?: string }[])
      if (link_url === link) await client.ok(`DELETE /invites/multiuse/${id}`);
    await queue.end();
  }),
  check(
    'refuses to revoke a link that there is not',
    'It may have been revoked by another.',
    async ({ owner }) => {
      await owner.client.refused('DELETE /invites/multiuse/2000000000', {}, 400, 'BAD_REQUEST');
    },
  ),
  check('lets no member invite with more than they are', 'Only owners create owners.', async ({ person }) => {
    await person.client.refused('POST /invites/multiuse', { invite_as: 100, stream_ids: [] });
  }),
);
