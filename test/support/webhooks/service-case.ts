/** What a service sends; `test/spec/webhook-messages.txt` says what becomes of it. */
export interface ServiceCase {
  readonly service: string;
  /** What it is about, where a service has several. */
  readonly about: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: Readonly<Record<string, unknown>>;
  readonly payload: unknown;
}
