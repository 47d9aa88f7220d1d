import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Controller, Get, StreamableFile } from '@nestjs/common';
import { Public } from '../../../src/platform/http/decorators';
import { sharedBytes } from '../../../src/platform/http/files/shared-content';
import { UnreadRequests, until } from '../../support/unread-requests';
import { createHttpApp, type HttpApp } from './http-app';

/** More than the system takes off a connection that nobody reads. */
const LARGE = 12 * 1024 * 1024;

/** Each has a little less than these many answers. */
const LIMITS = { ofCaller: 4 * LARGE, together: 6 * LARGE };

const shared = Buffer.alloc(LARGE, 'x');

/** Streams that were opened, and are not closed. */
const open = new Set<Readable>();

let stuck = 0;

@Controller('unread')
@Public()
class UnreadController {
  @Get('own')
  own(): string {
    return 'x'.repeat(LARGE);
  }

  @Get('small')
  small(): string {
    return 'small';
  }

  @Get('shared')
  shared(): StreamableFile {
    return new StreamableFile(sharedBytes(shared), { length: LARGE });
  }

  @Get('file')
  file(): StreamableFile {
    const stream = sharedBytes(shared);
    open.add(stream.once('close', () => open.delete(stream)));
    return new StreamableFile(stream);
  }

  /** Never answers. */
  @Get('stuck')
  stuck(): Promise<void> {
    stuck += 1;
    return new Promise(() => undefined);
  }
}

let http: HttpApp;
let requests: UnreadRequests;

beforeAll(async () => {
  http = await createHttpApp([UnreadController], { unreadLimits: LIMITS });
  await http.app.listen(0, '127.0.0.1');
  requests = new UnreadRequests(http.app.getHttpServer());
});

afterEach(async () => {
  await requests.leave();
  expect(kept()).toBe(0);
});

afterAll(() => http.app.close());

/** Bytes that count. */
const kept = () => http.app.getHttpAdapter().getInstance().unreadAnswers.bytes;

const isClosed = () => requests.connections.map(({ destroyed }) => destroyed);

/** Reads an answer whole. */
async function read(path: string, from?: string): Promise<Buffer> {
  const { port } = http.app.getHttpServer().address() as AddressInfo;
  const [answer] = (await once(get({ port, path, localAddress: from, agent: false }), 'response')) as [
    IncomingMessage,
  ];
  return buffer(answer);
}

describe('Answers that nobody reads', () => {
  it('are bounded for each caller, whose oldest connections are closed', async () => {
    for (let count = 1; count <= 6; count++) {
      await requests.ask(['/unread/own']);
      await requests.settled(count);
      expect(kept()).toBeLessThanOrEqual(LIMITS.ofCaller);
    }
    expect(isClosed()).toEqual([true, true, true, false, false, false]);
    expect(requests.bytes).toBeGreaterThan(2 * LARGE);
    expect((await read('/unread/own')).length).toBe(LARGE);
    expect((await read('/unread/own', '127.0.0.2')).length).toBe(LARGE);
  });

  it('are bounded for all callers together', async () => {
    const from = ['127.0.0.1', '127.0.0.1', '127.0.0.2', '127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.4'];
    for (const [at, address] of from.entries()) {
      await requests.ask(['/unread/own'], address);
      await requests.settled(at + 1);
      expect(kept()).toBeLessThanOrEqual(LIMITS.together);
    }
    expect(isClosed()).toEqual([true, true, false, false, false, false, false]);
    expect((await read('/unread/own', '127.0.0.5')).length).toBe(LARGE);
  });

  it('count where one waits behind the other', async () => {
    await requests.ask(Array<string>(3).fill('/unread/own'));
    await requests.settled(3);
    expect(isClosed()).toEqual([false]);
    await requests.ask(['/unread/own']);
    await requests.settled(4);
    expect(isClosed()).toEqual([true, false]);
  });

  it('hold no copy of what all callers share', async () => {
    for (let count = 1; count <= 20; count++) await requests.ask(Array<string>(10).fill('/unread/shared'));
    await requests.settled(200);
    expect(isClosed()).not.toContain(true);
    // Of 2.4 GB.
    expect(requests.bytes).toBeLessThan(200 * 256 * 1024);
    expect((await read('/unread/shared')).equals(shared)).toBe(true);
  });

  it('leave no stream open when their client goes, not even one that waits behind the other', async () => {
    await requests.ask(Array<string>(5).fill('/unread/file'));
    await requests.settled(5);
    expect(open.size).toBe(5);
    await requests.leave();
    await until(() => open.size === 0);
  });
});

describe('Requests sent before the answers to earlier ones', () => {
  it('are answered in order, as many as sixteen', async () => {
    const client = await requests.ask([...Array<string>(15).fill('/unread/small'), '/unread/none']);
    let text = '';
    client.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await until(() => text.includes('404 Not Found'));
    expect(text.match(/\r\n\r\nsmall/g)).toHaveLength(15);
  });

  it('close the connection where there are more, however many', async () => {
    stuck = 0;
    await requests.ask(Array<string>(16).fill('/unread/stuck'));
    await until(() => stuck === 16);
    expect(isClosed()).toEqual([false]);
    await requests.ask(Array<string>(2000).fill('/unread/stuck'));
    await until(() => isClosed()[1] === true);
    expect(stuck).toBeLessThanOrEqual(32);
  });
});
