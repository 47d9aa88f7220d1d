import { NarrowOperandUnsupported, NarrowOperatorUnsupported } from '../realtime.api';
import type { NarrowPair } from './queue-options';

/** What the terms of a queue's narrow examine. */
export interface NarrowedMessage {
  readonly isDirect: boolean;
  /** Empty in direct messages, like the topic. */
  readonly channelName: string;
  readonly topic: string;
  readonly senderEmail: string;
  /** The reader's flags. */
  readonly flags: readonly string[];
}

/** Whether a message is in the narrow of a queue. */
export type NarrowPredicate = (message: NarrowedMessage) => boolean;

const RESOLVED_PREFIX = '✔ ';

const CHANNEL_OPERATORS = ['channel', 'stream'];
const OPERATORS = [...CHANNEL_OPERATORS, 'topic', 'sender', 'is'];

/**
 * Decides which messages a queue with this narrow gets: those that match every term. Unlike a narrow for fetching, it
 * has no negation and examines only the message and its flags.
 * @throws NarrowOperatorUnsupported, NarrowOperandUnsupported
 */
export function narrowPredicate(narrow: readonly NarrowPair[]): NarrowPredicate {
  for (const [operator, operand] of narrow) {
    if (!OPERATORS.includes(operator)) throw new NarrowOperatorUnsupported(operator);
    if (operator === 'is' && operand === 'followed') throw new NarrowOperandUnsupported(operand);
  }
  const terms = narrow.map(([operator, operand]) => term(operator, operand));
  return (message) => terms.every((fits) => fits(message));
}

function term(operator: string, operand: string): NarrowPredicate {
  if (operator === 'is') return isTerm(operand);
  const wanted = operand.toLowerCase();
  if (CHANNEL_OPERATORS.includes(operator)) {
    return ({ isDirect, channelName }) => !isDirect && channelName.toLowerCase() === wanted;
  }
  if (operator === 'topic') return ({ isDirect, topic }) => !isDirect && topic.toLowerCase() === wanted;
  return ({ senderEmail }) => senderEmail.toLowerCase() === wanted;
}

/** Unknown operands match every message, as in Zulip. */
function isTerm(operand: string): NarrowPredicate {
  switch (operand) {
    case 'dm':
    case 'private':
      return ({ isDirect }) => isDirect;
    case 'starred':
      return ({ flags }) => flags.includes('starred');
    case 'unread':
      return ({ flags }) => !flags.includes('read');
    case 'mentioned':
    case 'alerted':
      return ({ flags }) => flags.includes('mentioned');
    case 'resolved':
      return ({ isDirect, topic }) => !isDirect && topic.startsWith(RESOLVED_PREFIX);
    default:
      return () => true;
  }
}
