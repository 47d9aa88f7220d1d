import { silentMention } from '../sending/system-message.service';

/** Texts of the notification bot, in Markdown. */

interface Person {
  readonly id: number;
  readonly fullName: string;
}

interface DescribedChannel {
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
  readonly isWebPublic: boolean;
  readonly isHistoryPublicToSubscribers: boolean;
}

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
  return `${silentMention(person)} renamed the channel **${oldName}** to ${link(channel)}.`;
}

/** In the channel, with the old and the new description quoted. */
export function descriptionChangedNotice(person: Person, before: string, after: string): string {
  return [
    `${silentMention(person)} changed the description of this channel.`,
    '',
    '**Old description:**',
    quoted(before),
    '**New description:**',
    quoted(after),
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

function privacyOf(channel: DescribedChannel): string {
  if (channel.isWebPublic) return 'Web-public';
  if (!channel.isPrivate) return 'Public';
  return channel.isHistoryPublicToSubscribers ? 'Private, shared history' : 'Private, protected history';
}

function link({ name }: NamedChannel): string {
  return `#**${name}**`;
}
