import { Flag } from '../store/message-flags';

/** Whom a message concerns more than its other recipients. */
export interface Concerned {
  readonly channelWildcard: boolean;
  readonly mentioned: ReadonlySet<number>;
  readonly groupMembers: ReadonlySet<number>;
  /** Filled only when the message has a topic wildcard. */
  readonly topicParticipants: ReadonlySet<number>;
  /** Who has an alert word that is in it. */
  readonly alerted: ReadonlySet<number>;
  /** For whom it is read from the start. */
  readonly readBy: ReadonlySet<number>;
}

/** The flags that a new message has for its recipients (groups reference 9.8). */
export interface FlagsAtSending {
  /** For everybody without an exception. */
  readonly flags: number;
  /** All flags of those who have others. */
  readonly exceptions: ReadonlyMap<number, number>;
}

/** Works out which flags a new message has for whom. */
export function flagsAtSending(concerned: Concerned): FlagsAtSending {
  const flags = concerned.channelWildcard ? Flag.channelWildcardMentioned : 0;
  const exceptions = new Map<number, number>();
  const add = (userIds: ReadonlySet<number>, flag: number) => {
    for (const userId of userIds) exceptions.set(userId, (exceptions.get(userId) ?? flags) | flag);
  };
  add(concerned.mentioned, Flag.mentioned);
  add(concerned.groupMembers, Flag.mentioned);
  add(concerned.topicParticipants, Flag.topicWildcardMentioned);
  add(concerned.alerted, Flag.hasAlertWord);
  add(concerned.readBy, Flag.read);
  return { flags, exceptions };
}
