import { BadRequest } from '../../../../platform/errors/shared.errors';
import type { Integration, IntegrationPost } from '../reading/integration';
import type { Payload } from '../reading/payload';
import {
  bold,
  codeBlock,
  composed,
  joined,
  joinedOf,
  link,
  MAX_CODE,
  moment,
  NOTHING,
  safe,
  SafeText,
} from '../reading/safe-text';

/** Services whose users compose topic and text themselves, and generic formats. */

/** @throws BadRequest if either is empty */
function topicAndContent(payload: Payload): IntegrationPost {
  const topic = payload.textOr('topic', payload.textOr('subject', ''));
  const content = composed(payload.textOr('content', ''));
  if (topic.trim() === '') throw new BadRequest("Topic can't be empty");
  if (content.isEmpty) throw new BadRequest("Content can't be empty");
  return { event: null, topic, content };
}

/** Zapier, which first asks for the owner of the URL. */
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

/** Home Assistant, whose notifier sends a message with an optional topic. */
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

/** Truncates a value to about the length of a code block. */
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

/** Any other service: shows the payload, so that people see what it contains. */
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

/** For testing. */
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

/** Maximum blocks or attachments to read; Slack's own limits are 50 and 100. */
const MAX_PARTS = 100;

/** Converts Slack's markup to Markdown. Slack escapes `&`, `<` and `>` in texts. */
function fromMrkdwn(text: string): SafeText {
  const converted = text
    .replace(
      /<(https?:[^<>|\s]{1,2000})\|([^<>\n]{1,500})>/g,
      (_all, url: string, label: string) => link(labelOf(label), unescaped(url)).source,
    )
    .replace(/<(https?:[^<>|\s]{1,2000})>/g, (_all, url: string) => unescaped(url))
    .replace(/<(?:mailto|tel):[^<>|\n]{1,500}\|([^<>\n]{1,500})>/g, '$1')
    .replace(/<[@#!][^<>|\n]{1,200}\|([^<>\n]{1,200})>/g, '$1')
    .replace(/<!(here|channel|everyone)>/g, '@$1')
    .replace(/(?<![*\w])\*(?![*\s])([^*\n]{1,1000})(?<!\s)\*(?![*\w])/g, '**$1**')
    .replace(/(?<![_\w])_(?![_\s])([^_\n]{1,1000})(?<!\s)_(?![_\w])/g, '*$1*')
    .replace(/(?<![~\w])~(?![~\s])([^~\n]{1,1000})(?<!\s)~(?![~\w])/g, '~~$1~~');
  return composed(unescaped(converted));
}

/** Escapes link text, except for markup that later replacements convert. */
const labelOf = (label: string) => new SafeText(label.replace(/[\\[\]<`]/g, '\\$&'));

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** Converts a text object of a block: Slack's markup, or plain text. */
function textOf(text: Payload): SafeText {
  const content = text.textOr('text', '');
  return text.is('type', 'plain_text') ? safe`${content}` : fromMrkdwn(content);
}

const image = (element: Payload) =>
  link(
    element.textOr('title.text', element.textOr('alt_text', 'image')) || 'image',
    element.textOr('image_url', ''),
  );

/** Converts one field to text, and several to a table with two columns. */
function fieldsOf(fields: readonly Payload[]): SafeText {
  if (fields.length < 2) return joinedOf(fields, textOf, '\n');
  const cell = (field: Payload | undefined) =>
    field
      ? textOf(field)
          .source.replace(/[\s|]+/g, ' ')
          .trim()
      : '';
  const rows: string[] = [];
  for (let at = 0; at < fields.length && at < MAX_PARTS; at += 2)
    rows.push(`| ${cell(fields[at])} | ${cell(fields[at + 1])} |`);
  return new SafeText(['| | |', '| --- | --- |', ...rows].join('\n'));
}

/** Escapes text and keeps the spaces at its ends, which separate it from adjacent elements. */
function exactly(text: string): SafeText {
  const lines = text.split('\n').map((line) => {
    const shown = safe`${line}`.source;
    return `${/^\s/.test(line) ? ' ' : ''}${shown}${/\s$/.test(line) ? ' ' : ''}`;
  });
  return new SafeText(lines.join('\n'));
}

/** Converts rich text, without mentions of people and channels. */
function richText(block: Payload): SafeText {
  const line = (part: Payload) => {
    const elements = part.is('type', 'rich_text_list')
      ? part.list('elements').flatMap((item) => item.list('elements'))
      : part.list('elements');
    const text = (element: Payload) => {
      if (element.is('type', 'link'))
        return link(element.textOr('text', element.textOr('url', '')), element.textOr('url', ''));
      return element.is('type', 'emoji')
        ? new SafeText(emojiOf(element.textOr('name', '')))
        : exactly(element.textOr('text', ''));
    };
    if (part.is('type', 'rich_text_preformatted'))
      return codeBlock(elements.map((each) => each.textOr('text', '')).join(''));
    const shown = new SafeText(joinedOf(elements, text, '').source.trim());
    return part.is('type', 'rich_text_quote') ? safe`> ${shown}` : shown;
  };
  return joinedOf(block.list('elements'), line, '\n\n');
}

const emojiOf = (name: string) => (/^[a-z0-9_+-]{1,60}$/.test(name) ? `:${name}:` : '');

/** Converters by block type; other types, such as buttons, have no text. */
const BLOCKS: Readonly<Record<string, (block: Payload) => SafeText>> = {
  section: (block) => {
    const accessory = block.is('accessory.type', 'image') ? image(block.at('accessory')) : NOTHING;
    return joined([textOf(block.at('text')), accessory, fieldsOf(block.list('fields'))], '\n\n');
  },
  header: (block) => heading(block.textOr('text.text', '')),
  divider: () => new SafeText('----'),
  image,
  context: (block) =>
    joinedOf(
      block.list('elements'),
      (each) => (each.is('type', 'image') ? image(each) : textOf(each)),
      '\n\n',
    ),
  rich_text: richText,
  markdown: (block) => composed(block.textOr('text', '')),
};

function heading(text: string): SafeText {
  return text === '' ? NOTHING : safe`## ${text}`;
}

function blocks(holder: Payload): SafeText {
  const parts = holder.list('blocks').slice(0, MAX_PARTS);
  const shown = (block: Payload) => {
    const type = block.textOr('type', '');
    return (Object.hasOwn(BLOCKS, type) ? BLOCKS[type] : undefined)?.(block) ?? NOTHING;
  };
  return joinedOf(parts, shown, '\n\n');
}

function attachment(part: Payload): SafeText {
  const title = part.textOr('title', '');
  const url = part.textOr('title_link', '');
  const field = (each: Payload) =>
    joined([bold(each.textOr('title', '')), fromMrkdwn(each.textOr('value', ''))], ': ');
  const time = Number(part.textOr('ts', ''));
  const pieces = joined(
    [
      title === '' ? NOTHING : safe`## ${url === '' ? title : link(title, url)}`,
      fromMrkdwn(part.textOr('pretext', '')),
      fromMrkdwn(part.textOr('text', '')),
      joinedOf(part.list('fields'), field, '\n'),
      blocks(part),
      part.has('image_url') ? link(part.text('image_url'), part.text('image_url')) : NOTHING,
      safe`${part.textOr('footer', '')}`,
      time > 0 && time < 4e9 ? moment(new Date(time * 1000).toISOString()) : NOTHING,
    ],
    '\n\n',
  );
  return pieces.isEmpty ? fromMrkdwn(part.textOr('fallback', '')) : pieces;
}

function contentOf(payload: Payload): SafeText {
  const attachments = joinedOf(payload.list('attachments').slice(0, MAX_PARTS), attachment, '\n\n');
  const rich = joined([blocks(payload), attachments], '\n\n');
  const text = fromMrkdwn(payload.textOr('text', ''));
  const emoji = emojiOf(payload.textOr('icon_emoji', '').replace(/^:|:$/g, ''));
  // With blocks or attachments, Slack uses the text only in notifications.
  if (!rich.isEmpty) return rich;
  return text.isEmpty || emoji === '' ? text : safe`${new SafeText(emoji)} ${text}`;
}

/** Slack's incoming webhooks: programs that support these only need another URL. */
export const SLACK_FORMAT: Integration = {
  name: 'slack_incoming',
  displayName: 'Slack-compatible webhook',
  about: "Anything that supports Slack's incoming webhooks: texts, blocks and attachments.",
  events: null,
  read({ payload }): IntegrationPost | null {
    payload.object('');
    const content = contentOf(payload);
    if (content.isEmpty) return null;
    return { event: null, topic: payload.textOr('channel', '').replace(/^[@#]/, ''), content };
  },
  answer: () => ({ ok: true }),
  refusal: (message) => ({ ok: false, error: message }),
};
