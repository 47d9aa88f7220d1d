import type { ChangePart, ClientFacts, Json, LevelContext } from './level-change';
import { isNamed, isObject, objectIn, parsed } from './records';

/** Maximum number of remembered queues, the newest. */
const MOST_QUEUES = 10_000;

/** The declarations of registered clients, by queue. */
export class ClientMemory {
  private readonly clients = new Map<string, ClientFacts>();

  remember(queueId: string, client: ClientFacts): void {
    this.clients.set(queueId, client);
    const [oldest] = this.clients.keys();
    if (this.clients.size > MOST_QUEUES && oldest !== undefined) this.clients.delete(oldest);
  }

  of(queueId = ''): ClientFacts | null {
    return this.clients.get(queueId) ?? null;
  }
}

/** The declarations of a registering client. Invalid ones are ignored: the server refuses the request. */
export function clientIn(parameters: ReadonlyMap<string, string>): ClientFacts {
  const declared = parsed(parameters.get('client_capabilities'));
  const eventTypes = typesIn(parameters.get('event_types'));
  const capabilities = isObject(declared) ? Object.entries(declared).filter(([, has]) => has === true) : [];
  return {
    capabilities: new Set(capabilities.map(([name]) => name)),
    eventTypes,
    fetchTypes: typesIn(parameters.get('fetch_event_types')) ?? eventTypes,
  };
}

/** Declares a capability for a registering client. Invalid declarations are left for the server to refuse. */
export function declareCapability(parameters: Map<string, string>, name: string): void {
  const declared = parsed(parameters.get('client_capabilities') ?? '{}');
  if (!isObject(declared)) return;
  // Every declaration must contain this key.
  const least = parameters.has('client_capabilities') ? {} : { notification_settings_null: false };
  parameters.set('client_capabilities', JSON.stringify({ ...least, ...declared, [name]: true }));
}

/**
 * Requests a type for a registering client that it did not ask for, so that requested types can be derived from it.
 * @param what the parameter with types of events, or of state
 */
export function requestType(
  parameters: Map<string, string>,
  what: 'event_types' | 'fetch_event_types',
  type: string,
): void {
  const types = typesIn(parameters.get(what) ?? parameters.get('event_types'));
  if (types === null || types.has(type)) return;
  // By default, the types of the state are those of the events.
  const fetched = parameters.get('fetch_event_types') ?? parameters.get('event_types');
  if (fetched !== undefined) parameters.set('fetch_event_types', fetched);
  parameters.set(what, JSON.stringify([...types, type]));
}

/**
 * Event types from which others are derived, so that clients may receive them without asking: see {@link requestType}.
 */
const SOURCES: ReadonlySet<unknown> = new Set(['realm_user', 'user_settings']);

/** Whether an event was only requested to derive others from it. */
export function isSourceAlone(event: Json, client: ClientFacts | null): boolean {
  return SOURCES.has(event['type']) && !requests(client, String(event['type']));
}

/** Whether a client requested events of a type. */
export function requests(client: ClientFacts | null, type: string): boolean {
  return client?.eventTypes?.has(type) ?? true;
}

/** Whether a client requested the state of a type. */
export function fetches(client: ClientFacts | null, type: string): boolean {
  return client?.fetchTypes?.has(type) ?? true;
}

function typesIn(text: string | undefined): ReadonlySet<string> | null {
  const types = parsed(text);
  return Array.isArray(types) ? new Set(types as string[]) : null;
}

/** Requests with a parameter for support of the empty topic. */
export const EMPTY_TOPIC_READS = [
  'GET /messages',
  'GET /messages/{message_id}',
  'GET /messages/{message_id}/history',
  'GET /users/me/{stream_id}/topics',
] as const;

const BEFORE = '(no topic)';
const TOPIC_KEYS = ['topic', 'subject', 'topic_name', 'orig_subject', 'prev_topic'] as const;
const DIRECT = ['private', 'direct'];

/**
 * Before the empty topic, messages without a topic had a reserved name. Answers are requested with the empty topic, and
 * it is renamed wherever it occurs.
 */
export function emptyTopicAsBefore(): ChangePart {
  const asIs = (parameters: Map<string, string>) => parameters.set('allow_empty_topic_name', 'true');
  return {
    asks: {
      ...Object.fromEntries(EMPTY_TOPIC_READS.map((route) => [route, asIs])),
      'POST /register': (parameters) => declareCapability(parameters, 'empty_topic_name'),
    },
    state: nameTopics,
    event: (event) => {
      nameTopics(event);
      return event;
    },
    answers: {
      ...Object.fromEntries(
        [
          'GET /messages',
          'GET /messages/{message_id}',
          'GET /messages/{message_id}/history',
          'GET /drafts',
          'GET /scheduled_messages',
        ].map((route) => [route, nameTopics]),
      ),
      'GET /users/me/{stream_id}/topics': ({ topics }) => {
        for (const topic of topics as Json[]) if (topic['name'] === '') topic['name'] = BEFORE;
      },
    },
  };
}

function nameTopics(value: unknown): void {
  if (Array.isArray(value)) {
    value.forEach(nameTopics);
  } else if (isObject(value)) {
    const isDirect = value['type'] === '' || DIRECT.includes(String(value['type']));
    for (const key of isDirect ? [] : TOPIC_KEYS) if (value[key] === '') value[key] = BEFORE;
    Object.values(value).forEach(nameTopics);
  }
}

const SOURCE = 'realm_user';
const BOTS = 'realm_bot';

/** Events about a person derive from changes of the bot; these were sent first. */
const TOLD_BEFORE = [
  ['avatar_url', 'avatar_url'],
  ['bot_owner_id', 'owner_id'],
] as const;

/** These were sent after the event about the person. */
const TOLD_AFTER = [
  ['full_name', 'full_name'],
  ['is_active', 'is_active'],
] as const;

/**
 * Administrators of a bot received separate events about it, besides those that everyone receives about users, and
 * about its new keys.
 */
export function formerBotEvents(): ChangePart {
  return {
    asks: {
      'POST /register': (parameters, { client }) => {
        if (client?.eventTypes?.has(BOTS)) requestType(parameters, 'event_types', SOURCE);
      },
    },
    earlierEvents: (event, context) => botEvents(TOLD_BEFORE, event, context),
    moreEvents: (event, context) => botEvents(TOLD_AFTER, event, context),
    follows: {
      'POST /bots/{bot_id}/api_key/regenerate': ({ api_key: key }, context, { ids: [bot = 0] }) =>
        context.tellOfBot(bot, { ['api_key']: key }),
      'POST /users/me/api_key/regenerate': async ({ api_key: key }, context) => {
        const { asker } = context;
        if (asker !== null && isBot(asker, context)) await context.tellOfBot(asker, { ['api_key']: key });
      },
    },
  };
}

function botEvents(keys: readonly (readonly [string, string])[], event: Json, context: LevelContext): Json[] {
  const { asker, client } = context;
  if (!isNamed(event, 'realm_user/update') || asker === null || !requests(client, BOTS)) return [];
  const person = objectIn(event, 'person');
  const id = Number(person['user_id']);
  const changed = keys.flatMap(([key, before]) => (key in person ? [[before, person[key]]] : []));
  if (changed.length === 0 || !isBot(id, context)) return [];
  const told = context.toldOfBot(asker, id, Number(event['id']));
  // A new owner gets the bot, a former one loses it, and only administrators keep it.
  if (told === null || (told === 'owner' && 'bot_owner_id' in person)) return [];
  const bot = { ['user_id']: id, ...(Object.fromEntries(changed) as Json) };
  return [{ id: event['id'], type: BOTS, op: 'update', bot }];
}

function isBot(id: number, context: LevelContext): boolean {
  return (context.account(id)?.bot_type ?? null) !== null;
}
