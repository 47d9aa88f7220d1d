/** The options with which a client registered its queue. Stored with the queue as JSON. */
export interface QueueOptions {
  /** Types of events that it wants; null for all. */
  readonly eventTypes: readonly string[] | null;
  /** Which messages it wants: operator and operand of terms, all of which have to match. */
  readonly narrow: readonly NarrowPair[];
  /** Whether messages of public channels are delivered to a person who is not subscribed. */
  readonly allPublicChannels: boolean;
  /** HTML instead of Markdown. */
  readonly applyMarkdown: boolean;
  /** Whether the client works out the addresses of externally hosted pictures. */
  readonly clientGravatar: boolean;
  readonly slimPresence: boolean;
  /** Names of the capabilities that the client declared. */
  readonly capabilities: readonly string[];
  /** ID of the named API key that registered it; left out for other callers. */
  readonly keyId?: number;
}

/** Whether a type of events, or of state, is nothing for named API keys: it has the tokens of outgoing webhooks. */
export function isHiddenFromNamedKeys(type: string): boolean {
  return type === 'realm_bot';
}

/** Operator and operand. */
export type NarrowPair = readonly [string, string];

/** Capabilities that follow from other options of the queue; events may depend on them as on declared ones. */
export function allCapabilities(options: QueueOptions): ReadonlySet<string> {
  const capabilities = new Set(options.capabilities);
  if (options.slimPresence) capabilities.add('slim_presence');
  if (!options.eventTypes?.includes('user_topic')) capabilities.add('muted_topics_legacy');
  return capabilities;
}
