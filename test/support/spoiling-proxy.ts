import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

type Json = Record<string, unknown>;

/** Makes something else of an answer. @param route such as `POST /messages`, without the prefix of the interface */
export type Spoil = (route: string, body: Json) => Json;

/** Stands between a client and a server, and spoils answers. */
export class SpoilingProxy {
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(target: string, spoil: Spoil): Promise<SpoilingProxy> {
    const server = createServer((request, response) => {
      void (async () => {
        const { method = 'GET', url = '/', headers } = request;
        const body = await buffer(request);
        const passed = Object.fromEntries(
          ['authorization', 'content-type', 'user-agent'].flatMap((name) => {
            const value = headers[name];
            return typeof value === 'string' ? [[name, value]] : [];
          }),
        );
        const answer = await fetch(`${target}${url}`, {
          method,
          headers: passed,
          ...(body.length > 0 && { body: new Uint8Array(body) }),
        });
        const type = answer.headers.get('content-type') ?? '';
        const text = await answer.text();
        const route = `${method} ${(url.split('?')[0] ?? '').replace('/api/v1', '')}`;
        const isJson = type.includes('json') && text.startsWith('{');
        response.writeHead(answer.status, { 'content-type': type });
        response.end(isJson ? JSON.stringify(spoil(route, JSON.parse(text) as Json)) : text);
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
