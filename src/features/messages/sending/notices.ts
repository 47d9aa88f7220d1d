/** Texts of the notification bot, in Markdown (channels reference 1.7 and 6). */

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

export function channelsAnnouncedNotice(creator: Person, channels: readonly NamedChannel[]): string {
  const links = channels.map(link).join(', ');
  const what = channels.length > 1 ? 'the following channels:' : 'a new channel';
  return `${mention(creator)} created ${what} ${links}.`;
}

export function channelCreatedNotice(creator: Person, channel: DescribedChannel): string {
  const intro = `**${privacyOf(channel)}** channel created by ${mention(creator)}. **Description:**`;
  return `${intro}\n${quoted(channel.description)}`;
}

export function subscribedNotice(subscriber: Person, channels: readonly NamedChannel[]): string {
  const [only] = channels;
  if (only && channels.length === 1) return `${mention(subscriber)} subscribed you to ${link(only)}.`;
  const items = channels
    .map(link)
    .sort()
    .map((item) => `* ${item}`);
  return `${mention(subscriber)} subscribed you to the following channels:\n\n${items.join('\n')}`;
}

export function channelRenamedNotice(person: Person, oldName: string, channel: NamedChannel): string {
  return `${mention(person)} renamed the channel **${oldName}** to ${link(channel)}.`;
}

export function descriptionChangedNotice(person: Person, before: string, after: string): string {
  return [
    `${mention(person)} changed the description of this channel.`,
    '',
    '**Old description:**',
    quoted(before),
    '**New description:**',
    quoted(after),
  ].join('\n');
}

export function channelArchivedNotice(channel: NamedChannel): string {
  return `Channel ${link(channel)} has been archived.`;
}

export function channelUnarchivedNotice(channel: NamedChannel): string {
  return `Channel ${link(channel)} has been unarchived.`;
}

export function addedToGroupNotice(person: Person, groupName: string): string {
  return `${mention(person)} added you to the group @_*${groupName}*.`;
}

export function removedFromGroupNotice(person: Person, groupName: string): string {
  return `${mention(person)} removed you from the group @_*${groupName}*.`;
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

/** Names a person without notifying him. */
function mention({ id, fullName }: Person): string {
  return `@_**${fullName}|${id}**`;
}

function link({ name }: NamedChannel): string {
  return `#**${name}**`;
}
