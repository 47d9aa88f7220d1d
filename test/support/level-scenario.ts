import { createHash } from 'node:crypto';
import type { Answer, Parley, TestPerson } from '../../src/testing';
import { haveOneRecipient, loseMessages } from './level-messages';

/** Capabilities for newer forms of answers and events, all of which the client declares. */
const CAPABILITIES = [
  'notification_settings_null',
  'bulk_message_deletion',
  'user_avatar_url_field_optional',
  'stream_typing_notifications',
  'user_settings_object',
  'linkifier_url_template',
  'user_list_incomplete',
  'include_deactivated_groups',
  'archived_channels',
  'empty_topic_name',
  'simplified_presence_events',
  'individual_emoji_changes',
];

/** A picture of 120 by 90 pixels, large enough for a thumbnail. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAHgAAABaAQAAAABbe69CAAAAGElEQVR42mP4jwoYRvmj/FH+KH+UPyj4AO5aQQZyAPNiAAAAAElFTkSuQmCC',
  'base64',
);

/** The start of a video, enough for the server's detection. */
const CLIP = Buffer.from('AAAAFGZ0eXBxdCAgAAACAHF0ICAAAAAId2lkZQ==', 'base64');

/** Results of a run of everything that changed between levels. */
export interface Seen {
  /** Answers, by the name of the request in the table. */
  readonly answers: Readonly<Record<string, Answer>>;
  /** Queues registered at the start: by the name of their events in the table, with their owners. */
  readonly queues: Readonly<Record<string, { readonly person: TestPerson; readonly id: string }>>;
  /** HTML of messages. */
  readonly html: string;
  /** Values of placeholders in the table. */
  readonly names: Readonly<Record<string, string>>;
}

/**
 * Sends the requests that the table of levels checks. Requests that a release does not know are refused, which is
 * expected.
 */
export async function playLevelScenario(parley: Parley): Promise<Seen> {
  const olivia = parley.as('olivia');
  const answers: Record<string, Answer> = {};
  const id = (name: string) => Number(parley.people[name]?.id);
  const channel = async (name: string) =>
    Number((await olivia.get('/get_stream_id', { stream: name }))['stream_id']);
  const [lobby, team] = [await channel('lobby'), await channel('team')];
  const secret = Number((await parley.as('alice').get('/get_stream_id', { stream: 'secret' }))['stream_id']);
  const queue = await registerFully(olivia);
  const guestQueue = await registerFully(parley.as('gus'));
  const oldQueue = await olivia.post('/register', { event_types: ['update_display_settings', 'heartbeat'] });
  const groups = queue['realm_user_groups'] as { id: number; name: string }[];
  const group = (name: string) => groups.find((each) => each.name === name)?.id ?? 0;

  const mona = { direct_members: [id('mona')], direct_subgroups: [] };
  const newGroups = [
    { name: 'crew', description: '', members: [id('olivia')] },
    { name: 'spare', description: '', members: [] },
    { name: 'choir', description: '', members: [], can_mention_group: mona },
  ];
  for (const newGroup of newGroups)
    answers['POST /user_groups/create'] = await olivia.post('/user_groups/create', newGroup);
  const made = (await olivia.get('/user_groups'))['user_groups'] as { id: number; name: string }[];
  const [crew, spare, choir] = newGroups.map(({ name }) => made.find((each) => each.name === name)?.id ?? 0);
  const { user_id: leaver } = await olivia.post('/users', {
    email: 'leaver@example.com',
    password: 'x',
    full_name: 'Leaver',
  });
  const field = await created(olivia, '/realm/profile_fields', { name: 'Team', field_type: 1 }, 'id');
  const filter = await created(
    olivia,
    '/realm/filters',
    { pattern: '#(?P<id>[0-9]+)', url_template: 'https://x.example/{id}' },
    'id',
  );
  await olivia.post('/invites', {
    invitee_emails: 'new@example.com',
    invite_expires_in_minutes: 10,
    stream_ids: [],
  });
  answers['GET /invites'] = await olivia.get('/invites');
  await olivia.post('/export/realm');
  answers['GET /export/realm'] = await olivia.get('/export/realm');
  answers['GET /export/realm/consents'] = await tried(olivia, 'GET', '/export/realm/consents', {});
  answers['POST /user_uploads'] = await sendFile(
    olivia,
    '/user_uploads',
    'picture.png',
    'image/png',
    PICTURE,
  );
  const sound = await sendFile(olivia, '/user_uploads', 'sound.mp3', 'audio/mpeg', Buffer.from('ID3'));
  const clip = await sendFile(olivia, '/user_uploads', 'clip.mov', 'video/quicktime', CLIP);
  const picture = addressOf(answers['POST /user_uploads']);
  await parley.settled();

  const first = await olivia.send({ channel: 'lobby', topic: 'old', content: 'first' });
  const content = `![picture](${picture}) and ![sound](${addressOf(sound)})`;
  const own = await olivia.send({ channel: 'lobby', topic: 'pictures', content });
  answers['GET /attachments'] = await olivia.get('/attachments');
  const message = await olivia.send({ channel: 'lobby', topic: 'old', content: '#**lobby>old**' });
  const written = `${content} #**lobby>old** #**lobby>old@${first}** <time:nonsense>\n\n[clip.mov](${addressOf(clip)})`;
  const { rendered } = await olivia.post('/messages/render', { content: written });
  const untitled = await olivia.send({ channel: 'lobby', topic: '(no topic)', content: 'untitled' });
  await parley
    .as('alice')
    .post('/typing', { type: 'stream', op: 'start', stream_id: lobby, topic: '(no topic)' });
  answers['incoming direct messages'] = { one_recipient: await haveOneRecipient(parley) };
  await parley.as('alice').post(`/messages/${message}/reactions`, { emoji_name: 'tada' });
  answers['PATCH /messages/{message}'] = await olivia.patch(`/messages/${message}`, {
    content: '#**lobby>old** again',
  });
  await olivia.patch(`/messages/${message}`, { topic: 'elsewhere' });

  const may = (who: string) => ({ new: group(`role:${who}`) });
  await olivia.patch('/realm', {
    topics_policy: 'disable_empty_topic',
    mandatory_topics: true,
    description: 'New',
  });
  await olivia.patch('/realm', {
    can_create_public_channel_group: may('moderators'),
    create_public_stream_policy: 4,
  });
  await olivia.patch('/realm', { can_create_groups: may('moderators'), user_group_edit_policy: 4 });
  await olivia.patch('/realm', {
    create_multiuse_invite_group: {
      new: { direct_members: [id('mona'), id('olivia')], direct_subgroups: [] },
    },
  });
  await olivia.patch(`/streams/${lobby}`, {
    can_remove_subscribers_group: { new: mona },
  });
  answers['POST /users/me/subscriptions'] = await olivia.post('/users/me/subscriptions', {
    subscriptions: [{ name: 'club' }],
    principals: [id('alice'), id('olivia')],
  });
  const hall = { name: 'hall', subscribers: [id('olivia')] };
  answers['POST /channels/create'] = await tried(olivia, 'POST', '/channels/create', hall);
  const club = await channel('club');
  await olivia.delete(`/streams/${club}`);
  await olivia.delete('/users/me/subscriptions', { subscriptions: ['lobby'], principals: [id('gus')] });
  answers['POST /users/me/presence'] = await olivia.post('/users/me/presence', { status: 'active' });
  answers['POST /messages/flags/narrow'] = await olivia.post('/messages/flags/narrow', {
    anchor: 'oldest',
    num_before: 0,
    num_after: 5,
    narrow: [],
    op: 'remove',
    flag: 'read',
  });
  await tried(olivia, 'POST', '/saved_snippets', { title: 'a', content: 'b' });
  await tried(olivia, 'PATCH', '/saved_snippets/1', { title: 'c' });
  await tried(olivia, 'POST', '/navigation_views', { fragment: 'narrow/x', is_pinned: true, name: 'x' });
  await tried(olivia, 'POST', '/reminders', {
    message_id: message,
    scheduled_delivery_timestamp: 4_000_000_000,
  });
  await tried(olivia, 'POST', '/channel_folders/create', { name: 'A', description: '' });
  await tried(olivia, 'POST', '/channel_folders/create', { name: 'B', description: '' });
  await tried(olivia, 'PATCH', '/channel_folders', { order: [2, 1] });
  await tried(olivia, 'POST', '/register_client_device', {});
  await sendFile(olivia, '/realm/emoji/zebra', 'zebra.png', 'image/png', PICTURE);
  await tried(olivia, 'POST', `/messages/${own}/typing`, { op: 'start' });
  await olivia.patch('/settings', { web_home_view: 'recent_topics' });
  await olivia.patch('/realm', { allow_edit_history: false, message_edit_history_visibility_policy: 'none' });
  await loseMessages(parley, await channel('cellar'));
  await parley.restart(0);

  const names: Record<string, string> = {
    olivia: String(id('olivia')),
    alice: String(id('alice')),
    bob: String(id('bob')),
    alerts: String(id('alerts')),
    leaver: String(leaver),
    lobby: String(lobby),
    team: String(team),
    secret: String(secret),
    crew: String(crew),
    spare: String(spare),
    choir: String(choir),
    club: String(club),
    field: String(field),
    filter: String(filter),
    message: String(message),
    own: String(own),
    untitled: String(untitled),
    nobody: String(group('role:nobody')),
    members: String(group('role:members')),
    hash: createHash('sha256').update(content).digest('hex'),
    thumbnail: picture.replace('/user_uploads/', ''),
  };
  return {
    answers,
    html: String(rendered),
    names,
    queues: {
      event: { person: olivia, id: String(queue['queue_id']) },
      'event of gus': { person: parley.as('gus'), id: String(guestQueue['queue_id']) },
      'event of an old client': { person: olivia, id: String(oldQueue['queue_id']) },
    },
  };
}

/** Registers a client with every capability. */
export async function registerFully(person: TestPerson): Promise<Answer> {
  return person.post('/register', {
    apply_markdown: true,
    client_capabilities: Object.fromEntries(CAPABILITIES.map((name) => [name, true])),
    include_subscribers: true,
  });
}

/** @returns the ID of the created object */
async function created(person: TestPerson, path: string, parameters: Answer, key: string): Promise<number> {
  return Number((await person.post(path, parameters))[key]);
}

/** @returns the answer, which may be a refusal */
async function tried(person: TestPerson, method: string, path: string, parameters: Answer): Promise<Answer> {
  return person.request(method, path, parameters).catch((error: { answer: Answer }) => error.answer);
}

function addressOf(answer: Answer | undefined): string {
  return String(answer?.['url'] ?? answer?.['uri']);
}

async function sendFile(
  person: TestPerson,
  path: string,
  name: string,
  type: string,
  content: Buffer,
): Promise<Answer> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(content)], { type }), name);
  const authorization = `Basic ${Buffer.from(`${person.email}:${person.apiKey}`).toString('base64')}`;
  const answer = await fetch(`${person.config['realm']}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization },
    body: form,
  });
  return (await answer.json()) as Answer;
}
