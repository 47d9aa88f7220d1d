import { NarrowOperandUnsupported, NarrowOperatorUnsupported } from '../realtime.api';

/** The options with which a client registered its queue. Stored with the queue as JSON. */
export interface QueueOptions {
  /** Types of events to receive; null for all. */
  readonly eventTypes: readonly string[] | null;
  /** Which messages to receive: operator and operand of terms, all of which have to match. */
  readonly narrow: readonly NarrowPair[];
  /** Whether messages of public channels are delivered to a person who is not subscribed. */
  readonly allPublicChannels: boolean;
  /** Whether content is HTML rather than Markdown. */
  readonly applyMarkdown: boolean;
  /** Whether the client computes Gravatar URLs itself. */
  readonly clientGravatar: boolean;
  readonly slimPresence: boolean;
  /** Names of the capabilities that the client declared. */
  readonly capabilities: readonly string[];
  /** ID of the named API key that registered it; omitted for other callers. */
  readonly keyId?: number;
  /** IDs of the channels to which this key is limited; omitted without a limit. */
  readonly channelIds?: readonly number[];
}

/** Types of events for keys that are limited to channels: those that contain the channel in which they happened. */
const TYPES_IN_CHANNELS = ['message', 'update_message', 'delete_message'];

/** Whether keys that are limited to channels receive a type of events. */
export function happensInChannels(type: string): boolean {
  return TYPES_IN_CHANNELS.includes(type);
}

/**
 * Whether an event of such a type happened entirely in these channels: a move must stay within them. Events without a
 * channel, such as those of direct messages, never count.
 */
export function happenedIn(
  channelIds: ReadonlySet<number>,
  { message, ...event }: Readonly<Record<string, unknown>>,
): boolean {
  const { stream_id: id, new_stream_id: movedTo = id } = (message ?? event) as Record<string, unknown>;
  return [id, movedTo].every((each) => typeof each === 'number' && channelIds.has(each));
}

/**
 * Whether named API keys may not receive a type of events or state, because it contains the tokens of outgoing
 * webhooks.
 */
export function isHiddenFromNamedKeys(type: string): boolean {
  return type === 'realm_bot';
}

/** Operator and operand. */
export type NarrowPair = readonly [string, string];

/** Capabilities derived from other options of the queue; events may depend on them as on declared ones. */
export function allCapabilities(options: QueueOptions): ReadonlySet<string> {
  const capabilities = new Set(options.capabilities);
  if (options.slimPresence) capabilities.add('slim_presence');
  if (!options.eventTypes?.includes('user_topic')) capabilities.add('muted_topics_legacy');
  return capabilities;
}

/** The properties of a message that terms of a queue's narrow examine. */
export interface NarrowedMessage {
  readonly isDirect: boolean;
  /** Empty for direct messages, like the topic. */
  readonly channelName: string;
  readonly topic: string;
  readonly senderEmail: string;
  /** The reader's flags. */
  readonly flags: readonly string[];
}

/** Whether a message matches the narrow of a queue. */
export type NarrowPredicate = (message: NarrowedMessage) => boolean;

const RESOLVED_PREFIX = '✔ ';

const CHANNEL_OPERATORS = ['channel', 'stream'];
const OPERATORS = [...CHANNEL_OPERATORS, 'topic', 'sender', 'is'];

/**
 * Builds the test for messages that a queue with this narrow receives: those that match every term. Unlike a narrow for
 * fetching, it has no negation and examines only the message and its flags.
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
