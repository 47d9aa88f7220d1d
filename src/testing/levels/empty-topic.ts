import { declareCapability } from './client-memory';
import type { ChangePart, Json } from './level-change';
import { isObject } from './records';

/** Requests that say whether the client knows the empty topic. */
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
 * What had no topic had the one that is taken for none today. Answers are asked for with the empty topic as it is, and
 * it is given that name wherever it stands.
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
