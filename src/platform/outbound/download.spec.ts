import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AddressRules } from './address-rules';
import { download, OutboundFailure } from './outbound-request';

describe('downloading a file', () => {
  const asked: string[] = [];
  let server: Server;
  let site: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      const to = (location: string) => response.writeHead(302, { location }).end();
      if (request.url === '/file') response.writeHead(200, { 'content-type': 'text/plain' }).end('content');
      else if (request.url === '/moved') to('/file');
      else if (request.url === '/elsewhere') to('http://metadata.example/latest');
      else if (request.url === '/inside') to('http://127.0.0.2/file');
      else if (request.url === '/round') to('/round');
      else response.writeHead(429, { 'retry-after': '7' }).end('later');
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => server.close());

  async function fetched(path: string, allowed: readonly string[] = ['127.0.0.1']) {
    let text: string | null = null;
    const request = {
      url: site + path,
      isAllowedHost: (url: URL) => url.hostname.startsWith('127.'),
      timeoutMs: 10_000,
    };
    const answer = await download(request, new AddressRules(allowed), async (body) => {
      const parts: Buffer[] = [];
      for await (const part of body) parts.push(part);
      text = Buffer.concat(parts).toString();
    });
    return { ...answer, text };
  }

  it.each(['/file', '/moved'])('works, with redirects as well: %s', async (path) => {
    await expect(fetched(path)).resolves.toEqual({
      ...{ status: 200, contentType: 'text/plain', retryAfter: null, text: 'content' },
    });
  });

  it('reports any other status, without content', async () => {
    await expect(fetched('/busy')).resolves.toMatchObject({ status: 429, retryAfter: 7, text: null });
  });

  it.each([
    ['/elsewhere', /host is not one that may be asked/],
    ['/inside', /private network/],
    ['/round', /too many redirects/],
  ])('does not follow %s', async (path, reason) => {
    await expect(fetched(path)).rejects.toThrow(reason);
    await expect(fetched(path)).rejects.toBeInstanceOf(OutboundFailure);
  });

  it('sends nothing to networks that are not public', async () => {
    const before = asked.length;
    await expect(fetched('/file', [])).rejects.toThrow(/private network/);
    expect(asked).toHaveLength(before);
  });
});
