import type { Member } from '../cast';
import { createChannel } from '../channel-setup';
import { reactivate } from '../deactivation';
import { expectSuccess } from '../expect-answer';
import { makeGroup, systemGroupId } from '../group-setup';
import { stateOf } from '../initial-state';
import type { CaseTable, World } from './case';
import type { Target } from './outcome';
import { all, on, plain, type MakeTarget } from './plain-cases';

let names = 0;
const newName = (word: string) => `${word}${++names}`;

const owner = ({ app }: World) => app.as(app.cast.olivia);

/** A group with one member, who also manages it. */
async function groupOf(world: World, member: Member): Promise<Target> {
  const name = newName('group');
  const can_manage_group = { direct_members: [member.id], direct_subgroups: [] };
  const id = await makeGroup(world.app, world.app.cast.olivia, name, {
    members: [member.id],
    can_manage_group,
  });
  return { id, name };
}

const GROUPS: Readonly<Record<string, MakeTarget>> = {
  'of which one is a member and manager': ({ account, friend }, world) => groupOf(world, account ?? friend),
  "somebody else's": (_, world) => groupOf(world, world.host),
};

/** Adds an emoji as the author. */
async function emojiOf({ app, picture }: World, author: Member): Promise<Target & { name: string }> {
  const name = newName('emoji');
  const upload = { name: 'e.png', content: picture };
  expectSuccess(await app.as(author).upload(`/realm/emoji/${name}`, upload));
  return { id: -1, name };
}

const linkifier = () => ({ pattern: newName('word'), url_template: 'https://x.org' });
const playground = () => ({
  name: newName('site'),
  pygments_language: 'Rust',
  url_template: 'https://play.example.com/{code}',
});

const newLinkifier: MakeTarget = async (_, world) => ({
  id: expectSuccess(await owner(world).post('/realm/filters', linkifier())).id,
});
const newPlayground: MakeTarget = async (_, world) => ({
  id: expectSuccess(await owner(world).post('/realm/playgrounds', playground())).id,
});
let exportKeys = 0;
const newExport: MakeTarget = async (_, { app }) => {
  const [id] = await app.writeRows(async (tx) => {
    const rows = await tx.query<{ id: number }>(
      `INSERT INTO organization_export (requester_id, type, file_key, requested_at, succeeded_at, size)
       VALUES (?, 'public', ?, 1, 2, 3) RETURNING id`,
      [app.cast.olivia.id, `key${++exportKeys}`],
    );
    return rows.map((row) => row.id);
  });
  return { id: id ?? 0 };
};
const newFolder: MakeTarget = async (_, world) => ({
  id: expectSuccess(
    await owner(world).post('/channel_folders/create', { name: newName('folder'), description: '' }),
  ).channel_folder_id,
});
const newDomain = () => ({ domain: `${newName('domain')}.example.org`, allow_subdomains: false });
const oneDomain: MakeTarget<Target & { name: string }> = async (_, world) => {
  const [id, name] = expectSuccess(await owner(world).post('/realm/domains', newDomain())).new_domain;
  return { id, name };
};
const channelGroup = () => ({ group_name: newName('group'), description: '', stream_names: [] });

/** Their number is limited. */
const newChannelGroup: MakeTarget = async (_, { app }) => {
  const groups = async () => (await stateOf(app, app.cast.olivia)).realm_default_stream_groups as Target[];
  for (const { id } of await groups()) {
    expectSuccess(await app.as(app.cast.olivia).delete(`/default_stream_groups/${id}`));
  }
  expectSuccess(await app.as(app.cast.olivia).post('/default_stream_groups/create', channelGroup()));
  return (await groups())[0]!;
};
const newField: MakeTarget = async (_, world) => ({
  id: expectSuccess(
    await owner(world).post('/realm/profile_fields', { name: newName('field'), field_type: 1 }),
  ).id,
});

export const ORGANIZATION_CASES: CaseTable = {
  'PATCH /realm/user_settings_defaults': plain({
    '': ({ client }) => client.patch('/realm/user_settings_defaults', { enter_sends: true }),
  }),
  'POST /realm/test_welcome_bot_custom_message': plain({
    '': ({ client }) =>
      client.post('/realm/test_welcome_bot_custom_message', { welcome_message_custom_text: 'hi' }),
  }),
  'POST /realm/deactivate': plain({
    '': async ({ client }, { app }) => {
      const answer = await client.post('/realm/deactivate');
      await reactivate(app);
      return answer;
    },
  }),
  'PATCH /realm': all(
    plain({ '': ({ client }) => client.patch('/realm', { description: 'here' }) }),
    plain({
      'a permission group': ({ client }, { host }) =>
        client.patch('/realm', {
          can_summarize_topics_group: { new: { direct_members: [host.id], direct_subgroups: [] } },
        }),
      'a permission that owners give': ({ client }, { app }) =>
        client.patch('/realm', { can_manage_all_groups: { new: systemGroupId(app, 'role:owners') } }),
      'message retention': ({ client }) => client.patch('/realm', { message_retention_days: 'unlimited' }),
    }),
  ),

  'GET /realm/domains': plain({ '': ({ client }) => client.get('/realm/domains') }),
  'POST /realm/domains': plain({
    '': ({ client }) => client.post('/realm/domains', newDomain()),
  }),
  'PATCH /realm/domains/{domain}': on(
    { '': oneDomain },
    ({ client }, { name }) => client.patch(`/realm/domains/${name}`, { allow_subdomains: true }),
    { nothing: { id: -1, name: 'nowhere.example.org' }, mayTellName: true },
  ),
  'DELETE /realm/domains/{domain}': on(
    { '': oneDomain },
    ({ client }, { name }) => client.delete(`/realm/domains/${name}`),
    { nothing: { id: -1, name: 'nowhere.example.org' }, mayTellName: true },
  ),
  'GET /realm/icon': plain({ '': ({ client }) => client.get('/realm/icon') }),
  'POST /realm/icon': plain({
    '': ({ client }, { picture }) => client.upload('/realm/icon', { name: 'a.png', content: picture }),
  }),
  'DELETE /realm/icon': plain({ '': ({ client }) => client.delete('/realm/icon') }),
  'GET /realm/logo': plain({ '': ({ client }) => client.get('/realm/logo', { night: false }) }),
  'POST /realm/logo': plain({
    '': ({ client }, { picture }) =>
      client.upload('/realm/logo', { name: 'a.png', content: picture }, { night: true }),
  }),
  'DELETE /realm/logo': plain({ '': ({ client }) => client.delete('/realm/logo', { night: true }) }),

  'GET /channel_folders': plain({ '': ({ client }) => client.get('/channel_folders') }),
  'POST /channel_folders/create': plain({
    '': ({ client }) => client.post('/channel_folders/create', { name: newName('folder'), description: '' }),
  }),
  'PATCH /channel_folders': plain({
    '': async ({ client }, world) => {
      const folders = await owner(world).get('/channel_folders', { include_archived: true });
      const order = expectSuccess(folders).channel_folders.map(({ id }: Target) => id);
      return client.patch('/channel_folders', { order });
    },
  }),
  'PATCH /channel_folders/{channel_folder_id}': on({ '': newFolder }, ({ client }, { id }) =>
    client.patch(`/channel_folders/${id}`, { description: 'new' }),
  ),
  'POST /default_stream_groups/create': plain({
    '': ({ client }) => client.post('/default_stream_groups/create', channelGroup()),
  }),
  'PATCH /default_stream_groups/{group_id}': on({ '': newChannelGroup }, ({ client }, { id }) =>
    client.patch(`/default_stream_groups/${id}`, { new_description: 'new' }),
  ),
  'DELETE /default_stream_groups/{group_id}': on({ '': newChannelGroup }, ({ client }, { id }) =>
    client.delete(`/default_stream_groups/${id}`),
  ),
  'PATCH /default_stream_groups/{group_id}/streams': on(
    { '': newChannelGroup },
    async ({ client }, { id }, world) => {
      const name = newName('channel');
      await createChannel(world.app, world.app.cast.olivia, name);
      return client.patch(`/default_stream_groups/${id}/streams`, { op: 'add', stream_names: [name] });
    },
  ),
  'POST /channels/create': plain(
    Object.fromEntries(
      Object.entries({
        public: {},
        private: { invite_only: true },
        'web-public': { is_web_public: true },
      }).map(([kind, options]) => [
        kind,
        ({ client }) =>
          client.post('/channels/create', { name: newName('channel'), subscribers: [], ...options }),
      ]),
    ),
  ),

  'GET /realm/emoji': plain({ '': ({ client }) => client.get('/realm/emoji') }),
  'POST /realm/emoji/{emoji_name}': plain({
    '': ({ client }, { picture }) =>
      client.upload(`/realm/emoji/${newName('emoji')}`, { name: 'e.png', content: picture }),
  }),
  'DELETE /realm/emoji/{emoji_name}': on(
    {
      own: ({ account, name }, world) =>
        emojiOf(world, account && !['guest', 'incoming webhook'].includes(name) ? account : world.host),
      "somebody else's": (_, world) => emojiOf(world, world.host),
    },
    ({ client }, { name }) => client.delete(`/realm/emoji/${name}`),
    { nothing: { id: -1, name: 'nowhere' }, mayTellName: true },
  ),

  'GET /realm/linkifiers': plain({ '': ({ client }) => client.get('/realm/linkifiers') }),
  'PATCH /realm/linkifiers': plain({
    '': async ({ client }, world) => {
      const { linkifiers } = expectSuccess(await owner(world).get('/realm/linkifiers'));
      const ordered_linkifier_ids = linkifiers.map(({ id }: Target) => id);
      return client.patch('/realm/linkifiers', { ordered_linkifier_ids });
    },
  }),
  'POST /realm/filters': plain({ '': ({ client }) => client.post('/realm/filters', linkifier()) }),
  'PATCH /realm/filters/{filter_id}': on({ '': newLinkifier }, ({ client }, { id }) =>
    client.patch(`/realm/filters/${id}`, linkifier()),
  ),
  'DELETE /realm/filters/{filter_id}': on({ '': newLinkifier }, ({ client }, { id }) =>
    client.delete(`/realm/filters/${id}`),
  ),
  'POST /realm/playgrounds': plain({ '': ({ client }) => client.post('/realm/playgrounds', playground()) }),
  'DELETE /realm/playgrounds/{playground_id}': on({ '': newPlayground }, ({ client }, { id }) =>
    client.delete(`/realm/playgrounds/${id}`),
  ),

  'GET /export/realm': plain({ '': ({ client }) => client.get('/export/realm') }),
  'GET /export/realm/consents': plain({ '': ({ client }) => client.get('/export/realm/consents') }),
  'POST /export/realm': plain({ '': ({ client }) => client.post('/export/realm') }),
  'DELETE /export/realm/{export_id}': on({ '': newExport }, ({ client }, { id }) =>
    client.delete(`/export/realm/${id}`),
  ),
  'GET {site}/user_avatars/exports/1/{key}/{file}': plain({
    '': ({ client }) => client.send({ method: 'GET', url: '/user_avatars/exports/1/key/file.tar.gz' }),
  }),

  'GET /realm/profile_fields': plain({ '': ({ client }) => client.get('/realm/profile_fields') }),
  'POST /realm/profile_fields': plain({
    '': ({ client }) => client.post('/realm/profile_fields', { name: newName('field'), field_type: 1 }),
  }),
  'PATCH /realm/profile_fields': plain({
    '': async ({ client }, world) => {
      const { custom_fields } = expectSuccess(await owner(world).get('/realm/profile_fields'));
      return client.patch('/realm/profile_fields', { order: custom_fields.map(({ id }: Target) => id) });
    },
  }),
  'PATCH /realm/profile_fields/{field_id}': on({ '': newField }, ({ client }, { id }) =>
    client.patch(`/realm/profile_fields/${id}`, { hint: 'new' }),
  ),
  'DELETE /realm/profile_fields/{field_id}': on({ '': newField }, ({ client }, { id }) =>
    client.delete(`/realm/profile_fields/${id}`),
  ),

  'GET /user_groups': plain({ '': ({ client }) => client.get('/user_groups') }),
  'POST /user_groups/create': plain({
    '': ({ client }) =>
      client.post('/user_groups/create', { name: newName('group'), description: '', members: [] }),
  }),
  'PATCH /user_groups/{user_group_id}': on(GROUPS, ({ client }, { id }) =>
    client.patch(`/user_groups/${id}`, { description: 'new' }),
  ),
  'POST /user_groups/{user_group_id}/deactivate': on(GROUPS, ({ client }, { id }) =>
    client.post(`/user_groups/${id}/deactivate`),
  ),
  'GET /user_groups/{user_group_id}/members': on(GROUPS, ({ client }, { id }) =>
    client.get(`/user_groups/${id}/members`),
  ),
  'POST /user_groups/{user_group_id}/members': on(GROUPS, ({ client, friend }, { id }) =>
    client.post(`/user_groups/${id}/members`, { add: [friend.id] }),
  ),
  'GET /user_groups/{user_group_id}/members/{user_id}': on(GROUPS, ({ client }, { id }, { host }) =>
    client.get(`/user_groups/${id}/members/${host.id}`),
  ),
  'GET /user_groups/{user_group_id}/subgroups': on(GROUPS, ({ client }, { id }) =>
    client.get(`/user_groups/${id}/subgroups`),
  ),
  'POST /user_groups/{user_group_id}/subgroups': on(GROUPS, async ({ client }, { id }, world) => {
    const subgroup = await makeGroup(world.app, world.app.cast.olivia, newName('group'));
    return client.post(`/user_groups/${id}/subgroups`, { add: [subgroup] });
  }),
};
