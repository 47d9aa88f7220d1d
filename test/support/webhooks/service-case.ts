/** A service's payload; `test/spec/webhook-messages.txt` contains the resulting messages. */
export interface ServiceCase {
  readonly service: string;
  /** Its subject, if a service has several payloads. */
  readonly about: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: Readonly<Record<string, unknown>>;
  readonly payload: unknown;
}
