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
  const description = channel.description || '*No description.*';
  return [
    `**${privacyOf(channel)}** channel created by ${mention(creator)}. **Description:**`,
    `${FENCE} quote`,
    description,
    FENCE,
  ].join('\n');
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
