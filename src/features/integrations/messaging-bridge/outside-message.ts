/** The formats of messages from outside. The same address in two formats belongs to two people. */
export const MessageSource = { form: 'form', whatsapp: 'whatsapp' } as const;

/** Name of such a format. */
export type MessageSource = (typeof MessageSource)[keyof typeof MessageSource];

/** A person outside the organization. */
export interface OutsideSender {
  readonly source: MessageSource;
  /** Tells senders apart, such as a telephone number. */
  readonly address: string;
  /** What the senders call themselves; null if the format does not include it. */
  readonly name: string | null;
  /** The operator's number that they wrote to, if the format includes it. */
  readonly via: string | null;
}

/** A message from outside, in any format. */
export interface OutsideMessage {
  readonly sender: OutsideSender;
  /** Tells it from every other message of its format. */
  readonly externalId: string;
  /** Markdown, or text treated as such; never empty. */
  readonly text: string;
  /** When it was written, in UNIX seconds. */
  readonly writtenAt: number;
}
