import { isExpected, type MessageExpectation, MessageMissing, messageOf, type TestMessage } from './messages';
import { type PermissionCase, tryPermissions } from './permissions';
import { type Answer, TestPerson } from './person';

/** The test interface refused a request, or the server is gone. */
class TestInterfaceError extends Error {}

/** Calls the test interface of a server. */
class TestInterface {
  constructor(private readonly url: string) {}

  get<Result>(path: string, parameters: object = {}): Promise<Result> {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined) query.set(name, String(value));
    }
    return this.send('GET', query.size > 0 ? `${path}?${query.toString()}` : path);
  }

  post<Result>(path: string, body: object = {}): Promise<Result> {
    return this.send('POST', path, body);
  }

  delete<Result>(path: string): Promise<Result> {
    return this.send('DELETE', path);
  }

  private async send<Result>(method: string, path: string, body?: object): Promise<Result> {
    const response = await fetch(`${this.url}/test${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { msg?: string };
    if (!response.ok)
      throw new TestInterfaceError(`${method} /test${path}: ${answer.msg ?? response.status}`);
    return answer as Result;
  }
}

/** A user, as the server reports it. */
export interface TestPersonRecord {
  readonly id: number;
  readonly email: string;
  readonly full_name: string;
  readonly role: number;
  readonly api_key: string;
  readonly is_bot: boolean;
  readonly bot_type: number | null;
}

/** An injected failure, as docs/test-server.md describes it. */
export interface Fault {
  readonly path?: string;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly person?: string | number;
  readonly client?: string;
  readonly times?: number;
  readonly delay_ms?: number;
  readonly status?: number;
  readonly code?: string;
  readonly msg?: string;
  readonly retry_after?: number;
  readonly cut?: 'before' | 'after';
}

/** Filter for journal entries. */
export interface JournalQuery {
  readonly kind?: 'request' | 'event' | 'webhook';
  readonly after?: number;
  readonly person?: string;
  readonly client?: string;
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly type?: string;
  readonly limit?: number;
}

/** An entry of the journal. */
export type JournalRecord = Readonly<Record<string, unknown>> & {
  readonly id: number;
  readonly at: number;
  readonly kind: 'request' | 'event' | 'webhook';
};

/** The time of the server. */
export interface ServerTime {
  readonly now: string;
  readonly now_ms: number;
  readonly is_stopped: boolean;
}

/** An organization in one document, as docs/test-server.md describes it. */
export type World = Readonly<Record<string, unknown>>;

/** Default timeout for an expected message. */
const PATIENCE_MS = 2_000;
const LOOK_EVERY_MS = 20;

/** A test server, as used by tests. */
export class Parley {
  private readonly test: TestInterface;

  /**
   * @param url URL of the server
   * @param known users by short name
   * @param end stops the server
   */
  constructor(
    readonly url: string,
    private known: Readonly<Record<string, TestPersonRecord>>,
    private readonly end: () => Promise<void>,
  ) {
    this.test = new TestInterface(url);
  }

  /** All users with a short name. */
  get people(): Readonly<Record<string, TestPersonRecord>> {
    return this.known;
  }

  /** A member of the cast or the world, by short name. @throws Error for an unknown name */
  as(name: string): TestPerson {
    const record = Object.hasOwn(this.known, name) ? this.known[name] : undefined;
    if (!record) {
      throw new Error(`There is no "${name}" here, but ${Object.keys(this.known).join(', ')}.`);
    }
    return new TestPerson(this.url, name, record.id, record.email, record.api_key);
  }

  /** An account created later, by address or ID, with its current key. */
  async find(who: string | number): Promise<TestPerson> {
    const { person } = await this.test.post<{ person: TestPersonRecord }>('/act-as', { person: who });
    return new TestPerson(this.url, String(who), person.id, person.email, person.api_key);
  }

  /** Resets everything: rows, clients, faults, journal and time. */
  async reset(): Promise<void> {
    await this.test.post('/reset');
  }

  /** Resolves once everything is delivered, clients have polled again, and the server has nothing left to do. */
  async settled(): Promise<void> {
    await this.test.post('/settle');
  }

  /** Creates another organization, to which later resets return. */
  async world(document: World): Promise<void> {
    const { people } = await this.test.post<{ people: Record<string, TestPersonRecord> }>('/world', document);
    this.known = people;
  }

  async journal(query: JournalQuery = {}): Promise<readonly JournalRecord[]> {
    const { entries } = await this.test.get<{ entries: JournalRecord[] }>('/journal', query);
    return entries;
  }

  /** Makes requests fail. @returns a function that removes the fault */
  async fault(fault: Fault): Promise<() => Promise<void>> {
    const added = await this.test.post<{ fault: { id: number } }>('/faults', fault);
    return async () => void (await this.test.delete(`/faults/${added.fault.id}`));
  }

  async clearFaults(): Promise<void> {
    await this.test.delete('/faults');
  }

  /** Ends all connections like a restart; resolves once the server is back. */
  async restart(downMs = 0): Promise<void> {
    await this.test.post('/restart', { down_ms: downMs });
  }

  /** Reads and moves the server's time. Due work is done before these resolve. */
  readonly clock = {
    now: (): Promise<ServerTime> => this.test.get('/clock'),
    stop: (): Promise<ServerTime> => this.test.post('/clock', { stop: true }),
    run: (): Promise<ServerTime> => this.test.post('/clock', { run: true }),
    set: (time: Date | number | string): Promise<ServerTime> =>
      this.test.post('/clock', { set: time instanceof Date ? time.getTime() : time }),
    advance: (ms: number): Promise<ServerTime> => this.test.post('/clock', { advance_ms: ms }),
    reset: (): Promise<ServerTime> => this.test.post('/clock', { reset: true }),
  };

  /** Sends a request as a user, and returns any answer. */
  actAs(
    person: string | number,
    method: string,
    path: string,
    parameters: Answer = {},
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    return this.test.post('/act-as', { person, method, path, parameters });
  }

  /** Messages sent since the last reset, oldest first. */
  async messages(): Promise<readonly TestMessage[]> {
    return (await this.sent()).map(({ message }) => message);
  }

  /**
   * Waits for a message, unless it was already sent since the last reset.
   * @throws {MessageMissing}
   */
  async expectMessage(expected: MessageExpectation, { withinMs = PATIENCE_MS } = {}): Promise<TestMessage> {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const sent = await this.sent();
      const found = sent.find(({ message, names }) => isExpected(message, names, expected));
      if (found) return found.message;
      if (performance.now() > deadline)
        throw new MessageMissing(
          expected,
          sent.map(({ message }) => message),
        );
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  /**
   * Waits until a user's client, such as a bot, has registered since the last reset.
   * @param name short name
   * @throws Error if none does in time
   */
  async registered(name: string, { withinMs = 10_000 } = {}): Promise<void> {
    const deadline = performance.now() + withinMs;
    const query = { kind: 'request', person: name, path: '/register', status: 200 } as const;
    while ((await this.journal(query)).length === 0) {
      if (performance.now() > deadline) throw new Error(`No client of "${name}" has registered.`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  /**
   * Tries requests in each role, including anonymous, and resets the server each time.
   * @throws {PermissionsDiffer} if a role may do more or less than its case says, or if a route of a loaded module has
   *   no case
   */
  expectPermissions(cases: readonly PermissionCase[]): Promise<void> {
    return tryPermissions(this, cases);
  }

  stop(): Promise<void> {
    return this.end();
  }

  private async sent(): Promise<{ message: TestMessage; names: string[] }[]> {
    const entries = await this.journal({ kind: 'event', type: 'message', limit: 10_000 });
    const nameOf = new Map(Object.entries(this.known).map(([name, { email }]) => [email, name]));
    return entries.map((entry) => {
      const { message, senderEmail } = messageOf(entry);
      return { message, names: [message.sender, senderEmail, nameOf.get(senderEmail) ?? senderEmail] };
    });
  }
}
