import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { contractCheck } from './contract/running-check';
import { descriptionCheck } from './description/running-check';

/** Parameters of a request: texts are sent unchanged, everything else as JSON, as Zulip clients do. */
export type Parameters = Readonly<Record<string, unknown>>;

/** A response of the server; its body is parsed if it is JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look at any key of any answer
  readonly body: any;
}

/** Methods that the interface uses. */
export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** Credentials for Basic authentication. */
export interface Credentials {
  readonly email: string;
  readonly apiKey: string;
}

/**
 * Calls the main interface as one caller: parameters in the query for GET, as a form otherwise. Every answer is checked
 * against the contract of the interface and the server's API description.
 */
export class ApiClient {
  constructor(
    private readonly app: NestFastifyApplication,
    private readonly credentials: Credentials | null,
    /** Awaited before everything that may write. */
    private readonly beforeWriting: () => Promise<void> = () => Promise.resolve(),
    /** False if the same answers are checked against the contract elsewhere, because that takes time. */
    private readonly isHeldToContract = true,
  ) {}

  get(path: string, parameters: Parameters = {}): Promise<Answer> {
    return this.call('GET', path, parameters);
  }

  post(path: string, parameters: Parameters = {}): Promise<Answer> {
    return this.call('POST', path, parameters);
  }

  patch(path: string, parameters: Parameters = {}): Promise<Answer> {
    return this.call('PATCH', path, parameters);
  }

  put(path: string, parameters: Parameters = {}): Promise<Answer> {
    return this.call('PUT', path, parameters);
  }

  delete(path: string, parameters: Parameters = {}): Promise<Answer> {
    return this.call('DELETE', path, parameters);
  }

  async call(method: Method, path: string, parameters: Parameters = {}): Promise<Answer> {
    const encoded = encodeParameters(parameters);
    const inQuery = method === 'GET' && encoded !== '';
    return this.send({
      method,
      url: `/api/v1${path}${inQuery ? `?${encoded}` : ''}`,
      headers: inQuery || encoded === '' ? {} : { 'content-type': 'application/x-www-form-urlencoded' },
      payload: inQuery || encoded === '' ? undefined : encoded,
    });
  }

  /** Sends a multipart form with text fields and one file. */
  async upload(
    path: string,
    file: { name: string; content: Buffer | string; type?: string; field?: string },
    parameters: Parameters = {},
    method: Method = 'POST',
  ): Promise<Answer> {
    const form = new FormData();
    for (const [name, value] of Object.entries(parameters)) form.append(name, asText(value));
    const blob = new Blob([file.content], { type: file.type ?? 'application/octet-stream' });
    form.append(file.field ?? 'file', blob, file.name);
    const request = new Request('http://test.invalid/', { method: 'POST', body: form });
    return this.send({
      method,
      url: `/api/v1${path}`,
      headers: { 'content-type': request.headers.get('content-type') as string },
      payload: Buffer.from(await request.arrayBuffer()),
    });
  }

  /** Sends a raw request, with this caller's credentials unless others are given. */
  async send(request: {
    method: Method | 'HEAD' | 'OPTIONS';
    url: string;
    headers?: Record<string, string>;
    payload?: string | Buffer;
  }): Promise<Answer> {
    if (request.method !== 'GET') await this.beforeWriting();
    const response = await this.app.inject({
      ...request,
      headers: { ...this.authorization(), ...request.headers },
    });
    expectSecurityHeaders(response.headers);
    const hasContent = request.method !== 'HEAD';
    const isJson = hasContent && String(response.headers['content-type']).startsWith('application/json');
    const answer: Answer = {
      status: response.statusCode,
      headers: response.headers,
      body: isJson ? response.json() : response.rawPayload,
    };
    if (isJson && this.isHeldToContract) contractCheck.checkAnswer(request.method, request.url, answer);
    descriptionCheck.checkAnswer(request.method, request.url, answer);
    return answer;
  }

  private authorization(): Record<string, string> {
    if (!this.credentials) return {};
    const { email, apiKey } = this.credentials;
    return { authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}` };
  }
}

/** Headers of every response. Calling `expect` for each of them took a twentieth of the time of all tests. */
export function expectSecurityHeaders(headers: Answer['headers']): void {
  const isHtml = /html/.test(String(headers['content-type']));
  const isSafe = headers['x-frame-options'] === 'DENY' && headers['x-content-type-options'] === 'nosniff';
  if (isSafe && (!isHtml || headers['content-security-policy'] !== undefined)) return;
  expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' });
  if (isHtml) expect(headers).toHaveProperty('content-security-policy');
}

function encodeParameters(parameters: Parameters): string {
  return new URLSearchParams(
    Object.entries(parameters)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]): [string, string] => [name, asText(value)]),
  ).toString();
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
