import { HELP_PAGES, silentMention } from '../sending/references';

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

/** In the channel whose messages are kept for another time. @param before days, as `after`; null for ever */
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
