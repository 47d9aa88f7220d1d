import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

/** A JSON object. */
export type WireObject = Readonly<Record<string, unknown>>;

/** A server's response. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON; empty if the response is not JSON. */
  readonly body: WireObject;
  readonly text: string;
}

/** The account whose key a request uses. */
interface Credentials {
  readonly email: string;
  readonly apiKey: string;
}

/** The response was not as expected. */
export class UnexpectedAnswer extends Error {}

/** Response timeout. */
const PATIENCE_MS = 30_000;
/** Maximum number of retries of a rate-limited request. */
const MOST_REPEATS = 8;

/** Observations shared by all clients of a run. */
interface Encounters {
  /** The first rate-limited response. */
  limited?: Reply;
}

/** Sends requests to the tested server, with or without credentials. */
export class Client {
  /** @param url URL of the organization */
  constructor(
    readonly url: string,
    readonly credentials: Credentials | null,
    readonly encounters: Encounters = {},
  ) {}

  /** A client of the same server with other credentials. */
  as(credentials: Credentials | null): Client {
    return new Client(this.url, credentials, this.encounters);
  }

  /**
   * @param route such as `POST /messages`, under `/api/v1`
   * @param parameters texts unchanged, everything else as JSON
   */
  async ask(route: string, parameters: WireObject = {}): Promise<Reply> {
    const [method = '', path = ''] = route.split(' ');
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) {
      form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
    }
    const query = method === 'GET' && form.size > 0 ? `?${form.toString()}` : '';
    return this.send(`${path}${query}`, { method, ...(method !== 'GET' && { body: form }) });
  }

  /** Uploads a file. */
  async upload(route: string, name: string, content: Uint8Array<ArrayBuffer>, type: string): Promise<Reply> {
    const [method = '', path = ''] = route.split(' ');
    const form = new FormData();
    form.set('file', new Blob([content], { type }), name);
    return this.send(path, { method, body: form });
  }

  /** @throws {UnexpectedAnswer} unless the request succeeds */
  async ok(route: string, parameters: WireObject = {}): Promise<WireObject> {
    return successOf(route, await this.ask(route, parameters));
  }

  /** @throws {UnexpectedAnswer} unless the request fails with an error envelope, and with the given status and code */
  async refused(
    route: string,
    parameters: WireObject = {},
    status = 400,
    code?: string,
  ): Promise<WireObject> {
    const { status: given, body } = await this.ask(route, parameters);
    if (given !== status)
      throw new UnexpectedAnswer(`${route}: expected status ${status}, got ${given} ${shown(body)}`);
    if (body['result'] !== 'error' || typeof body['msg'] !== 'string')
      throw new UnexpectedAnswer(`${route}: expected an error with "result" and "msg", got ${shown(body)}`);
    if (code !== undefined && body['code'] !== code)
      throw new UnexpectedAnswer(`${route}: expected the code ${code}, got ${shown(body)}`);
    return body;
  }

  private async send(path: string, request: RequestInit): Promise<Reply> {
    const { email = '', apiKey = '' } = this.credentials ?? {};
    const headers: Record<string, string> = { 'user-agent': 'ParleyConformance' };
    if (this.credentials)
      headers['authorization'] = `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`;
    // URLs of files are relative to the server, all others to the interface.
    const address = /^\/(api|user_uploads)\//.test(path) ? path : `/api/v1${path}`;
    for (let repeats = 0; ; repeats++) {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const response = await fetch(`${this.url}${address}`, { ...request, headers, signal });
      const text = await response.text();
      const body = parsed(text);
      const reply = { status: response.status, headers: response.headers, body, text };
      // A rate limit is not a failure.
      if (response.status !== 429 || repeats >= MOST_REPEATS) return reply;
      this.encounters.limited ??= reply;
      await pause(Math.min(Number(body['retry-after'] ?? 1), 60) * 1_000);
    }
  }
}

/** @throws {UnexpectedAnswer} */
function successOf(route: string, { status, body, text }: Reply): WireObject {
  if (status !== 200 || body['result'] !== 'success')
    throw new UnexpectedAnswer(`${route}: expected success, got ${status} ${shown(body, text)}`);
  return body;
}

function parsed(text: string): WireObject {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? (value as WireObject) : {};
  } catch {
    return {};
  }
}

function shown(body: WireObject, text = ''): string {
  return (Object.keys(body).length > 0 ? JSON.stringify(body) : text).slice(0, 300);
}

/** An account in the scene. */
export interface Participant {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly client: Client;
}

/** A person who can sign in. */
export interface PersonWithPassword extends Participant {
  readonly password: string;
}

/** A bot of the owner, with its data after creation. */
export async function botOf(client: Client, id: number, apiKey: string): Promise<Participant> {
  const { user } = await client.ok(`GET /users/${id}`);
  const { email, full_name: name } = user as { email: string; full_name: string };
  return { id, email, name, client: client.as({ email, apiKey }) };
}

/** Creates a person with a key. @returns the reason if the server refuses */
export async function makePerson(
  client: Client,
  run: string,
  ownerEmail: string,
): Promise<PersonWithPassword | string> {
  const email = `conformance-${run}@${ownerEmail.split('@')[1] ?? 'example.com'}`;
  const password = randomBytes(18).toString('base64');
  const name = `Conformance Person ${run}`;
  const { body } = await client.ask('POST /users', { email, password, full_name: name });
  if (body['result'] !== 'success') return `The owner may not make people: ${String(body['msg'])}`;
  const id = Number(body['user_id']);
  const key = await client.as(null).ask('POST /fetch_api_key', { username: email, password });
  if (key.status !== 200) {
    await client.ask(`DELETE /users/${id}`);
    return `People cannot sign in with a password: ${String(key.body['msg'])}`;
  }
  return { id, email, name, password, client: client.as({ email, apiKey: String(key.body['api_key']) }) };
}
