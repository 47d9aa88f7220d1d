import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandRefused } from '../../../../platform/operator/operator-commands';
import { AddressRules } from '../../../../platform/outbound/address-rules';
import { Downloads } from './downloads';

describe('fetching the files of an export', () => {
  const context = { site: 'http://localhost', signal: new AbortController().signal, report: () => undefined };
  let folder: string;
  let server: Server;
  let site: string;
  let asked: string[];

  beforeAll(async () => {
    server = createServer((request, response) => {
      const path = String(request.url);
      asked.push(path);
      if (path.startsWith('/busy')) response.writeHead(429, { 'retry-after': '0' }).end();
      else if (path.startsWith('/gone')) response.writeHead(404).end();
      else if (path === '/page')
        response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in</p>');
      else response.end(`content of ${path}`);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    asked = [];
    folder = mkdtempSync(join(tmpdir(), 'parley-downloads-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  afterAll(() => server.close());

  const file = (path: string, size: number | null = null) => ({
    ...{ id: path.replace(/\W/g, ''), url: `${site}${path}`, size, isPage: false },
  });

  async function fetched(files: ReturnType<typeof file>[], digest = 'one', mayAsk = true) {
    const addresses = new AddressRules(['127.0.0.1']);
    const downloads = await Downloads.of(
      folder,
      digest,
      { addresses, isAllowedHost: () => true, mayAsk },
      context,
    );
    const failed: Record<string, string> = {};
    const found = await downloads.fetch(files, (id, reason) => (failed[id] = reason));
    return { ids: [...found.keys()].sort(), failed };
  }

  it('brings what is there, and says what is not', async () => {
    await expect(
      fetched([file('/F1'), file('/gone'), file('/page'), file('/F2', 3), file('/F3', 14)]),
    ).resolves.toEqual({
      ids: ['F1', 'F3'],
      failed: {
        gone: 'The server returned HTTP 404.',
        page: 'Received a web page instead of the file; the link has expired.',
        F2: 'The size differs from the export.',
      },
    });
    expect(readFileSync(join(folder, 'import-downloads/one/F1'), 'utf8')).toBe('content of /F1');
  });

  it('fetches nothing twice, and nothing at all once the import has begun to write', async () => {
    await fetched([file('/F1')]);
    asked = [];
    await expect(fetched([file('/F1'), file('/F2')])).resolves.toMatchObject({ ids: ['F1', 'F2'] });
    expect(asked).toEqual(['/F2']);
    await expect(fetched([file('/F1'), file('/F3')], 'one', false)).resolves.toEqual({
      ids: ['F1'],
      failed: { F3: 'Not downloaded before the import began.' },
    });
    expect(asked).toEqual(['/F2']);
  });

  it('keeps nothing of another export', async () => {
    await fetched([file('/F1')]);
    await expect(fetched([file('/F1')], 'two', false)).resolves.toMatchObject({ ids: [] });
    expect(existsSync(join(folder, 'import-downloads/one'))).toBe(false);
  });

  it('gives up when nobody answers any more, and keeps what has come', async () => {
    const busy = Array.from({ length: 30 }, (_, at) => file(`/busy${at}`));
    const refusal = fetched([file('/F1'), ...busy]);
    await expect(refusal).rejects.toBeInstanceOf(CommandRefused);
    await expect(refusal).rejects.toThrow(/Downloads keep failing\. The server returned HTTP 429\./);
    await expect(fetched([file('/F1')], 'one', false)).resolves.toMatchObject({ ids: ['F1'] });
  });
});
