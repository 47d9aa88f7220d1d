import type { LookupAddress } from 'node:dns';
import { AddressRules } from '../../src/platform/outbound/address-rules';
import { OutboundFailure, post, type Resolver } from '../../src/platform/outbound/outbound-request';
import { LocalReceiver } from '../support/local-receiver';

const local = new AddressRules(['127.0.0.1']);
const internet = new AddressRules([]);

let receiver: LocalReceiver;

beforeAll(async () => {
  receiver = await LocalReceiver.start();
});

afterAll(() => receiver.stop());

const port = () => new URL(receiver.origin).port;

interface Change {
  url?: string;
  timeoutMs?: number;
  maxBytes?: number;
  signal?: AbortSignal;
}

function request({ url = receiver.origin, timeoutMs = 5_000, maxBytes = 1_000, signal }: Change = {}) {
  return { url, headers: { 'x-token': 'abc' }, body: 'größe', timeoutMs, maxBytes, signal };
}

async function failureOf(work: Promise<unknown>): Promise<{ message: string; isFinal: boolean }> {
  const error = await work.then(
    () => new Error('It answered.'),
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(OutboundFailure);
  const { message, isFinal } = error as OutboundFailure;
  return { message, isFinal };
}

/** Gives these addresses, one set a call. */
function resolverOf(...answers: string[][]): Resolver & { calls: string[] } {
  const calls: string[] = [];
  const resolve: Resolver = (hostName, _options, callback) => {
    const addresses = answers[Math.min(calls.push(hostName), answers.length) - 1] as string[];
    const found: LookupAddress[] = addresses.map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }));
    callback(null, found);
  };
  return Object.assign(resolve, { calls });
}

const FORBIDDEN = {
  message: 'the address is in a private network, which this server blocks',
  isFinal: true,
};

describe('A request to an address that somebody chose', () => {
  it('arrives as it is, and so does the answer', async () => {
    receiver.answer('fine', 201);
    await expect(post(request({ url: `${receiver.origin}/a?b=c` }), local)).resolves.toEqual({
      status: 201,
      body: Buffer.from('fine'),
    });
    expect(receiver.requests).toEqual([
      expect.objectContaining({ method: 'POST', path: '/a?b=c', body: 'größe' }),
    ]);
    expect(receiver.requests[0]?.headers).toMatchObject({ 'x-token': 'abc', 'content-length': '7' });
  });

  it.each([
    'http://127.0.0.1',
    'http://127.1',
    'http://0x7f000001',
    'http://2130706433',
    'http://0177.0.0.1',
    'http://0',
    'http://[::1]',
    'http://[::ffff:127.0.0.1]',
    'http://[::ffff:7f00:1]',
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1',
    'http://user:password@192.168.0.1',
    'https://100.64.0.1',
    'http://[fd00:ec2::254]',
  ])('does not go to %s', async (url) => {
    receiver.answer('no');
    const there = new URL(url);
    if (there.protocol === 'http:') there.port = port();
    expect(await failureOf(post(request({ url: there.href }), internet))).toEqual(FORBIDDEN);
    expect(receiver.requests).toEqual([]);
  });

  it('does not go where a name leads into a private network', async () => {
    receiver.answer('no');
    const url = `http://inside.example.com:${port()}`;
    for (const addresses of [['127.0.0.1'], ['10.0.0.1', '::1'], ['::ffff:127.0.0.1']]) {
      const resolve = resolverOf(addresses);
      expect(await failureOf(post(request({ url }), internet, resolve))).toEqual(FORBIDDEN);
    }
    expect(await failureOf(post(request({ url: `http://localhost:${port()}` }), internet))).toEqual(
      FORBIDDEN,
    );
    expect(receiver.requests).toEqual([]);
  });

  it('connects to the very address that was checked, and to the allowed ones of several', async () => {
    receiver.answer('yes');
    const url = `http://moving.example.com:${port()}`;
    const resolve = resolverOf(['10.0.0.9', '127.0.0.1'], ['10.0.0.9']);
    await expect(post(request({ url }), local, resolve)).resolves.toHaveProperty('status', 200);
    expect(resolve.calls).toEqual(['moving.example.com']);
    expect(receiver.requests[0]?.headers.host).toBe(`moving.example.com:${port()}`);
    expect(await failureOf(post(request({ url }), local, resolve))).toEqual(FORBIDDEN);
  });

  it('follows redirects that ask for the same, wherever it may go', async () => {
    receiver.answer(({ path }, response) => {
      const status = path === '/1' ? 307 : 308;
      if (path === '/3') response.end('there');
      else response.writeHead(status, { location: path === '/1' ? '/2' : `${receiver.origin}/3` }).end('x');
    });
    const answer = await post(request({ url: `${receiver.origin}/1` }), local);
    expect(answer.body.toString()).toBe('there');
    expect(receiver.requests.map(({ path, body }) => [path, body])).toEqual([
      ['/1', 'größe'],
      ['/2', 'größe'],
      ['/3', 'größe'],
    ]);
  });

  it.each(['http://127.0.0.2', 'http://localhost.example.com', 'http://[::1]'])(
    'does not follow one to %s',
    async (elsewhere) => {
      receiver.answer((_request, response) => response.writeHead(307, { location: elsewhere }).end());
      const resolve = resolverOf(['127.0.0.2']);
      expect(await failureOf(post(request(), local, resolve))).toEqual(FORBIDDEN);
      expect(receiver.requests).toHaveLength(1);
    },
  );

  it('does not go round in circles, nor to what is no web address', async () => {
    receiver.answer((_request, response) => response.writeHead(308, { location: '/' }).end());
    expect(await failureOf(post(request(), local))).toEqual({
      message: 'too many redirects',
      isFinal: true,
    });
    expect(receiver.requests).toHaveLength(4);
    receiver.answer((_request, response) =>
      response.writeHead(308, { location: 'file:///etc/passwd' }).end(),
    );
    const noAddress = { message: 'invalid URL', isFinal: true };
    expect(await failureOf(post(request(), local))).toEqual(noAddress);
    for (const url of ['ftp://127.0.0.1', 'nonsense', '']) {
      expect(await failureOf(post(request({ url }), local))).toEqual(noAddress);
    }
  });

  it('hands on redirects that ask for something else', async () => {
    receiver.answer((_request, response) => response.writeHead(302, { location: '/other' }).end());
    await expect(post(request(), local)).resolves.toHaveProperty('status', 302);
    expect(receiver.requests).toHaveLength(1);
  });

  it('gives up when the answer takes too long, to begin or to end', async () => {
    const late = { message: 'no response within 0.3 seconds', isFinal: false };
    receiver.answer(() => undefined);
    expect(await failureOf(post(request({ timeoutMs: 300 }), local))).toEqual(late);
    receiver.answer((_request, response) => response.writeHead(200).write('begun'));
    expect(await failureOf(post(request({ timeoutMs: 300 }), local))).toEqual(late);
  });

  it('gives up when the answer is too large', async () => {
    const tooLarge = { message: 'response larger than 1000 bytes', isFinal: true };
    receiver.answer('x'.repeat(1_001));
    expect(await failureOf(post(request(), local))).toEqual(tooLarge);
    receiver.answer((_request, response) => {
      const write = (): void => {
        if (!response.destroyed) response.write('x'.repeat(1_000), () => setImmediate(write));
      };
      write();
    });
    expect(await failureOf(post(request(), local))).toEqual(tooLarge);
    receiver.answer('x'.repeat(1_000));
    await expect(post(request(), local)).resolves.toHaveProperty('status', 200);
  });

  it('gives up when it is told to, and when nobody is there', async () => {
    receiver.answer(() => undefined);
    const stop = new AbortController();
    const call = failureOf(post(request({ signal: stop.signal }), local));
    stop.abort();
    expect(await call).toMatchObject({ isFinal: false });
    const gone = await LocalReceiver.start();
    await gone.stop();
    expect(await failureOf(post(request({ url: gone.origin }), local))).toEqual({
      message: 'connection failed (ECONNREFUSED)',
      isFinal: false,
    });
  });
});
