import { requests, requestType } from './client-memory';
import { isNamed, objectIn } from './keys';
import type { ChangePart, Json, LevelContext } from './level-change';

const SOURCE = 'realm_user';
const BOTS = 'realm_bot';

/** What the person of an event is told to have, by what the bot had instead: of these, the bot was told of first. */
const TOLD_BEFORE = [
  ['avatar_url', 'avatar_url'],
  ['bot_owner_id', 'owner_id'],
] as const;

/** Of these, the bot was told of after the person. */
const TOLD_AFTER = [
  ['full_name', 'full_name'],
  ['is_active', 'is_active'],
] as const;

/** Who administers a bot was told apart of what everybody is told of it as a user, and of its new keys. */
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
