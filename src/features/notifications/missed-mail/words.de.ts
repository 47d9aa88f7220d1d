import type { NotificationReason } from '../choice/notification-choice.service';
import type { MailedPlace } from './words';

const RESOLVED = '✔ ';

/** The texts of `words.ts` in German. */
export const missed = {
  sender: (organization: string) => `Benachrichtigungen von ${organization}`,
  title: ({ channel, topic, people }: MailedPlace) =>
    channel === null ? directTitle(people) : channelTitle(channel, topic),
  hiddenTitle: 'Neue Nachrichten',
  inOrganization: (title: string, organization: string) => `${title} [${organization}]`,
  hidden: (count: number, organization: string) =>
    count === 1
      ? `Du hast eine neue Nachricht bei ${organization}.`
      : `Du hast ${count} neue Nachrichten bei ${organization}.`,
  whyHidden:
    'Diese E-Mail zeigt nicht, was geschrieben wurde, weil du oder deine Organisation es so eingestellt haben.',
  spoiler: (organization: string) => `(Öffne ${organization}, um den verborgenen Text zu sehen)`,
  earlier: 'Vorher in diesem Thema:',
  more: (count: number) =>
    count === 1
      ? 'Eine weitere Nachricht wird nicht gezeigt.'
      : `${count} weitere Nachrichten werden nicht gezeigt.`,
  moreConversations: (count: number) =>
    count === 1
      ? 'Du hast Nachrichten in einer weiteren Unterhaltung verpasst.'
      : `Du hast Nachrichten in ${count} weiteren Unterhaltungen verpasst.`,
  open: 'Unterhaltung öffnen',
  openServer: (organization: string) => `${organization} öffnen`,
  settings: 'E-Mail-Einstellungen ändern',
  unsubscribe: 'Diese E-Mails abbestellen',
  noReply: 'Antworten auf diese E-Mail kommen nirgends an.',
  reply: 'Du kannst direkt auf diese E-Mail antworten.',
  why: (reason: NotificationReason, { channel, group, topic }: MailedPlace) =>
    `Du bekommst diese E-Mail, ${WHY[reason](channel ?? '', group, topic)}.`,
};

const WHY: Readonly<
  Record<NotificationReason, (channel: string, group: string | null, topic: string) => string>
> = {
  direct: () => 'weil du Direktnachrichten per E-Mail bekommst',
  mention: (_, group) => (group === null ? 'weil du erwähnt wurdest' : `weil @${group} erwähnt wurde`),
  alert_word: () => 'weil eines deiner Signalwörter vorkommt',
  topic_wildcard: (channel, _, topic) => `weil alle in #${channel} > ${topic} erwähnt wurden`,
  channel_wildcard: (channel) => `weil alle in #${channel} erwähnt wurden`,
  followed_topic: () => 'weil du Themen, denen du folgst, per E-Mail bekommst',
  channel: (channel) => `weil du Nachrichten in #${channel} per E-Mail bekommst`,
};

function channelTitle(channel: string, topic: string): string {
  return topic.startsWith(RESOLVED)
    ? `[erledigt] #${channel} > ${topic.slice(RESOLVED.length)}`
    : `#${channel} > ${topic}`;
}

function directTitle(people: readonly string[]): string {
  const [first = '', second = '', third = ''] = people;
  if (people.length <= 1) return `Direktnachrichten von ${first}`;
  if (people.length === 2) return `Gruppennachrichten mit ${first} und ${second}`;
  if (people.length === 3) return `Gruppennachrichten mit ${first}, ${second} und ${third}`;
  return `Gruppennachrichten mit ${first}, ${second} und ${people.length - 2} weiteren`;
}

export const unsubscribing = {
  title: 'Abbestellen',
  about: (email: string) => `Keine E-Mails über verpasste Nachrichten mehr an ${email} senden?`,
  action: 'Abbestellen',
  done: 'Abbestellt',
  doneAbout:
    'Du bekommst keine E-Mails über verpasste Nachrichten mehr. In deinen Einstellungen kannst du sie wieder einschalten.',
  over: 'Dieser Link funktioniert nicht',
  overAbout:
    'Der Link ist unvollständig, oder das Konto hat jetzt eine andere Adresse. Melde dich an, um deine E-Mail-Einstellungen zu ändern.',
};
