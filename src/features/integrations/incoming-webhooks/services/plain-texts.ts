import { BadRequest } from '../../../../platform/errors/shared.errors';
import type { Integration, IntegrationPost } from '../reading/integration';
import type { Payload } from '../reading/payload';
import { codeBlock, composed, link, MAX_CODE, safe } from '../reading/safe-text';

/** Services whose users write topic and text themselves, and the payload as it is. */

/** @throws BadRequest where one is empty */
function topicAndContent(payload: Payload): IntegrationPost {
  const topic = payload.textOr('topic', payload.textOr('subject', ''));
  const content = composed(payload.textOr('content', ''));
  if (topic.trim() === '') throw new BadRequest("Topic can't be empty");
  if (content.isEmpty) throw new BadRequest("Content can't be empty");
  return { event: null, topic, content };
}

/** Zapier, which asks first whose address it is. */
export const ZAPIER: Integration = {
  name: 'zapier',
  displayName: 'Zapier',
  about: 'The `topic` and `content` that a Zap sends.',
  events: null,
  takesForm: true,
  read: ({ payload }) => (payload.is('type', 'auth') ? null : topicAndContent(payload)),
  answer: ({ payload, bot }) =>
    payload.is('type', 'auth') ? { full_name: bot.fullName, email: bot.email, id: bot.id } : {},
};

/** IFTTT. */
export const IFTTT: Integration = {
  name: 'ifttt',
  displayName: 'IFTTT',
  about: 'The `topic` and `content` that an applet sends.',
  events: null,
  takesForm: true,
  read: ({ payload }) => topicAndContent(payload),
};

/** Home Assistant, whose notifier has a message and perhaps a topic. */
export const HOME_ASSISTANT: Integration = {
  name: 'homeassistant',
  displayName: 'Home Assistant',
  about: 'Notifications of automations: `message`, `title` and `topic`.',
  events: null,
  takesForm: true,
  read({ payload }) {
    const content = composed(payload.text('message'));
    return content.isEmpty
      ? null
      : { event: null, topic: payload.textOr('topic', '') || 'homeassistant', content };
  },
};

/** As much of a value as can be shown: what lies behind is cut anyway. */
function beginningOf(value: unknown, room: { left: number }): unknown {
  room.left -= 1;
  if (typeof value === 'string') {
    room.left -= value.length;
    return value.slice(0, MAX_CODE);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) {
      if (room.left < 0) break;
      items.push(beginningOf(item, room));
    }
    return items;
  }
  const members: [string, unknown][] = [];
  for (const [key, member] of Object.entries(value)) {
    if (room.left < 0) break;
    room.left -= key.length;
    members.push([key.slice(0, MAX_CODE), beginningOf(member, room)]);
  }
  return Object.fromEntries(members);
}

/** Anything else: the payload, so that people see what there would be to read. */
export const JSON_FORMAT: Integration = {
  name: 'json',
  displayName: 'JSON',
  about: 'The payload as a block of JSON.',
  events: null,
  read: ({ payload }) => ({
    event: null,
    topic: 'JSON',
    content: codeBlock(JSON.stringify(beginningOf(payload.value, { left: MAX_CODE }), null, 2), 'json'),
  }),
};

/** For a first try. */
export const HELLO_WORLD: Integration = {
  name: 'helloworld',
  displayName: 'Hello World',
  about: 'For testing: says hello, and shows `featured_title` and `featured_url`.',
  events: null,
  read: ({ payload }) => ({
    event: null,
    topic: 'Hello World',
    content: safe`Hello! This is what the page is about today: ${link(payload.textOr('featured_title', 'nothing'), payload.textOr('featured_url', ''))}`,
  }),
};
