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

/** Who holds a permission, by name. */
export interface NamedHolders {
  readonly groupNames: readonly string[];
  readonly people: readonly Person[];
}

/** More than these are counted. */
const MAX_HOLDERS_NAMED = 30;

type NamedChannel = Pick<DescribedChannel, 'name'>;

/** Encloses a description; longer than any fence that is likely to be in one. */
const FENCE = '````';

/** For everybody, in the channel for announcements. */
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

/** For a person whom another one subscribed. */
export function subscribedNotice(subscriber: Person, channels: readonly NamedChannel[]): string {
  const [only] = channels;
  if (only && channels.length === 1) return `${silentMention(subscriber)} subscribed you to ${link(only)}.`;
  const items = channels
    .map(link)
    .sort()
    .map((item) => `* ${item}`);
  return `${silentMention(subscriber)} subscribed you to the following channels:\n\n${items.join('\n')}`;
}

/** In the renamed channel. */
export function channelRenamedNotice(person: Person, oldName: string, channel: NamedChannel): string {
  return `${silentMention(person)} renamed channel **${oldName}** to **${channel.name}**.`;
}

/** In the channel, with the old and the new description quoted. */
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

/** In the channel whose readers, or what new ones see of its history, are others now. */
export function privacyChangedNotice(person: Person, before: ChannelPrivacy, after: ChannelPrivacy): string {
  const change = `from **${privacyOf(before)}** to **${privacyOf(after)}**`;
  const what = `[access permissions](${HELP_PAGES}/channel-permissions)`;
  return `${silentMention(person)} changed the ${what} for this channel ${change}.`;
}

/** In the channel to which others may send now. */
export function postingChangedNotice(person: Person, before: NamedHolders, after: NamedHolders): string {
  return [
    `${silentMention(person)} changed the [posting permissions](${HELP_PAGES}/channel-posting-policy) for this channel:`,
    '',
    `* **Old**: ${holders(before)}`,
    `* **New**: ${holders(after)}`,
  ].join('\n');
}

/** In the channel whose messages are kept for another time. @param before days, as `after`; null forever */
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

/** In the archived channel, the last that is said there. */
export function channelArchivedNotice(channel: NamedChannel): string {
  return `Channel ${link(channel)} has been archived.`;
}

/** In the channel that came back. */
export function channelUnarchivedNotice(channel: NamedChannel): string {
  return `Channel ${link(channel)} has been unarchived.`;
}

/** For a person whom another one put into a group, which is named without being mentioned. */
export function addedToGroupNotice(person: Person, groupName: string): string {
  return `${silentMention(person)} added you to the group @_*${groupName}*.`;
}

/** For a person whom another one took out of a group. */
export function removedFromGroupNotice(person: Person, groupName: string): string {
  return `${silentMention(person)} removed you from the group @_*${groupName}*.`;
}

/** A description as a quotation, which may itself be any Markdown. */
function quoted(description: string): string {
  return [`${FENCE} quote`, description || '*No description.*', FENCE].join('\n');
}

/** Groups, and after them people, none of whom is notified. */
function holders({ groupNames, people }: NamedHolders): string {
  const all = [...groupNames.map((name) => `@_*${name}*`), ...people.map(silentMention)];
  const more = all.length - MAX_HOLDERS_NAMED;
  return [...all.slice(0, MAX_HOLDERS_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function days(count: number): string {
  return count === 1 ? '1 day' : `${count} days`;
}

/** What the interface calls such a channel. */
export function privacyOf(channel: ChannelPrivacy): string {
  if (channel.isWebPublic) return 'Web-public';
  if (!channel.isPrivate) return 'Public';
  return channel.isHistoryPublicToSubscribers ? 'Private, shared history' : 'Private, protected history';
}

function link({ name }: NamedChannel): string {
  return `#**${name}**`;
}
