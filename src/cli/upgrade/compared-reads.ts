import { setTimeout as pause } from 'node:timers/promises';
import { CommandRefused } from '../../platform/operator/operator-commands';
import { isObject } from '../../platform/collections';

/** An account whose responses are compared. */
export interface RoleAccount {
  readonly role: string;
  readonly email: string;
  readonly apiKey: string;
}

/** A server's responses, by reader and path. */
export type Answers = ReadonlyMap<string, unknown>;

const ANSWER_MS = 30_000;

/** A rate-limited request succeeds within a minute. */
const MOST_TRIES = 10;

const MESSAGES = 50;

/** State types of a registration whose contents depend on the role. */
const STATE = [
  'alert_words',
  'custom_profile_fields',
  'drafts',
  'muted_topics',
  'muted_users',
  'realm',
  'realm_emoji',
  'realm_filters',
  'realm_linkifiers',
  'realm_playgrounds',
  'realm_user',
  'realm_user_groups',
  'saved_snippets',
  'scheduled_messages',
  'starred_messages',
  'subscription',
  'user_settings',
  'user_topic',
];

/** Names of values that differ between two moments, servers or releases without affecting the data. */
const PASSING = new Set([
  'queue_id',
  'last_event_id',
  'event_queue_longpoll_timeout_seconds',
  'is_recently_active',
  'server_generation',
  'server_timestamp',
  'stream_weekly_traffic',
  'zulip_feature_level',
  'zulip_merge_base',
  'zulip_version',
]);

/** Reads available to every account, up to a message. */
function pathsOf(newestMessage: number): string[] {
  const page = `anchor=${newestMessage}&num_before=${MESSAGES}&num_after=0`;
  const narrowed = (operator: string, operand: string) =>
    `/messages?${page}&narrow=${encodeURIComponent(JSON.stringify([{ operator, operand }]))}`;
  return [
    `/messages?${page}`,
    `/messages?${page}&apply_markdown=false`,
    narrowed('is', 'dm'),
    narrowed('is', 'starred'),
    narrowed('is', 'mentioned'),
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
}

/**
 * The newest message that the account sees; 0 if there is none. @throws CommandRefused, or if the server does not
 * answer
 */
export async function newestMessage(site: string, reader: RoleAccount): Promise<number> {
  const { body } = await ask(site, reader, 'GET', '/messages?anchor=newest&num_before=1&num_after=0');
  const { messages = [] } = body as { messages?: { id: number }[] };
  return messages[0]?.id ?? 0;
}

/** Reads everything once as each reader. @throws CommandRefused, or if the server does not answer */
export async function readAll(
  site: string,
  readers: readonly RoleAccount[],
  newest: number,
  signal: AbortSignal,
): Promise<Answers> {
  const answers = new Map<string, unknown>();
  for (const reader of readers) {
    for (const path of pathsOf(newest)) {
      signal.throwIfAborted();
      answers.set(
        `${path.replace(/\?.*narrow=/, '?narrow=')} (${reader.role})`,
        await ask(site, reader, 'GET', path),
      );
    }
    const types = encodeURIComponent(JSON.stringify(STATE));
    const state = await ask(site, reader, 'POST', `/register?event_types=[]&fetch_event_types=${types}`);
    const { queue_id: queue } = state.body as { queue_id?: string };
    if (queue) await ask(site, reader, 'DELETE', `/events?queue_id=${encodeURIComponent(queue)}`);
    answers.set(`/register (${reader.role})`, state);
  }
  return answers;
}

/** Differences of the later responses, such as `/users/me (owner): full_name`. Additions do not count. */
export function differences(earlier: Answers, later: Answers): string[] {
  return [...earlier].flatMap(([read, answer]) =>
    placesOf(answer, later.get(read), '').map((place) => `${read}: ${place}`),
  );
}

function placesOf(earlier: unknown, later: unknown, place: string): string[] {
  if (Array.isArray(earlier) && Array.isArray(later)) {
    if (earlier.length !== later.length)
      return [`${place} has ${later.length} entries instead of ${earlier.length}`];
    return earlier.flatMap((entry, at) => placesOf(entry, later[at], `${place}[${at}]`));
  }
  if (isObject(earlier) && isObject(later)) {
    const begin = place === '' ? '' : `${place}.`;
    return Object.keys(earlier)
      .filter((key) => !PASSING.has(key))
      .flatMap((key) => placesOf(earlier[key], later[key], `${begin}${key}`));
  }
  return earlier === later ? [] : [place];
}

/** Repeats a rate-limited request. @throws CommandRefused if the response cannot be compared */
async function ask(
  site: string,
  { email, apiKey }: RoleAccount,
  method: string,
  path: string,
): Promise<{ status: number; body: object }> {
  const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await fetch(`${site}/api/v1${path}`, { method, headers: { authorization }, signal });
    const text = await answer.text();
    if (answer.status !== 429) return { status: answer.status, body: parsed(text, `${site}${path}`) };
    await pause(1_000 * Math.min(60, Math.ceil(Number(answer.headers.get('retry-after') ?? 1))));
  }
  throw new CommandRefused(
    `${site} limits requests so much that it cannot be compared. Raise RATE_LIMIT_PER_MINUTE for the rehearsal.`,
  );
}

/** @throws CommandRefused unless it is JSON */
function parsed(text: string, url: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    throw new CommandRefused(`${url} did not answer with JSON. Pass the address of the server with --site.`);
  }
}
