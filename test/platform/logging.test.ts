import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { Controller, Get, HttpCode, Logger, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiErrorFilter } from '../../src/platform/http/api-error.filter';
import { fastifyOptions, prepareFastify } from '../../src/platform/http/prepare-fastify';
import { AccessLog, loggerOptions } from '../../src/platform/logging/logger-options';
import { ParametersGuard } from '../../src/platform/http/parameters/parameters.guard';
import { NestLogger } from '../../src/platform/logging/nest-logger';

const SECRET = 'K3yThatNobodyMaySeeInAnyLogLine0';

@Controller('api/v1')
class TalkativeController {
  private readonly logger = new Logger('Talkative');

  @Get('fine')
  fine() {
    return {};
  }

  @Post('talk')
  @HttpCode(200)
  talk() {
    this.logger.log(`fetched /x?api_key=${SECRET}&a=1`);
    this.logger.warn({ user: { api_key: SECRET }, note: 'kept' });
    this.logger.error('It failed', new Error(`at redis://:${SECRET}@host`));
  }

  @Get('broken')
  broken() {
    throw Object.assign(new Error(`no row for password=${SECRET}`), { parameters: [SECRET] });
  }
}

@Module({ controllers: [TalkativeController] })
class TalkativeModule {}

describe('the log', () => {
  let app: NestFastifyApplication;
  const lines: Record<string, unknown>[] = [];

  beforeAll(async () => {
    const log = { write: (line: string) => lines.push(JSON.parse(line)) };
    const adapter = new FastifyAdapter({
      ...fastifyOptions({ trustedProxies: ['127.0.0.1'] }),
      logger: loggerOptions({ logLevel: 'info' }, log),
      logController: new AccessLog(),
    });
    prepareFastify(adapter.getInstance());
    const logger = new NestLogger(adapter.getInstance().log);
    app = await NestFactory.create(TalkativeModule, adapter, { bodyParser: false, logger });
    app.useGlobalFilters(new ApiErrorFilter());
    app.useGlobalGuards(new ParametersGuard());
    await app.init();
  });

  beforeEach(() => {
    lines.length = 0;
  });

  afterAll(async () => {
    await app.close();
  });

  it('does not report every route at start', () => {
    expect(lines).toEqual([]);
  });

  it('has one line for each request, with its ID and without its parameters', async () => {
    const answer = await app.inject({
      method: 'GET',
      url: `/api/v1/fine?api_key=${SECRET}&narrow=[]`,
      headers: { authorization: `Basic ${SECRET}`, 'x-forwarded-for': '10.9.8.7' },
    });
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        requestId: answer.headers['x-request-id'],
        method: 'GET',
        path: '/api/v1/fine',
        status: 200,
        milliseconds: expect.any(Number),
        address: '10.9.8.7',
        msg: 'request',
      }),
    ]);
    expect(JSON.stringify(lines)).not.toContain(SECRET);
  });

  it.each([
    ['an unknown path', 'GET', '/api/v1/nowhere', 404],
    ['a wrong method', 'DELETE', '/api/v1/fine', 405],
  ] as const)('has one line for %s too', async (_, method, url, status) => {
    await app.inject({ method, url });
    expect(lines).toEqual([expect.objectContaining({ level: 'info', method, path: url, status })]);
  });

  it('takes what the server itself has to say, without secrets', async () => {
    await app.inject({ method: 'POST', url: '/api/v1/talk', payload: `password=${SECRET}` });
    expect(lines.slice(0, -1)).toEqual([
      expect.objectContaining({
        level: 'info',
        context: 'Talkative',
        msg: 'fetched /x?api_key=[secret]&a=1',
      }),
      expect.objectContaining({ level: 'warn', user: { api_key: '[secret]' }, note: 'kept' }),
      expect.objectContaining({
        level: 'error',
        msg: 'It failed',
        err: expect.objectContaining({ message: 'at redis://[secret]@host' }),
      }),
    ]);
    expect(JSON.stringify(lines)).not.toContain(SECRET);
  });

  it('explains a failure under the ID of its request, without secrets', async () => {
    const answer = await app.inject({ method: 'GET', url: '/api/v1/broken' });
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'error',
        requestId: answer.headers['x-request-id'],
        err: expect.objectContaining({
          message: 'no row for password=[secret]',
          stack: expect.stringContaining('TalkativeController'),
        }),
      }),
      expect.objectContaining({ level: 'info', status: 500 }),
    ]);
    expect(JSON.stringify(lines)).not.toContain(SECRET);
  });

  it.each([
    ['a form', 'application/x-www-form-urlencoded'],
    ['anything else', 'text/plain'],
  ])('does not call it a failure when a client leaves %s half sent', async (_what, type) => {
    const server = app.getHttpServer();
    if (!server.listening) await app.listen(0, '127.0.0.1');
    lines.length = 0;
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const head = `POST /api/v1/talk HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${type}\r\ncontent-length: 100\r\n\r\n`;
    socket.write(`${head}half`);
    await once(server, 'request');
    socket.destroy();
    while (lines.length === 0) await new Promise(setImmediate);
    const msg = 'The client disconnected before sending the whole request.';
    expect(lines).toEqual([expect.objectContaining({ level: 'info', requestId: expect.any(String), msg })]);
    expect(JSON.stringify(lines)).not.toContain('stack');
  });
});
