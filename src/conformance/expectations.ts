import { isDeepStrictEqual } from 'node:util';
import { type Client, UnexpectedAnswer, type WireObject } from './client';

/** A precondition of the check is not met. */
export class CheckSkipped extends Error {}

/**
 * Whether a value matches the expectation: functions decide, objects list the relevant keys, anything else must be
 * equal.
 */
function fits(value: unknown, expected: unknown): boolean {
  if (typeof expected === 'function') return Boolean((expected as (value: unknown) => unknown)(value));
  if (expected instanceof RegExp) return typeof value === 'string' && expected.test(value);
  if (typeof expected !== 'object' || expected === null || Array.isArray(expected))
    return isDeepStrictEqual(value, expected);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(expected).every(([key, part]) => fits((value as Record<string, unknown>)[key], part));
}

/** @throws {UnexpectedAnswer} if it does not match */
export function expectThat(what: string, value: unknown, expected: unknown): void {
  if (fits(value, expected)) return;
  const wanted = JSON.stringify(expected, (_, part: unknown) =>
    typeof part === 'function' ? part.name : part instanceof RegExp ? String(part) : part,
  );
  const got = JSON.stringify(value) ?? 'nothing';
  throw new UnexpectedAnswer(`${what}: expected ${wanted ?? String(expected)}, got ${got.slice(0, 400)}`);
}

/** Matchers for {@link expectThat}. */
export const number = (value: unknown): boolean => typeof value === 'number';
export const text = (value: unknown): boolean => typeof value === 'string';
export const boolean = (value: unknown): boolean => typeof value === 'boolean';
export const list = (value: unknown): boolean => Array.isArray(value);
export const object = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const absent = (value: unknown): boolean => value === undefined;
export const textOrNull = (value: unknown): boolean => value === null || text(value);
export const numberOrNull = (value: unknown): boolean => value === null || number(value);
/** For people, records may omit what only bots have. */
export const numberIfAny = (value: unknown): boolean => absent(value) || numberOrNull(value);
/** A list with a matching record. */
export const listWith = (expected: unknown) =>
  function listWithIt(value: unknown): boolean {
    return Array.isArray(value) && value.some((each) => fits(each, expected));
  };
/** A list without a matching record. */
export const listWithout = (expected: unknown) =>
  function listWithoutIt(value: unknown): boolean {
    return Array.isArray(value) && !value.some((each) => fits(each, expected));
  };

/** The queue of a registered client, with its initial state. */
export class CheckedQueue {
  private readonly seen: WireObject[] = [];
  private lastId: number;

  private constructor(
    private readonly client: Client,
    readonly state: WireObject,
    private readonly patienceMs: number,
  ) {
    this.lastId = Number(state['last_event_id']);
  }

  /** @param patienceMs timeout for an event */
  static async register(client: Client, parameters: WireObject, patienceMs: number): Promise<CheckedQueue> {
    return new CheckedQueue(client, await client.ok('POST /register', parameters), patienceMs);
  }

  get id(): string {
    return String(this.state['queue_id']);
  }

  /**
   * Waits for an event.
   * @throws {UnexpectedAnswer} if no matching event arrives
   */
  async next(expected: WireObject): Promise<WireObject> {
    const deadline = performance.now() + this.patienceMs;
    for (;;) {
      const at = this.seen.findIndex((event) => fits(event, expected));
      if (at >= 0) return this.seen.splice(at, 1)[0] ?? {};
      if (performance.now() > deadline)
        throw new UnexpectedAnswer(
          `No event ${JSON.stringify(expected)} came, but ${JSON.stringify(this.seen).slice(0, 400)}`,
        );
      await this.poll();
    }
  }

  /** All further events so far. */
  async rest(): Promise<readonly WireObject[]> {
    await this.poll();
    return this.seen;
  }

  /** Does not wait: delayed events arrive with a later poll. */
  private async poll(): Promise<void> {
    const { events } = await this.client.ok('GET /events', {
      queue_id: this.id,
      last_event_id: this.lastId,
      dont_block: true,
    });
    for (const event of events as WireObject[]) {
      this.lastId = Math.max(this.lastId, Number(event['id']));
      this.seen.push(event);
    }
    if ((events as WireObject[]).length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  }

  async end(): Promise<void> {
    await this.client.ask('DELETE /events', { queue_id: this.id });
  }
}
