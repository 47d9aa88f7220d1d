import { AsyncResource } from 'node:async_hooks';
import { Controller, Get, Module, type CallHandler, type NestInterceptor } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { map, type Observable } from 'rxjs';
import { runLean } from './lean-interceptors';

class First implements NestInterceptor {
  intercept(_context: unknown, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((text: unknown) => `first(${String(text)})`));
  }
}

class Second implements NestInterceptor {
  async intercept(_context: unknown, next: CallHandler): Promise<Observable<unknown>> {
    return Promise.resolve(next.handle().pipe(map((text: unknown) => `second(${String(text)})`)));
  }
}

class Unknown extends First {}

@Controller()
class TestController {
  calls = 0;

  @Get('text')
  text(): Promise<string> {
    this.calls += 1;
    return Promise.resolve('text');
  }

  @Get('failure')
  failure(): never {
    throw new Error('told to the filter');
  }
}

@Module({ controllers: [TestController] })
class TestModule {}

runLean([First, Second]);

describe.each([
  ['that are known', [new First(), new Second()], 'first(second(text))', 0],
  ['of which one is not known', [new Unknown(), new Second()], 'first(second(text))', 3],
  ['of which there are none', [], 'text', 0],
])('Interceptors %s', (_which, interceptors, answer, bindings) => {
  let app: NestFastifyApplication;

  beforeAll(async () => {
    app = await NestFactory.create<NestFastifyApplication>(TestModule, new FastifyAdapter(), {
      logger: false,
    });
    app.useGlobalInterceptors(...interceptors);
    await app.init();
  });

  afterAll(() => app.close());

  it('run in their order around the handler, which runs once', async () => {
    const controller = app.get(TestController);
    const before = controller.calls;
    expect((await app.inject('/text')).body).toBe(answer);
    expect(controller.calls).toBe(before + 1);
  });

  it(`bind ${bindings} functions a request`, async () => {
    const bind = jest.spyOn(AsyncResource, 'bind');
    await app.inject('/text');
    expect(bind).toHaveBeenCalledTimes(bindings);
    bind.mockRestore();
  });

  it('let errors of the handler through', async () => {
    expect((await app.inject('/failure')).statusCode).toBe(500);
  });
});
