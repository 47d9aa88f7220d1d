/** Zulip's help pages; this server has none. */
export const HELP_PAGES = 'https://zulip.com/help';

/** A topic to refer to, or a message in it. */
interface ReferredTopic {
  readonly channelName: string;
  readonly topic: string;
  readonly messageId?: number;
  /** Where it is, to link it where its names cannot stand in a reference. */
  readonly url?: string;
}

/** Names a person in the text of a system message without notifying them. */
export function silentMention({ id, fullName }: { readonly id: number; readonly fullName: string }): string {
  return `@_**${fullName}|${id}**`;
}

/** Anyone may choose the name of a topic, so one with marks of Markdown in it is spelled out. */
export function topicReference({ channelName, topic, messageId, url }: ReferredTopic): string {
  const isPlain = !/[*`\\[\]<>|$@]/.test(channelName + topic);
  if (!isPlain) {
    const name = escapeMarkdown(`#${channelName} > ${topic}`);
    return url === undefined ? name : `[${name}](${url})`;
  }
  const message = messageId === undefined ? '' : `@${messageId}`;
  return `#**${channelName}>${topic}${message}**`;
}

/** What opens and closes a block with the text in it: longer than any fence within. */
export function fenceAround(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  return '`'.repeat(longest + 1);
}

/** Markdown that shows the text as it is. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, (character) => `&#${character.codePointAt(0)};`);
}
