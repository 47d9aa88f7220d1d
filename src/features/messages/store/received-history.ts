import { groupBy } from '../../../platform/collections';
/** A stretch of message IDs during which a person received what was sent to a channel. */
export interface Period {
  readonly channelId: number;
  readonly firstMessageId: number;
  /** Null while the stretch goes on. */
  readonly lastMessageId: number | null;
}

/** A message as far as its having been received goes. */
export interface Receivable {
  readonly id: number;
  readonly channelId: number | null;
  readonly sentChannelId: number | null;
}

/** Stands for the channel a message was sent to where rows of people say who received it: no channel has this ID. */
export const SENT_TO_NOBODY = 0;

/** The channel that decides who received a message, wherever the message is now; null for a direct one. */
export function channelSentTo({ sentChannelId, channelId }: Omit<Receivable, 'id'>): number | null {
  return sentChannelId ?? channelId;
}

/** What one person received, by subscription periods. Direct messages are received by all who can see them. */
export class ReceivedHistory {
  private readonly periods: ReadonlyMap<number, readonly Period[]>;

  constructor(periods: Iterable<Period>) {
    this.periods = groupBy(periods, ({ channelId }) => channelId);
  }

  has(message: Receivable): boolean {
    const channelId = channelSentTo(message);
    if (channelId === null) return true;
    return (this.periods.get(channelId) ?? []).some(
      ({ firstMessageId, lastMessageId }) =>
        message.id >= firstMessageId && (lastMessageId === null || message.id <= lastMessageId),
    );
  }
}
