import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

type Json = Record<string, unknown>;

/** A passing request, and the parts that a fault may change. */
export interface PassingRequest {
  /** Such as `POST /messages`, without the prefix of the interface. */
  readonly route: string;
  readonly authorization: string;
  /** From the query or the form; empty for a file. */
  readonly parameters: URLSearchParams;
}

/** A response on its way back. */
export interface PassingAnswer {
  readonly status: number;
  readonly body: Json;
  readonly headers: Record<string, string>;
}

/** A defect of a server. */
export interface Misbehaviour {
  /** Answers in place of the server, which does not receive the request. */
  readonly instead?: (request: PassingRequest) => Json | null;
  /** Modifies the request. */
  readonly asks?: (request: PassingRequest) => void;
  /** Modifies the answer; null cuts the connection. */
  readonly answers?: (answer: PassingAnswer, request: PassingRequest) => PassingAnswer;
}

const PASSED = ['content-type', 'allow', 'www-authenticate', 'retry-after'];

/** A proxy between a client and a server that makes the server misbehave. */
export class SpoilingProxy {
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** @param since the route whose first answer, and all later ones, are affected; everything if omitted */
  static async start(target: string, misbehaviour: Misbehaviour, since?: string): Promise<SpoilingProxy> {
    let isOn = since === undefined;
    const server = createServer((request, response) => {
      void (async () => {
        const fault = isOn ? misbehaviour : {};
        const { passing, forward } = await readRequest(target, request);
        const instead = fault.instead?.(passing);
        if (instead) {
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(instead));
          return;
        }
        fault.asks?.(passing);
        const answer = await forward();
        const headers = Object.fromEntries(
          PASSED.flatMap((name) => {
            const value = answer.headers.get(name);
            return value === null ? [] : [[name, value]];
          }),
        );
        const text = await answer.text();
        if (passing.route === since) isOn = true;
        if (!text.startsWith('{')) {
          response.writeHead(answer.status, headers).end(text);
          return;
        }
        const given = { status: answer.status, body: JSON.parse(text) as Json, headers };
        const spoilt = fault.answers?.(given, passing) ?? given;
        response.writeHead(spoilt.status, spoilt.headers).end(JSON.stringify(spoilt.body));
      })().catch(() => response.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new SpoilingProxy(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

async function readRequest(
  target: string,
  request: IncomingMessage,
): Promise<{ passing: PassingRequest; forward: () => Promise<Response> }> {
  const { method = 'GET', url = '/', headers } = request;
  const [path = '', query = ''] = url.split('?');
  const body = await buffer(request);
  const isForm = /urlencoded/.test(headers['content-type'] ?? '');
  const parameters = new URLSearchParams(isForm ? body.toString() : query);
  const { authorization = '', 'content-type': type = '', 'user-agent': agent = '' } = headers;
  const forward = () => {
    const asked = isForm ? query : parameters.toString();
    const content = isForm ? parameters.toString() : body.length > 0 ? new Uint8Array(body) : undefined;
    return fetch(`${target}${path}${asked && `?${asked}`}`, {
      method,
      headers: {
        ...(authorization && { authorization }),
        ...(type && { 'content-type': type }),
        'user-agent': agent,
      },
      ...(method !== 'GET' && content !== undefined && { body: content }),
    });
  };
  return {
    passing: { route: `${method} ${path.replace('/api/v1', '')}`, authorization, parameters },
    forward,
  };
}
