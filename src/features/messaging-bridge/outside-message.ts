/** The forms in which messages come from outside. Whoever has an address in one is nobody in another. */
export const MessageSource = { form: 'form', whatsapp: 'whatsapp' } as const;

export type MessageSource = (typeof MessageSource)[keyof typeof MessageSource];

/** Somebody outside of the organization. */
export interface OutsideSender {
  readonly source: MessageSource;
  /** What tells senders apart, such as a telephone number. */
  readonly address: string;
  /** What the senders call themselves; null where the form does not tell. */
  readonly name: string | null;
  /** Which of the operator's own numbers they wrote to, where the form tells. */
  readonly via: string | null;
}

/** A message from outside, whatever form it came in. */
export interface OutsideMessage {
  readonly sender: OutsideSender;
  /** What tells it from every other message of its form. */
  readonly externalId: string;
  /** Markdown, or what passes for it; never empty. */
  readonly text: string;
  /** When it was written, in UNIX seconds. */
  readonly writtenAt: number;
}
