/** A topic to refer to, or a message in it. */
interface ReferredTopic {
  readonly channelName: string;
  readonly topic: string;
  readonly messageId?: number;
}

/** Names a person in the text of a system message without notifying them. */
export function silentMention({ id, fullName }: { readonly id: number; readonly fullName: string }): string {
  return `@_**${fullName}|${id}**`;
}

/** Anyone may choose the name of a topic, so one with marks of Markdown in it is spelled out instead of linked. */
export function topicReference({ channelName, topic, messageId }: ReferredTopic): string {
  const isPlain = !/[*`\\[\]<>|$@]/.test(channelName + topic);
  if (!isPlain) return escapeMarkdown(`#${channelName} > ${topic}`);
  const message = messageId === undefined ? '' : `@${messageId}`;
  return `#**${channelName}>${topic}${message}**`;
}

/** Markdown that shows the text as it is. */
function escapeMarkdown(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, (character) => `&#${character.codePointAt(0)};`);
}
