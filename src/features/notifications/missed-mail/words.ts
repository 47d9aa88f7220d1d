import type { NotificationReason } from '../choice/notification-choice.service';

/** The conversation of a mail. */
export interface MailedPlace {
  /** Names of the other participants of a direct conversation. */
  readonly people: readonly string[];
  /** Null for a direct conversation. */
  readonly channel: string | null;
  /** As shown. */
  readonly topic: string;
  /** Name of the group, if only one is mentioned. */
  readonly group: string | null;
}

const RESOLVED = '✔ ';

/** The texts of mails about missed messages. Subjects match the mail filters that people use for Zulip. */
export const missed = {
  sender: (organization: string) => `${organization} notifications`,
  title: ({ channel, topic, people }: MailedPlace) =>
    channel === null ? directTitle(people) : channelTitle(channel, topic),
  hiddenTitle: 'New messages',
  inOrganization: (title: string, organization: string) => `${title} [${organization}]`,
  hidden: (count: number, organization: string) =>
    count === 1
      ? `You have a new message at ${organization}.`
      : `You have ${count} new messages at ${organization}.`,
  whyHidden: 'This email does not show the messages because of your settings or the organization’s.',
  spoiler: (organization: string) => `(Open ${organization} to see the hidden text)`,
  earlier: 'Earlier in this topic:',
  more: (count: number) =>
    count === 1 ? 'One more message is not shown.' : `${count} more messages are not shown.`,
  moreConversations: (count: number) =>
    count === 1
      ? 'You missed messages in one more conversation.'
      : `You missed messages in ${count} more conversations.`,
  open: 'Open the conversation',
  openServer: (organization: string) => `Open ${organization}`,
  settings: 'Change your email settings',
  unsubscribe: 'Unsubscribe from these emails',
  noReply: 'Replies to this email are not received by anyone.',
  reply: 'You can reply to this email directly.',
  why: (reason: NotificationReason, { channel, group, topic }: MailedPlace) =>
    WHY[reason](channel ?? '', group, topic),
};

const WHY: Readonly<
  Record<NotificationReason, (channel: string, group: string | null, topic: string) => string>
> = {
  direct: () => 'You are receiving this because you get emails about direct messages.',
  mention: (_, group) =>
    group === null
      ? 'You are receiving this because you were mentioned.'
      : `You are receiving this because @${group} was mentioned.`,
  alert_word: () => 'You are receiving this because of one of your alert words.',
  topic_wildcard: (channel, _, topic) =>
    `You are receiving this because everyone in #${channel} > ${topic} was mentioned.`,
  channel_wildcard: (channel) => `You are receiving this because everyone in #${channel} was mentioned.`,
  followed_topic: () => 'You are receiving this because you get emails about topics that you follow.',
  channel: (channel) => `You are receiving this because you get emails about #${channel}.`,
};

function directTitle(people: readonly string[]): string {
  const [first = '', second = '', third = ''] = people;
  if (people.length <= 1) return `DMs with ${first}`;
  if (people.length === 2) return `Group DMs with ${first} and ${second}`;
  if (people.length === 3) return `Group DMs with ${first}, ${second}, and ${third}`;
  return `Group DMs with ${first}, ${second}, and ${people.length - 2} others`;
}

function channelTitle(channel: string, topic: string): string {
  return topic.startsWith(RESOLVED)
    ? `[resolved] #${channel} > ${topic.slice(RESOLVED.length)}`
    : `#${channel} > ${topic}`;
}

/** The texts of the page for unsubscribing. */
export const unsubscribing = {
  title: 'Unsubscribe',
  about: (email: string) => `Stop sending emails about missed messages to ${email}?`,
  action: 'Unsubscribe',
  done: 'Unsubscribed',
  doneAbout:
    'You will get no more emails about missed messages. You can turn them on again in your settings.',
  over: 'This link doesn’t work',
  overAbout:
    'The link is incomplete, or the address of the account has changed. Sign in to change your email settings.',
};
