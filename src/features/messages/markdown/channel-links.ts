import type MarkdownIt from 'markdown-it';
import { isInsideLink, type NamedReference, type RenderContext, RenderState } from './render-context';

/** Characters that browsers or clients would misinterpret. */
const ESCAPES: Record<string, string> = {
  '%': '.',
  '.': '.2E',
  '(': '.28',
  ')': '.29',
  '*': '.2A',
  "'": '.27',
  '!': '.21',
  '~': '.7E',
};

/** Encodes a name in the fragment of a link: percent-encoded, with `.` instead of `%`, which browsers would decode. */
function encodeHashComponent(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/[%.()*'!~]/g, (character) => ESCAPES[character]!);
}

/** The message that a link opens; `with` makes the link follow the topic when it moves. */
type NarrowTarget = { readonly near: number | string } | { readonly with: number };

/** The link, relative to the site, to a channel, a topic, or a message within the topic. */
export function channelNarrow(
  channel: { readonly id: number; readonly name: string },
  topic?: string,
  target?: NarrowTarget,
): string {
  const slug = encodeHashComponent(channel.name.replaceAll(' ', '-'));
  const inTopic = topic === undefined ? '' : `/topic/${encodeHashComponent(topic)}`;
  return `/#narrow/channel/${channel.id}-${slug}${inTopic}${target ? targetOf(target) : ''}`;
}

function targetOf(target: NarrowTarget): string {
  return 'near' in target ? `/near/${target.near}` : `/with/${target.with}`;
}

/** The link to a message in a conversation. @param memberIds all participants, ascending */
export function conversationNarrow(memberIds: readonly number[], messageId: number): string {
  const slug = `${memberIds.join(',')}-${memberIds.length > 2 ? 'group' : 'dm'}`;
  return `/#narrow/dm/${slug}/near/${messageId}`;
}

const CHANNEL_LINK = /#\*\*([^*\n]+)\*\*/g;
/** Display name of the empty topic. */
const EMPTY_TOPIC_NAME = 'general chat';

/** A channel, topic or message as written between the marks. */
interface Reference {
  readonly channel: NamedReference;
  readonly topic?: string;
  readonly messageId?: string;
}

/** The text of a link. */
interface LinkText {
  readonly before: string;
  /** Emphasized, since nobody chose this name. */
  readonly emphasized: string;
  readonly after: string;
}

/** Plugin: `#**channel**`, `#**channel>topic**` and `#**channel>topic@message id**`. Unknown channels stay text. */
export function channelLinks(md: MarkdownIt): void {
  const matcher = new RegExp(CHANNEL_LINK, 'y');
  md.inline.ruler.before('emphasis', 'channel_link', (inline, silent) => {
    if (inline.src[inline.pos] !== '#' || isInsideLink(inline)) return false;
    matcher.lastIndex = inline.pos;
    const match = matcher.exec(inline.src);
    if (!match || matcher.lastIndex > inline.posMax) return false;
    const { context } = RenderState.of(inline);
    const reference = resolve(match[1]!, context);
    if (!reference) return false;
    if (!silent) {
      pushLink(inline, reference, context);
      RenderState.of(inline).hasLink = true;
    }
    inline.pos += match[0].length;
    return true;
  });

  md.renderer.rules.channel_link = (tokens, index, _options, _env, renderer) => {
    const token = tokens[index]!;
    const { before, emphasized, after } = token.meta as LinkText;
    const escaped = (text: string) => md.utils.escapeHtml(text);
    const middle = emphasized === '' ? '' : `<em>${escaped(emphasized)}</em>`;
    return `<a${renderer.renderAttrs(token)}>${escaped(before)}${middle}${escaped(after)}</a>`;
  };
}

/** The topics that a text may link to, without duplicates, in order of appearance. */
export function linkedTopics(
  markdown: string,
  context: Pick<RenderContext, 'channelByName'>,
): { channelId: number; topic: string }[] {
  const found = new Map<string, { channelId: number; topic: string }>();
  for (const [, text] of markdown.matchAll(CHANNEL_LINK)) {
    const reference = resolve(text!, context);
    if (reference?.topic === undefined || reference.messageId !== undefined) continue;
    const channelId = reference.channel.id;
    found.set(`${channelId} ${reference.topic}`, { channelId, topic: reference.topic });
  }
  return [...found.values()];
}

function resolve(text: string, context: Pick<RenderContext, 'channelByName'>): Reference | undefined {
  const whole = context.channelByName(text);
  if (whole) return { channel: whole };

  const separator = text.indexOf('>');
  const channel = separator > 0 ? context.channelByName(text.slice(0, separator)) : undefined;
  if (!channel) return undefined;
  const rest = text.slice(separator + 1).trim();
  const message = /^(?<topic>.*)@(?<id>\d+)$/.exec(rest)?.groups;
  return { channel, topic: message?.topic ?? rest, messageId: message?.id };
}

function pushLink(inline: MarkdownIt.StateInline, reference: Reference, context: RenderContext): void {
  const text = linkText(reference);
  const token = inline.push('channel_link', 'a', 0);
  token.attrs = Object.entries(linkAttributes(reference, context));
  token.meta = text;
  token.content = `${text.before}${text.emphasized}${text.after}`;
}

function linkText({ channel, topic, messageId }: Reference): LinkText {
  const name = `#${channel.name}`;
  if (topic === undefined) return { before: name, emphasized: '', after: '' };
  return {
    before: `${name} > ${topic}`,
    emphasized: topic === '' ? EMPTY_TOPIC_NAME : '',
    after: messageId === undefined ? '' : ' @ 💬',
  };
}

function linkAttributes(
  { channel, topic, messageId }: Reference,
  context: RenderContext,
): Record<string, string> {
  if (topic === undefined) {
    return { class: 'stream', 'data-stream-id': String(channel.id), href: channelNarrow(channel) };
  }
  if (messageId !== undefined) {
    return { class: 'message-link', href: channelNarrow(channel, topic, { near: messageId }) };
  }
  const newest = context.newestIn(channel.id, topic);
  return {
    class: 'stream-topic',
    'data-stream-id': String(channel.id),
    href: channelNarrow(channel, topic, newest === undefined ? undefined : { with: newest }),
  };
}
