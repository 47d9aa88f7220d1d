/** A sent message, as seen by tests. */
export interface TestMessage {
  readonly id: number;
  readonly sender: string;
  /** Null for a direct message. */
  readonly channel: string | null;
  readonly topic: string;
  /** Short names or addresses of the recipients. */
  readonly audience: readonly string[];
  /** Markdown, as sent. */
  readonly content: string;
  /** HTML. */
  readonly rendered: string;
}

/** Properties of an expected message; omitted ones match anything. */
export interface MessageExpectation {
  /** Short name, address or display name. */
  readonly from?: string;
  readonly channel?: string;
  readonly topic?: string;
  /** Short name or address of a recipient. */
  readonly to?: string;
  /** The whole Markdown, or a pattern that it matches. */
  readonly content?: string | RegExp;
}

/** No message matched; the error message lists the sent ones. */
export class MessageMissing extends Error {
  constructor(expected: MessageExpectation, sent: readonly TestMessage[]) {
    const wanted = Object.entries(expected).map(([key, value]) => `${key}: ${String(value)}`);
    const lines = sent.slice(-20).map(({ sender, channel, topic, audience, content }) => {
      const place = channel === null ? audience.join(', ') : `${channel} > ${topic}`;
      return `  ${sender} to ${place}: ${content.slice(0, 200)}`;
    });
    super(
      `No message with ${wanted.join(', ')} was sent. ` +
        (lines.length === 0 ? 'No message was sent.' : `The last messages were:\n${lines.join('\n')}`),
    );
    this.name = 'MessageMissing';
  }
}

interface MessageEvent {
  readonly message: {
    readonly id: number;
    readonly type: string;
    readonly sender_email: string;
    readonly sender_full_name: string;
    readonly display_recipient: unknown;
    /** The topic. */
    readonly ['subject']: string;
    readonly content: string;
  };
}

/** The message in a journal entry. */
export function messageOf(entry: Readonly<Record<string, unknown>>): {
  readonly message: TestMessage;
  readonly senderEmail: string;
} {
  const { message } = entry['event'] as MessageEvent;
  const isDirect = message.type !== 'stream' && message.type !== 'channel';
  return {
    senderEmail: message.sender_email,
    message: {
      id: message.id,
      sender: message.sender_full_name,
      channel: isDirect ? null : String(message.display_recipient),
      topic: message.subject,
      audience: entry['audience'] as string[],
      content: (entry['markdown'] as string | undefined) ?? message.content,
      rendered: message.content,
    },
  };
}

/** @param senderNames all names of the sender */
export function isExpected(
  { channel, topic, audience, content }: TestMessage,
  senderNames: readonly string[],
  expected: MessageExpectation,
): boolean {
  return (
    (expected.from === undefined || senderNames.includes(expected.from)) &&
    (expected.channel === undefined || expected.channel === channel) &&
    (expected.topic === undefined || expected.topic === topic) &&
    (expected.to === undefined || audience.includes(expected.to)) &&
    hasContent(content, expected.content)
  );
}

function hasContent(content: string, expected: string | RegExp | undefined): boolean {
  if (expected === undefined) return true;
  return typeof expected === 'string'
    ? content === expected
    : new RegExp(expected.source, expected.flags.replace(/[gy]/g, '')).test(content);
}
