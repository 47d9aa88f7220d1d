import { Agent, get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Controller, Get, Module, type OnApplicationShutdown } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiErrorFilter } from '../../src/platform/http/api-error.filter';
import { fastifyOptions, prepareFastify } from '../../src/platform/http/prepare-fastify';
import {
  closeConnectionsWhileStopping,
  stopGracefully,
  ShutdownSignal,
} from '../../src/platform/lifecycle/graceful-stop';
import { LifecycleModule } from '../../src/platform/lifecycle/lifecycle.module';
import { ProcessPurpose } from '../../src/platform/lifecycle/periodic-task';

/** Answers when told to, or when the server stops, or never. */
@Controller('api/v1')
class SlowController implements OnApplicationShutdown {
  readonly waiting = new Map<string, () => void>();
  readonly closedAfter: string[] = [];

  constructor(private readonly shutdown: ShutdownSignal) {}

  @Get('work')
  async work() {
    await new Promise<void>((resolve) => this.waiting.set('work', resolve));
    this.closedAfter.push('work');
    return { done: true };
  }

  @Get('poll')
  async poll() {
    await new Promise<void>((resolve) => {
      this.waiting.set('poll', resolve);
      this.shutdown.onStop(resolve);
    });
    this.closedAfter.push('poll');
    return { events: [] };
  }

  @Get('quick')
  quick() {
    return {};
  }

  onApplicationShutdown(): void {
    this.closedAfter.push('database');
  }
}

@Module({ imports: [LifecycleModule.forRoot(new ProcessPurpose(false))], controllers: [SlowController] })
class SlowModule {}

describe('a graceful stop', () => {
  let app: NestFastifyApplication;
  let slow: SlowController;
  let agent: Agent;

  beforeEach(async () => {
    const adapter = new FastifyAdapter(fastifyOptions());
    prepareFastify(adapter.getInstance());
    app = await NestFactory.create<NestFastifyApplication>(SlowModule, adapter, {
      bodyParser: false,
      logger: false,
    });
    app.useGlobalFilters(new ApiErrorFilter());
    closeConnectionsWhileStopping(adapter.getInstance(), app.get(ShutdownSignal));
    await app.listen(0, '127.0.0.1');
    slow = app.get(SlowController);
    agent = new Agent({ keepAlive: true });
  });

  afterEach(async () => {
    for (const finish of slow.waiting.values()) finish();
    agent.destroy();
    await app.close();
  });

  /** Starts a request; the answer comes later. */
  async function call(
    path: string,
  ): Promise<{ status: number; connection: string | undefined; body: unknown }> {
    const { port } = app.getHttpServer().address() as AddressInfo;
    const request = get({ host: '127.0.0.1', port, path: `/api/v1/${path}`, agent });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return {
      status: response.statusCode ?? 0,
      connection: response.headers.connection,
      body: JSON.parse(Buffer.concat(chunks).toString()),
    };
  }

  async function until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  function untilWaiting(name: string): Promise<void> {
    return until(() => slow.waiting.has(name));
  }

  it('lets requests in flight finish, answers parked polls at once, and closes the database last', async () => {
    const work = call('work');
    const poll = call('poll');
    await Promise.all([untilWaiting('work'), untilWaiting('poll')]);

    const stopped = stopGracefully(app, 30);
    await expect(poll).resolves.toMatchObject({ status: 200, connection: 'close', body: { events: [] } });
    expect(slow.closedAfter).toEqual(['poll']);
    slow.waiting.get('work')?.();

    await expect(work).resolves.toMatchObject({ status: 200, connection: 'close', body: { done: true } });
    await expect(stopped).resolves.toBe(true);
    expect(slow.closedAfter).toEqual(['poll', 'work', 'database']);
  });

  it('refuses a request that was on its way when the stop began, and takes no new connections', async () => {
    const { port } = app.getHttpServer().address() as AddressInfo;
    const work = call('work');
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /api/v1/quick HTTP/1.1\r\n');
    await untilWaiting('work');

    const stopped = stopGracefully(app, 30);
    await until(() => !app.getHttpServer().listening);
    await expect(once(connect(port, '127.0.0.1'), 'close')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    socket.write('Host: localhost\r\n\r\n');
    const [head, body] = (await text(socket)).split('\r\n\r\n');
    slow.waiting.get('work')?.();
    await Promise.all([work, stopped]);

    expect(head).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
    expect(head).toMatch(/^connection: close\r?$/im);
    expect(JSON.parse(body ?? '')).toMatchObject({ result: 'error', msg: expect.stringMatching(/stopping/) });
  });

  it('ends though a client keeps its connection open', async () => {
    await call('quick');
    await expect(stopGracefully(app, 30)).resolves.toBe(true);
  });

  it('cuts off what takes too long, and says so', async () => {
    const work = call('work');
    const outcome = work.catch((error: NodeJS.ErrnoException) => error.code);
    await untilWaiting('work');
    await expect(stopGracefully(app, 0.05)).resolves.toBe(false);
    await expect(outcome).resolves.toBe('ECONNRESET');
    expect(slow.closedAfter).toEqual(['database']);
  });
});
