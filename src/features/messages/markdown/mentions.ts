import type MarkdownIt from 'markdown-it';
import { type MentionableUser, pushElement, type RenderContext, RenderState } from './render-context';

/** `@**person**` or `@*group*`; `@_` mentions silently. */
const MENTION = /@(?<silent>_?)(?:\*\*(?<person>[^*\n]+)\*\*|\*(?<group>[^*\n]+)\*)/y;
const CHANNEL_WILDCARDS = new Set(['all', 'everyone', 'channel', 'stream']);
/** Display names of role groups. */
const ROLE_GROUPS: Readonly<Record<string, string>> = {
  'role:internet': 'Everyone on the internet',
  'role:everyone': 'Everyone',
  'role:members': 'Members',
  'role:fullmembers': 'Full members',
  'role:moderators': 'Moderators',
  'role:administrators': 'Administrators',
  'role:owners': 'Owners',
  'role:nobody': 'Nobody',
};
const WORD_CHARACTER = /[\p{L}\p{N}_]/u;

interface Mention {
  readonly classes: string;
  readonly attributes: Record<string, string>;
  readonly name: string;
  /** Whether mentions are always silent, because the account is deactivated. */
  readonly isAlwaysSilent?: boolean;
  notify(state: RenderState): void;
}

/** Plugin: mentions of people, user groups and wildcards. Unknown names stay text. */
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
    // A quotation silences mentions of people, but not of groups.
    const isQuoted = state.insideQuotation && group === undefined;
    const isSilent = match.groups!.silent !== '' || isQuoted || found.isAlwaysSilent === true;
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
      isAlwaysSilent: !user.isActive,
      notify: (state) => state.mentionedUserIds.add(user.id),
    }
  );
}

/** `Full Name`, `Full Name|12` or `|12`; a name that does not match the ID is unknown. */
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
      name: ROLE_GROUPS[group.name] ?? group.name,
      notify: (state) => state.mentionedGroupIds.add(group.id),
    }
  );
}

/** The parser's own step from blocks to inline tokens, which also sets whether rules run inside a quotation. */
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

const NAMED = /<span class="user-mention" data-user-id="(\d+)">/g;

/** IDs of people whom a rendered message mentions by name, except silently. */
export function namedIn(html: string): Set<number> {
  return new Set(Array.from(html.matchAll(NAMED), ([, userId]) => Number(userId)));
}

const NAMED_GROUP = /<span class="user-group-mention" data-user-group-id="(\d+)">/g;

/** IDs of groups that a rendered message mentions, except silently. */
export function groupsNamedIn(html: string): Set<number> {
  return new Set(Array.from(html.matchAll(NAMED_GROUP), ([, groupId]) => Number(groupId)));
}
