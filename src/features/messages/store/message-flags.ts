import type { RenderedMarkdown } from '../markdown/render-markdown';

/**
 * Names of the personal flags in the order of their bits, which is also their order on the wire. `read` has a bit so
 * that flags can be combined, but `message_flag` never stores it: the read state is stored as sets (read-set.ts).
 */
const FLAG_NAMES = [
  'read',
  'starred',
  'collapsed',
  'mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'group_mentioned',
  'force_expand',
  'force_collapse',
  'has_alert_word',
  'historical',
] as const;

/** Bits of a person's flags on one message. */
export const Flag = {
  read: 1 << 0,
  starred: 1 << 1,
  collapsed: 1 << 2,
  mentioned: 1 << 3,
  channelWildcardMentioned: 1 << 4,
  topicWildcardMentioned: 1 << 5,
  hasAlertWord: 1 << 9,
  historical: 1 << 10,
  /**
   * Has no name: the person received a message, according to rows alone, because it moved or they are not in the
   * channel.
   */
  received: 1 << 11,
} as const;

const WILDCARDS = Flag.channelWildcardMentioned | Flag.topicWildcardMentioned;

/** Whether clients may name the flag; `wildcard_mentioned` is only derived from the two flags that replaced it. */
export function isFlagName(name: string): boolean {
  return FLAG_NAMES.some((known) => known === name);
}

/**
 * The names of flags on the wire, including the deprecated `wildcard_mentioned`, derived from the two flags that
 * replaced it.
 */
export function flagNames(flags: number): string[] {
  const names: string[] = FLAG_NAMES.filter((_, bit) => flags & (1 << bit));
  if (flags & WILDCARDS) names.push('wildcard_mentioned');
  return names;
}

/**
 * Whether the flags include a mention that notifies the reader; wildcards do not if the reader muted the conversation.
 */
export function mentionsReader(flags: number, isMuted: boolean): boolean {
  return (flags & (isMuted ? Flag.mentioned : Flag.mentioned | WILDCARDS)) !== 0;
}

/**
 * Properties of a message that are the same for everyone, as bits of `message.facts`. See message-flags.ts for those
 * that differ between readers.
 */
export const MessageFact = {
  /** Mentions everyone in the channel or conversation. */
  channelWildcard: 1 << 0,
  /** Mentions all participants of the topic. */
  topicWildcard: 1 << 1,
  hasLink: 1 << 2,
  hasImage: 1 << 3,
  hasAttachment: 1 << 4,
  /** A rendered `/me ` message. */
  isMeMessage: 1 << 5,
  /** Has at least one reaction; maintained by the feature that writes reactions. */
  hasReaction: 1 << 6,
  /** Tells that its topic was resolved or opened again. */
  isResolutionNotice: 1 << 7,
} as const;

/** The facts determined by rendering. */
export function factsOf(rendered: RenderedMarkdown): number {
  return (
    (rendered.channelWildcard ? MessageFact.channelWildcard : 0) |
    (rendered.topicWildcard ? MessageFact.topicWildcard : 0) |
    (rendered.hasLink ? MessageFact.hasLink : 0) |
    (rendered.hasImage ? MessageFact.hasImage : 0) |
    (rendered.hasAttachment ? MessageFact.hasAttachment : 0) |
    (rendered.isMeMessage ? MessageFact.isMeMessage : 0)
  );
}
