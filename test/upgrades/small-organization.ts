import { PICTURE } from '../../src/conformance/scene';
import { TestPerson } from '../../src/testing';

/** Somebody of the organization, with a key that works as long as its secret. */
export interface KeptPerson {
  readonly role: string;
  readonly id: number;
  readonly email: string;
  readonly apiKey: string;
}

const PASSWORD = 'seven quiet herons';

/** The owner's, as the server is started with it. */
export const OWNER_PASSWORD = PASSWORD;

const ROLES = { administrator: 200, moderator: 300, member: 400, guest: 600 } as const;

const FAR_AHEAD = 4_102_444_800;

type Answer = Record<string, unknown>;

/** Makes a little of everything that people keep, with requests that releases of every age know. */
export async function fillOrganization(url: string, ownerEmail: string): Promise<KeptPerson[]> {
  const owner = await signIn(url, 'owner', ownerEmail);
  const people = [owner];
  for (const [role, number] of Object.entries(ROLES)) {
    const email = `${role}@example.com`;
    const name = `The ${role}`;
    const { user_id } = await owner.post('/users', { email, full_name: name, password: PASSWORD });
    if (number !== ROLES.member) await owner.patch(`/users/${String(user_id)}`, { role: number });
    people.push(await signIn(url, role, email));
  }
  const [, administrator, moderator, member, guest] = people as [
    TestPerson,
    TestPerson,
    TestPerson,
    TestPerson,
    TestPerson,
  ];
  const bot = await owner.post('/bots', { full_name: 'Tide bot', short_name: 'tides', bot_type: 1 });
  const everyone = people.map(({ id }) => id);
  await subscribe(owner, 'harbor', everyone, false);
  await subscribe(owner, 'lighthouse', [owner.id, moderator.id], true);
  await fillMessages(url, owner, member, guest);
  await fillSettings(owner, administrator, member);
  const id = Number(bot.user_id);
  const ofBot = { role: 'bot', id, email: await emailOf(owner, id), apiKey: String(bot.api_key) };
  return [...people.map(({ name, id, email, apiKey }) => ({ role: name, id, email, apiKey })), ofBot];
}

async function signIn(url: string, role: string, email: string): Promise<TestPerson> {
  const stranger = new TestPerson(url, 'stranger', 0, email, '');
  const key = await stranger.post('/fetch_api_key', { username: email, password: PASSWORD });
  return new TestPerson(url, role, Number(key.user_id), email, String(key.api_key));
}

async function emailOf(owner: TestPerson, id: number): Promise<string> {
  const { user } = await owner.get(`/users/${id}`);
  return String((user as Answer).email);
}

async function subscribe(
  owner: TestPerson,
  name: string,
  ids: readonly number[],
  isPrivate: boolean,
): Promise<void> {
  await owner.post('/users/me/subscriptions', {
    subscriptions: [{ name, description: `All about the ${name}` }],
    principals: ids,
    invite_only: isPrivate,
    history_public_to_subscribers: true,
  });
}

async function fillMessages(
  site: string,
  owner: TestPerson,
  member: TestPerson,
  guest: TestPerson,
): Promise<void> {
  const first = await owner.send({ channel: 'harbor', topic: 'tides', content: 'High **tide** at six' });
  const second = await member.send({ channel: 'harbor', topic: 'tides', content: 'Low tide at noon' });
  await owner.send({ channel: 'lighthouse', topic: 'lamp', content: '$$x^2$$ and `code`' });
  await owner.send({ to: [member.id, guest.id], content: 'Meet me at the pier' });
  await guest.send({ to: [owner.id], content: '/poll Which boat?\nThe red one\nThe blue one' });
  await member.patch(`/messages/${second}`, { content: 'Low tide at **one**' });
  await member.post(`/messages/${first}/reactions`, { emoji_name: 'tada' });
  await member.post('/messages/flags', { messages: [first], op: 'add', flag: 'starred' });
  await owner.post('/messages/flags', { messages: [second], op: 'add', flag: 'read' });
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(PICTURE)], { type: 'image/png' }), 'boat.png');
  const answer = await fetch(`${site}/api/v1/user_uploads`, {
    method: 'POST',
    body: form,
    headers: { authorization: authorizationOf(owner) },
  });
  const { url } = (await answer.json()) as { url: string };
  await owner.send({ channel: 'harbor', topic: 'pictures', content: `[boat](${url})` });
}

async function fillSettings(owner: TestPerson, administrator: TestPerson, member: TestPerson): Promise<void> {
  await owner.post('/user_groups/create', {
    name: 'sailors',
    description: 'Who sails',
    members: [owner.id, member.id],
  });
  await administrator.post('/realm/filters', {
    pattern: '#(?P<id>[0-9]+)',
    url_template: 'https://example.com/{id}',
  });
  await administrator.post('/realm/profile_fields', { name: 'Cabin', field_type: 1 });
  await administrator.post('/realm/playgrounds', {
    name: 'Rust',
    pygments_language: 'Rust',
    url_template: 'https://example.com/{code}',
  });
  await member.post('/drafts', {
    drafts: [{ type: 'private', to: [owner.id], topic: '', content: 'Not yet' }],
  });
  await member.post('/saved_snippets', { title: 'Greeting', content: 'Ahoy' });
  await member.post('/users/me/alert_words', { alert_words: ['storm'] });
  await member.post('/scheduled_messages', {
    type: 'direct',
    to: [owner.id],
    content: 'A century later',
    scheduled_delivery_timestamp: FAR_AHEAD,
  });
  const { stream_id } = await member.get('/get_stream_id', { stream: 'harbor' });
  await member.post('/user_topics', { stream_id, topic: 'tides', visibility_policy: 3 });
  await member.patch('/settings', { twenty_four_hour_time: true });
}

/** Of a registration, what says nothing of the data. */
const OF_THE_MOMENT = new Set([
  'queue_id',
  'last_event_id',
  'event_queue_longpoll_timeout_seconds',
  'idle_queue_timeout_secs',
  'zulip_version',
  'zulip_feature_level',
  'zulip_merge_base',
]);

/** What changes with time alone. */
const OF_TIME = new Set(['stream_weekly_traffic', 'is_recently_active']);

const STATE = [
  'subscription',
  'realm_user',
  'realm_user_groups',
  'user_topic',
  'starred_messages',
  'alert_words',
  'custom_profile_fields',
  'realm_linkifiers',
  'realm_playgrounds',
  'drafts',
  'saved_snippets',
  'user_settings',
];

/** The newest message that the person sees. */
export async function newestMessage(url: string, person: KeptPerson): Promise<number> {
  const { messages } = await ask(url, person, 'GET', '/messages?anchor=newest&num_before=1&num_after=0');
  return Number((messages as { id: number }[]).at(-1)?.id);
}

/** What each role is to be answered after an upgrade as before it, up to a message. */
export async function readAll(
  url: string,
  person: KeptPerson,
  lastMessage: number,
): Promise<Record<string, Answer>> {
  const page = `anchor=${lastMessage}&num_before=50&num_after=0`;
  const narrow = (operator: string, operand: string) =>
    `/messages?${page}&narrow=${encodeURIComponent(JSON.stringify([{ operator, operand }]))}`;
  const paths = [
    `/messages?${page}`,
    `/messages?${page}&apply_markdown=false`,
    narrow('channel', 'harbor'),
    narrow('search', 'tide'),
    narrow('is', 'dm'),
    narrow('is', 'starred'),
    '/users',
    '/users/me',
    '/streams',
    '/users/me/subscriptions',
    '/user_groups',
    '/attachments',
    '/drafts',
    '/saved_snippets',
    '/scheduled_messages',
    '/realm/linkifiers',
    '/realm/profile_fields',
    '/realm/emoji',
  ];
  const answers: Record<string, Answer> = {};
  for (const path of paths) answers[path] = await ask(url, person, 'GET', path);
  const state = await ask(
    url,
    person,
    'POST',
    `/register?fetch_event_types=${encodeURIComponent(JSON.stringify(STATE))}`,
  );
  answers['/register'] = Object.fromEntries(Object.entries(state).filter(([key]) => !OF_THE_MOMENT.has(key)));
  return answers;
}

async function ask(url: string, person: KeptPerson, method: string, path: string): Promise<Answer> {
  const headers = { authorization: authorizationOf(person) };
  const answer = await fetch(`${url}/api/v1${path}`, { method, headers });
  const text = (await answer.text()).replaceAll(url, '{site}');
  return JSON.parse(text, (key, value: unknown) => (OF_TIME.has(key) ? undefined : value)) as Answer;
}

function authorizationOf({ email, apiKey }: Pick<KeptPerson, 'email' | 'apiKey'>): string {
  return `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`;
}
