import { AsyncResource } from 'node:async_hooks';
import { Controller, Get, Module, type CallHandler, type NestInterceptor } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { map, of, type Observable } from 'rxjs';
import { LeanInterceptor, runLean } from './lean-interceptors';

class First extends LeanInterceptor {
  after(text: unknown): string {
    return `first(${String(text)})`;
  }
}

class Second extends LeanInterceptor {
  private calls = 0;

  override before(): void {
    this.calls += 1;
  }

  async after(text: unknown): Promise<string> {
    return Promise.resolve(`second(${String(text)}, ${(this.calls -= 1)} others)`);
  }
}

class OfAnotherKind implements NestInterceptor {
  intercept(_context: unknown, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((text: unknown) => `other(${String(text)})`));
  }
}

@Controller()
class TestController {
  calls = 0;

  @Get('text')
  text(): Promise<string> {
    this.calls += 1;
    return Promise.resolve('text');
  }

  @Get('observable')
  observable(): Observable<string> {
    return of('text');
  }

  @Get('failure')
  failure(): never {
    throw new Error('told to the filter');
  }
}

@Module({ controllers: [TestController] })
class TestModule {}

runLean();

describe.each([
  ['that are lean', [new First(), new Second()], 'first(second(text, 0 others))', 0],
  [
    'of which one is of another kind',
    [new First(), new OfAnotherKind(), new Second()],
    'first(other(second(text, 0 others)))',
    4,
  ],
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

  it('run in order around the handler, which runs once', async () => {
    const controller = app.get(TestController);
    const before = controller.calls;
    expect((await app.inject('/text')).body).toBe(answer);
    expect(controller.calls).toBe(before + 1);
  });

  it('accept an observable from the handler', async () => {
    expect((await app.inject('/observable')).body).toBe(answer);
  });

  it(`bind ${bindings} functions a request`, async () => {
    const bind = jest.spyOn(AsyncResource, 'bind');
    await app.inject('/text');
    expect(bind).toHaveBeenCalledTimes(bindings);
    bind.mockRestore();
  });

  it('pass on errors of the handler', async () => {
    expect((await app.inject('/failure')).statusCode).toBe(500);
  });
});
