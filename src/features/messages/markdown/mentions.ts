import type MarkdownIt from 'markdown-it';
import { channelNarrow } from './narrow-links';
import {
  isInsideLink,
  type MentionableUser,
  pushElement,
  type RenderContext,
  RenderState,
} from './render-context';

/** `@**person**` or `@*group*`; with `_` after the `@` nobody is notified. */
const MENTION = /@(?<silent>_?)(?:\*\*(?<person>[^*\n]+)\*\*|\*(?<group>[^*\n]+)\*)/y;
const CHANNEL_WILDCARDS = new Set(['all', 'everyone', 'channel', 'stream']);
const WORD_CHARACTER = /[\p{L}\p{N}_]/u;

interface Mention {
  readonly classes: string;
  readonly attributes: Record<string, string>;
  readonly name: string;
  notify(state: RenderState): void;
}

/** Plugin: people, user groups and wildcards that a message mentions. Names that nobody has stay text. */
export function mentions(md: MarkdownIt): void {
  md.inline.ruler.before('emphasis', 'mention', mention);
  md.core.ruler.at('inline', inlineWithQuotations);
}

function mention(inline: MarkdownIt.StateInline, silent: boolean): boolean {
  const { src, pos } = inline;
  if (src[pos] !== '@' || (pos > 0 && WORD_CHARACTER.test(src[pos - 1]!))) return false;
  MENTION.lastIndex = pos;
  const match = MENTION.exec(src);
  if (!match || MENTION.lastIndex > inline.posMax) return false;

  const state = RenderState.of(inline);
  if (state.context.mentionsStayText) return false;
  const { person, group } = match.groups!;
  const found =
    person === undefined ? groupMention(group!, state.context) : personMention(person, state.context);
  if (!found) return false;

  if (!silent) {
    const isSilent = match.groups!.silent !== '' || state.insideQuotation;
    if (!isSilent) found.notify(state);
    const classes = isSilent ? `${found.classes} silent` : found.classes;
    pushElement(
      inline,
      'span',
      { class: classes, ...found.attributes },
      isSilent ? found.name : `@${found.name}`,
    );
  }
  inline.pos += match[0].length;
  return true;
}

function personMention(text: string, context: RenderContext): Mention | undefined {
  if (CHANNEL_WILDCARDS.has(text)) {
    return {
      classes: 'user-mention channel-wildcard-mention',
      attributes: { 'data-user-id': '*' },
      name: text,
      notify: (state) => (state.channelWildcard = true),
    };
  }
  if (text === 'topic') {
    return {
      classes: 'topic-mention',
      attributes: {},
      name: text,
      notify: (state) => (state.topicWildcard = true),
    };
  }
  const user = findUser(text, context);
  return (
    user && {
      classes: 'user-mention',
      attributes: { 'data-user-id': String(user.id) },
      name: user.fullName,
      notify: (state) => state.mentionedUserIds.add(user.id),
    }
  );
}

/** `Full Name`, `Full Name|12` or `|12`; a name that does not belong to the number is nobody. */
function findUser(text: string, context: RenderContext): MentionableUser | undefined {
  const numbered = /^(?<name>[^|]*)\|(?<id>\d{1,15})$/.exec(text)?.groups;
  if (!numbered) return context.usersByName(text)[0];
  const user = context.userById(Number(numbered.id));
  const isMeant = numbered.name === '' || numbered.name!.toLowerCase() === user?.fullName.toLowerCase();
  return isMeant ? user : undefined;
}

function groupMention(name: string, context: RenderContext): Mention | undefined {
  const group = context.groupByName(name);
  return (
    group && {
      classes: 'user-group-mention',
      attributes: { 'data-user-group-id': String(group.id) },
      name: group.name,
      notify: (state) => state.mentionedGroupIds.add(group.id),
    }
  );
}

/** The parser's own step from blocks to inline tokens, except that it tells the rules whether they are in a quotation. */
function inlineWithQuotations(core: MarkdownIt.StateCore): void {
  const state = RenderState.of(core);
  let depth = 0;
  for (const token of core.tokens) {
    if (token.type === 'blockquote_open') depth += 1;
    if (token.type === 'blockquote_close') depth -= 1;
    if (token.type !== 'inline') continue;
    state.insideQuotation = depth > 0;
    core.md.inline.parse(token.content, core.md, state, (token.children ??= []));
  }
}

const CHANNEL_LINK = /#\*\*([^*\n]+)\*\*/y;
/** What the empty topic is called where it has to be shown. */
const EMPTY_TOPIC_NAME = 'general chat';

interface ChannelLink {
  readonly attributes: Record<string, string>;
  readonly text: string;
}

/** Plugin: `#**channel**`, `#**channel>topic**` and `#**channel>topic@message id**`. Unknown channels stay text. */
export function channelLinks(md: MarkdownIt): void {
  md.inline.ruler.before('emphasis', 'channel_link', (inline, silent) => {
    if (inline.src[inline.pos] !== '#' || isInsideLink(inline)) return false;
    CHANNEL_LINK.lastIndex = inline.pos;
    const match = CHANNEL_LINK.exec(inline.src);
    if (!match || CHANNEL_LINK.lastIndex > inline.posMax) return false;
    const link = resolve(match[1]!, RenderState.of(inline).context);
    if (!link) return false;
    if (!silent) pushElement(inline, 'a', link.attributes, link.text);
    inline.pos += match[0].length;
    return true;
  });
}

function resolve(reference: string, context: RenderContext): ChannelLink | undefined {
  const whole = context.channelByName(reference);
  if (whole) {
    return {
      attributes: { class: 'stream', 'data-stream-id': String(whole.id), href: channelNarrow(whole) },
      text: `#${whole.name}`,
    };
  }

  const separator = reference.indexOf('>');
  const channel = separator > 0 ? context.channelByName(reference.slice(0, separator)) : undefined;
  if (!channel) return undefined;
  const rest = reference.slice(separator + 1).trim();
  const message = /^(?<topic>.*)@(?<id>\d+)$/.exec(rest)?.groups;
  const topic = message?.topic ?? rest;
  const text = `#${channel.name} > ${topic || EMPTY_TOPIC_NAME}`;
  if (message) {
    return {
      attributes: { class: 'message-link', href: channelNarrow(channel, topic, message.id) },
      text: `${text} @ 💬`,
    };
  }
  return {
    attributes: {
      class: 'stream-topic',
      'data-stream-id': String(channel.id),
      href: channelNarrow(channel, topic),
    },
    text,
  };
}

const NAMED = /<span class="user-mention" data-user-id="(\d+)">/g;

/** Whom a rendered message mentions by name, other than silently. */
export function namedIn(html: string): Set<number> {
  return new Set(Array.from(html.matchAll(NAMED), ([, userId]) => Number(userId)));
}
