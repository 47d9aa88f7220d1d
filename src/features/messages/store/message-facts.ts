import type { RenderedMarkdown } from '../markdown/render-markdown';

/**
 * What is true of a message for everybody, as bits of `message.facts`. What differs between readers is in
 * message-flags.ts.
 */
export const MessageFact = {
  /** Mentions everybody in the channel or conversation. */
  channelWildcard: 1 << 0,
  /** Mentions everybody who took part in the topic. */
  topicWildcard: 1 << 1,
  hasLink: 1 << 2,
  hasImage: 1 << 3,
  hasAttachment: 1 << 4,
  /** A rendered `/me ` message. */
  isMeMessage: 1 << 5,
  /** At least one reaction; kept by whoever writes reactions. */
  hasReaction: 1 << 6,
} as const;

/** The facts that rendering found out. */
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
