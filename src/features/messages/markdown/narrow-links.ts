/** Marks that browsers or clients would take for something else. */
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

/** Names in the fragment of a link: percent-encoded, with `.` in place of `%`, which browsers would decode. */
function encodeHashComponent(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/[%.()*'!~]/g, (character) => ESCAPES[character]!);
}

/** A message that a link leads to; or one of the topic that it opens, so that the link follows the topic where it moves. */
type NarrowTarget = { readonly near: number | string } | { readonly with: number };

/** The link, relative to the site, that opens a channel, a topic of it, or a message within the topic. */
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

/** The same for a message between people. @param memberIds everybody in the conversation, ascending */
export function conversationNarrow(memberIds: readonly number[], messageId: number): string {
  const slug = `${memberIds.join(',')}-${memberIds.length > 2 ? 'group' : 'dm'}`;
  return `/#narrow/dm/${slug}/near/${messageId}`;
}
