import type { KeyLimit } from '../../../platform/actor';
import { addTo } from '../../../platform/collections';
import { Audience } from '../../../platform/events/audience';
import type { AccountRecord } from '../../users/users.module';
import type { RenderedMarkdown } from '../markdown/render-markdown';
import { Flag } from '../store/message-flags';
import type { LocalEcho } from '../store/messages.hooks';

/** A message on its way from the request to its row and its recipients: checked, normalized and rendered. */
export interface OutgoingMessage {
  readonly sender: AccountRecord;
  /** Of the named API key with which it comes. */
  readonly limit?: KeyLimit | null;
  readonly clientName: string;
  /** Markdown. */
  readonly content: string;
  readonly rendered: RenderedMarkdown;
  /** Everybody mentioned through a group. People in this and the next sets who do not receive it do not matter. */
  readonly groupMembers: ReadonlySet<number>;
  /** Everybody mentioned by a topic wildcard; empty without one. */
  readonly topicParticipants: ReadonlySet<number>;
  /** Everybody who has an alert word that is in it. */
  readonly alerted: ReadonlySet<number>;
  /** For whom it is read from the start. */
  readonly readBy: ReadonlySet<number>;
  readonly echo?: LocalEcho;
  /** JSON that makes it a widget. */
  readonly widgetContent?: string;
  /** Whether it tells that its topic was resolved or opened again. */
  readonly isResolutionNotice?: boolean;
  /** Now if not given. UNIX seconds. */
  readonly sentAt?: number;
}

/** What of a message decides about its recipients' flags. */
type Concerning = Pick<OutgoingMessage, 'groupMembers' | 'topicParticipants' | 'alerted' | 'readBy'> & {
  readonly rendered: Pick<RenderedMarkdown, 'channelWildcard' | 'mentionedUserIds'>;
};

/** The flags that a new message has for its recipients. */
export interface FlagsAtSending {
  /** For everybody without an exception. */
  readonly flags: number;
  /** Flags of recipients that differ from the default. */
  readonly exceptions: ReadonlyMap<number, number>;
}

/** Works out which flags a new message has for whom. */
export function flagsAtSending({ rendered, ...message }: Concerning): FlagsAtSending {
  const flags = rendered.channelWildcard ? Flag.channelWildcardMentioned : 0;
  const exceptions = new Map<number, number>();
  const add = (userIds: ReadonlySet<number>, flag: number) => {
    for (const userId of userIds) exceptions.set(userId, (exceptions.get(userId) ?? flags) | flag);
  };
  add(rendered.mentionedUserIds, Flag.mentioned);
  add(message.groupMembers, Flag.mentioned);
  add(message.topicParticipants, Flag.topicWildcardMentioned);
  add(message.alerted, Flag.hasAlertWord);
  add(message.readBy, Flag.read);
  return { flags, exceptions };
}

/** One event of a message: who gets it, with which flags, and who of them with other ones. */
export interface Delivery {
  readonly audience: Audience;
  readonly flags: number;
  readonly exceptions: ReadonlyMap<number, number>;
}

/** Up to this many people with flags of their own travel in one event; more get an event of theirs. */
const MAX_EXCEPTIONS = 100;

/**
 * Splits the recipients of a message by their flags, so that the size of an event depends neither on the
 * number of recipients nor on the size of a mentioned group.
 * @param flags bits that hold for everybody without an exception
 * @param exceptions all bits of those whose flags differ; people outside the audience are left out
 */
export function planDeliveries(
  audience: Audience,
  flags: number,
  exceptions: ReadonlyMap<number, number>,
): Delivery[] {
  const differing = [...exceptions].filter(([id, own]) => own !== flags && audience.has(id));
  if (differing.length <= MAX_EXCEPTIONS) return [{ audience, flags, exceptions: new Map(differing) }];

  const byFlags = new Map<number, number[]>();
  for (const [id, own] of differing) addTo(byFlags, own, id);
  const crowds = [...byFlags].filter(([, ids]) => ids.length > MAX_EXCEPTIONS);
  const crowdFlags = new Set(crowds.map(([own]) => own));
  const rest = {
    audience: audience.without(crowds.flatMap(([, ids]) => ids)),
    flags,
    exceptions: new Map(differing.filter(([, own]) => !crowdFlags.has(own))),
  };
  const deliveries = crowds.map(([own, ids]) => ({
    audience: Audience.of(ids),
    flags: own,
    exceptions: new Map<number, number>(),
  }));
  return rest.audience.size > 0 ? [rest, ...deliveries] : deliveries;
}
