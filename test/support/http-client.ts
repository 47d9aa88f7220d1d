import { contractCheck } from './contract/running-check';
import { descriptionCheck } from './description/running-check';

/** A raw response. */
export interface WireAnswer {
  readonly status: number;
  readonly contentType: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers as they are
  readonly body: any;
}

type Values = Readonly<Record<string, unknown>>;

/** A client on the network level: parameters in the query for GET and in a form otherwise, and additional headers. */
export class HttpClient {
  constructor(
    private readonly site: string,
    private readonly credentials: { readonly email: string; readonly apiKey: string },
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  async call(method: string, path: string, values: Values = {}): Promise<WireAnswer> {
    const text = encode(values).toString();
    const inQuery = method === 'GET';
    const { email, apiKey } = this.credentials;
    const response = await fetch(`${this.site}${path}${inQuery && text !== '' ? `?${text}` : ''}`, {
      method,
      headers: {
        ...this.headers,
        authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`,
        ...(inQuery ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(inQuery ? {} : { body: text }),
    });
    const contentType = response.headers.get('content-type') ?? '';
    const answer = { status: response.status, contentType, body: await response.json() };
    const { pathname } = new URL(response.url);
    contractCheck.checkAnswer(method, pathname, answer);
    descriptionCheck.checkAnswer(method, pathname, { ...answer, headers: { 'content-type': contentType } });
    return answer;
  }
}

/** Texts unchanged, everything else as JSON; nulls are omitted. */
function encode(values: Values): URLSearchParams {
  const entries = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
  return new URLSearchParams(
    entries.map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}
