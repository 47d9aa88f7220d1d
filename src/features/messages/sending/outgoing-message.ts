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
  /** The limit of the named API key in use. */
  readonly limit?: KeyLimit | null;
  readonly clientName: string;
  /** Markdown. */
  readonly content: string;
  readonly rendered: RenderedMarkdown;
  /**
   * Everyone mentioned through a group. This set and the following ones may include people who do not receive the
   * message.
   */
  readonly groupMembers: ReadonlySet<number>;
  /** Everyone mentioned by a topic wildcard; empty without one. */
  readonly topicParticipants: ReadonlySet<number>;
  /** Everyone who has an alert word that occurs in the message. */
  readonly alerted: ReadonlySet<number>;
  /** People for whom the message starts as read. */
  readonly readBy: ReadonlySet<number>;
  readonly echo?: LocalEcho;
  /** JSON that makes the message a widget. */
  readonly widgetContent?: string;
  /** Whether it tells that its topic was resolved or opened again. */
  readonly isResolutionNotice?: boolean;
  /** UNIX seconds; defaults to now. */
  readonly sentAt?: number;
}

/** The parts of a message that determine its recipients' flags. */
type Concerning = Pick<OutgoingMessage, 'groupMembers' | 'topicParticipants' | 'alerted' | 'readBy'> & {
  readonly rendered: Pick<RenderedMarkdown, 'channelWildcard' | 'mentionedUserIds'>;
};

/** The initial flags of a message for its recipients. */
export interface FlagsAtSending {
  /** For everyone without an exception. */
  readonly flags: number;
  /** Flags of recipients that differ from the default. */
  readonly exceptions: ReadonlyMap<number, number>;
}

/** Computes the initial flags of a new message. */
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

/** One event of a message: its recipients, their flags, and exceptions among them. */
export interface Delivery {
  readonly audience: Audience;
  readonly flags: number;
  readonly exceptions: ReadonlyMap<number, number>;
}

/** Maximum number of exceptions in one event; a larger group gets a separate event. */
const MAX_EXCEPTIONS = 100;

/**
 * Splits the recipients of a message by their flags, so that the size of an event depends neither on the number of
 * recipients nor on the size of a mentioned group.
 * @param flags bits for everyone without an exception
 * @param exceptions all bits of people whose flags differ; people outside the audience are ignored
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
