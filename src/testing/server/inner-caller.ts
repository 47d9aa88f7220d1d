import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { TestRequestRefused } from './request-checks';

/** A request that the test server sends to itself. */
export interface InnerRequest {
  readonly method: string;
  /** Under `/api/v1`, unless it begins with `/api/` or `/user_uploads`. */
  readonly path: string;
  /** Texts unchanged, everything else as JSON. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Whether the server itself needs it: such requests are not in the journal, and faults do not affect them. */
  readonly isOwn?: boolean;
}

export interface InnerAnswer {
  readonly status: number;
  /** The parsed JSON, or the text if it is not JSON. */
  readonly body: unknown;
}

/** Sends requests as a user. */
export type InnerCaller = (
  who: { readonly email: string; readonly api_key: string },
  request: InnerRequest,
) => Promise<InnerAnswer>;

/** Known only to this process, so that external requests cannot pass as internal. */
const MARK = randomUUID();
const HEADER = 'x-parley-test';

/** Whether the test server sent the request for itself. */
export function isOwnRequest({ headers }: FastifyRequest): boolean {
  return headers[HEADER] === MARK;
}

/** @param server processes the requests without the network */
export function innerCaller(server: FastifyInstance): InnerCaller {
  return async ({ email, api_key }, { method, path, parameters = {}, isOwn = false }) => {
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) {
      form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
    }
    const url = /^\/(api|user_uploads)\//.test(path) ? path : `/api/v1${path}`;
    const isInQuery = method === 'GET';
    const answer = await server
      .inject({
        method: method as 'GET',
        url: isInQuery && form.size > 0 ? `${url}${url.includes('?') ? '&' : '?'}${form.toString()}` : url,
        headers: {
          authorization: `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`,
          'user-agent': 'parley-test',
          ...(isOwn ? { [HEADER]: MARK } : {}),
          ...(isInQuery ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(isInQuery ? {} : { payload: form.toString() }),
      })
      .catch(() => {
        throw new TestRequestRefused('The connection was cut.');
      });
    return { status: answer.statusCode, body: parsed(answer.payload) };
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
