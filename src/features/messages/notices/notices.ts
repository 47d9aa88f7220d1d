/** Zulip's help pages; this server has none of its own. */
export const HELP_PAGES = 'https://zulip.com/help';

/** A topic to link to, or a message in it. */
interface ReferredTopic {
  readonly channelName: string;
  readonly topic: string;
  readonly messageId?: number;
  /** Its URL, to use if the names cannot be part of a reference. */
  readonly url?: string;
}

/** Mentions a person in a system message without notifying them. */
export function silentMention({ id, fullName }: { readonly id: number; readonly fullName: string }): string {
  return `@_**${fullName}|${id}**`;
}

/** A reference to a topic. Topic names are free text, so one that contains markup is written as a plain link. */
export function topicReference({ channelName, topic, messageId, url }: ReferredTopic): string {
  const isPlain = !/[*`\\[\]<>|$@]/.test(channelName + topic);
  if (!isPlain) {
    const name = escapeMarkdown(`#${channelName} > ${topic}`);
    return url === undefined ? name : `[${name}](${url})`;
  }
  const message = messageId === undefined ? '' : `@${messageId}`;
  return `#**${channelName}>${topic}${message}**`;
}

/** The fence around a block with the text: longer than any fence in the text. */
export function fenceAround(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  return '`'.repeat(longest + 1);
}

/** Escapes text so that Markdown shows it verbatim. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, (character) => `&#${character.codePointAt(0)};`);
}

/** Texts of the notification bot, in Markdown. */

/** A user as named in notices. */
export interface Person {
  readonly id: number;
  readonly fullName: string;
}

interface ChannelPrivacy {
  readonly isPrivate: boolean;
  readonly isWebPublic: boolean;
  readonly isHistoryPublicToSubscribers: boolean;
}

interface DescribedChannel extends ChannelPrivacy {
  readonly name: string;
  readonly description: string;
}

/** Holders of a permission, by name. */
export interface NamedHolders {
  readonly groupNames: readonly string[];
  readonly people: readonly Person[];
}

/** Holders beyond this number are counted, not named. */
const MAX_HOLDERS_NAMED = 30;

type NamedChannel = Pick<DescribedChannel, 'name'>;

/** The fence around a description; longer than any fence that a description is likely to contain. */
const FENCE = '````';

/** Announces new channels to everyone, in the channel for announcements. */
export function channelsAnnouncedNotice(creator: Person, channels: readonly NamedChannel[]): string {
  const links = channels.map(link).join(', ');
  const what = channels.length > 1 ? 'the following channels:' : 'a new channel';
  return `${silentMention(creator)} created ${what} ${links}.`;
}

/** The first message of a new channel. */
export function channelCreatedNotice(creator: Person, channel: DescribedChannel): string {
  const intro = `**${privacyOf(channel)}** channel created by ${silentMention(creator)}. **Description:**`;
  return `${intro}\n${quoted(channel.description)}`;
}

/** Sent to a person whom another person subscribed. */
export function subscribedNotice(subscriber: Person, channels: readonly NamedChannel[]): string {
  const [only] = channels;
  if (only && channels.length === 1) return `${silentMention(subscriber)} subscribed you to ${link(only)}.`;
  const items = channels
    .map(link)
    .sort()
    .map((item) => `* ${item}`);
  return `${silentMention(subscriber)} subscribed you to the following channels:\n\n${items.join('\n')}`;
}

/** Sent to the renamed channel. */
export function channelRenamedNotice(person: Person, oldName: string, channel: NamedChannel): string {
  return `${silentMention(person)} renamed channel **${oldName}** to **${channel.name}**.`;
}

/** Sent to the channel, with the old and the new description quoted. */
export function descriptionChangedNotice(person: Person, before: string, after: string): string {
  return [
    `${silentMention(person)} changed the description for this channel.`,
    '',
    '* **Old description:**',
    quoted(before),
    '* **New description:**',
    quoted(after),
  ].join('\n');
}

/** Sent to a channel when its readers change, or what new subscribers see of its history. */
export function privacyChangedNotice(person: Person, before: ChannelPrivacy, after: ChannelPrivacy): string {
  const change = `from **${privacyOf(before)}** to **${privacyOf(after)}**`;
  const what = `[access permissions](${HELP_PAGES}/channel-permissions)`;
  return `${silentMention(person)} changed the ${what} for this channel ${change}.`;
}

/** Sent to a channel when the permission to post there changes. */
export function postingChangedNotice(person: Person, before: NamedHolders, after: NamedHolders): string {
  return [
    `${silentMention(person)} changed the [posting permissions](${HELP_PAGES}/channel-posting-policy) for this channel:`,
    '',
    `* **Old**: ${holders(before)}`,
    `* **New**: ${holders(after)}`,
  ].join('\n');
}

/** Sent to a channel when its retention changes. @param before in days, like `after`; null for forever */
export function retentionChangedNotice(person: Person, before: number | null, after: number | null): string {
  const period = `[message retention period](${HELP_PAGES}/message-retention-policy)`;
  const consequence =
    after === null ? 'retained forever' : `automatically deleted ${days(after)} after they are sent`;
  return [
    `${silentMention(person)} has changed the ${period} for this channel:`,
    `* **Old retention period**: ${before === null ? 'Forever' : days(before)}`,
    `* **New retention period**: ${after === null ? 'Forever' : days(after)}`,
    '',
    `Messages in this channel will now be ${consequence}.`,
  ].join('\n');
}

/** Sent to an archived channel, as its last message. */
export function channelArchivedNotice(channel: NamedChannel): string {
  return `Channel ${link(channel)} has been archived.`;
}

/** Sent to a channel that was unarchived. */
export function channelUnarchivedNotice(channel: NamedChannel): string {
  return `Channel ${link(channel)} has been unarchived.`;
}

/** Sent to a person whom another person added to a group; names the group without mentioning it. */
export function addedToGroupNotice(person: Person, groupName: string): string {
  return `${silentMention(person)} added you to the group @_*${groupName}*.`;
}

/** Sent to a person whom another person removed from a group. */
export function removedFromGroupNotice(person: Person, groupName: string): string {
  return `${silentMention(person)} removed you from the group @_*${groupName}*.`;
}

/** A description as a quotation; it may contain any Markdown. */
function quoted(description: string): string {
  return [`${FENCE} quote`, description || '*No description.*', FENCE].join('\n');
}

/** Lists groups and then people, without notifying any of them. */
function holders({ groupNames, people }: NamedHolders): string {
  const all = [...groupNames.map((name) => `@_*${name}*`), ...people.map(silentMention)];
  const more = all.length - MAX_HOLDERS_NAMED;
  return [...all.slice(0, MAX_HOLDERS_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function days(count: number): string {
  return count === 1 ? '1 day' : `${count} days`;
}

/** The name of such a channel's privacy in the interface. */
export function privacyOf(channel: ChannelPrivacy): string {
  if (channel.isWebPublic) return 'Web-public';
  if (!channel.isPrivate) return 'Public';
  return channel.isHistoryPublicToSubscribers ? 'Private, shared history' : 'Private, protected history';
}

function link({ name }: NamedChannel): string {
  return `#**${name}**`;
}
