/** Parameters of a request: texts unchanged, everything else as JSON. */
export type Parameters = Readonly<Record<string, unknown>>;

/** A server's answer. */
export type Answer = Readonly<Record<string, unknown>>;

/** The server refused a request. */
export class ParleyError extends Error {
  constructor(
    readonly status: number,
    readonly answer: Answer,
  ) {
    super(`${(answer['msg'] as string | undefined) ?? 'no message'} (${status})`);
  }

  /** The code of the error, such as `BAD_REQUEST`. */
  get code(): string {
    return (this.answer['code'] as string | undefined) ?? '';
  }
}

/** An account that sends requests with its API key. */
export class TestPerson {
  /** @param url URL of the server */
  constructor(
    private readonly url: string,
    readonly name: string,
    readonly id: number,
    readonly email: string,
    readonly apiKey: string,
  ) {}

  /** The configuration of Zulip clients: `zulip-js` accepts it unchanged, and defines the names. */
  get config(): { ['realm']: string; username: string; apiKey: string } {
    return { ['realm']: this.url, username: this.email, apiKey: this.apiKey };
  }

  /** The same as the text of the file `zuliprc`. */
  get zuliprc(): string {
    return `[api]\nemail=${this.email}\nkey=${this.apiKey}\nsite=${this.url}\n`;
  }

  get(path: string, parameters?: Parameters): Promise<Answer> {
    return this.request('GET', path, parameters);
  }

  post(path: string, parameters?: Parameters): Promise<Answer> {
    return this.request('POST', path, parameters);
  }

  put(path: string, parameters?: Parameters): Promise<Answer> {
    return this.request('PUT', path, parameters);
  }

  patch(path: string, parameters?: Parameters): Promise<Answer> {
    return this.request('PATCH', path, parameters);
  }

  delete(path: string, parameters?: Parameters): Promise<Answer> {
    return this.request('DELETE', path, parameters);
  }

  /**
   * Sends a message to a channel and topic, or to people by their IDs or addresses.
   * @returns its ID
   */
  async send(
    message:
      | { readonly channel: string; readonly topic?: string; readonly content: string }
      | { readonly to: readonly (number | string)[]; readonly content: string },
  ): Promise<number> {
    // All releases support these types.
    const place =
      'to' in message
        ? { type: 'direct', to: message.to }
        : { type: 'stream', to: message.channel, topic: message.topic ?? '' };
    const { id } = await this.post('/messages', { ...place, content: message.content });
    return Number(id);
  }

  /**
   * @param path under `/api/v1`
   * @throws {ParleyError}
   */
  request(method: string, path: string, parameters?: Parameters): Promise<Answer> {
    const credentials = Buffer.from(`${this.email}:${this.apiKey}`).toString('base64');
    return ask(this.url, `Basic ${credentials}`, method, path, parameters);
  }
}

/**
 * Sends a request, with or without credentials.
 * @throws {ParleyError}
 */
export async function ask(
  url: string,
  authorization: string | null,
  method: string,
  path: string,
  parameters: Parameters = {},
): Promise<Answer> {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  const query = method === 'GET' && form.size > 0 ? `?${form.toString()}` : '';
  const response = await fetch(`${url}/api/v1${path}${query}`, {
    method,
    ...(authorization !== null && { headers: { authorization } }),
    ...(method !== 'GET' && { body: form }),
  });
  const answer = (await response.json()) as Answer;
  if (!response.ok) throw new ParleyError(response.status, answer);
  return answer;
}
