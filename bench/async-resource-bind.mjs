// CPU time of a request through Nest's interceptors with Node's own AsyncResource.prototype.bind and with ours.
// Run `npm run build`, then `node bench/async-resource-bind.mjs`. See docs/decisions/0005-async-resource-bind.md.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const ROUNDS = 5;
const REQUESTS = 20_000;
const require = createRequire(import.meta.url);

async function measure(replace) {
  if (replace) {
    require('../dist/platform/http/async-resource-bind.js');
  }
  require('reflect-metadata');
  const { Controller, Get, Module, Post } = require('@nestjs/common');
  const { NestFactory } = require('@nestjs/core');
  const { FastifyAdapter } = require('@nestjs/platform-fastify');
  const { map } = require('rxjs');

  class BenchController {
    answer() {
      return { ok: true };
    }
  }
  const decorate = (decorator, name) =>
    decorator(
      BenchController.prototype,
      name,
      Object.getOwnPropertyDescriptor(BenchController.prototype, name),
    );
  decorate(Get('get'), 'answer');
  BenchController.prototype.post = function post() {
    return { ok: true };
  };
  decorate(Post('post'), 'post');
  Controller()(BenchController);
  class BenchModule {}
  Module({ controllers: [BenchController] })(BenchModule);

  const app = await NestFactory.create(BenchModule, new FastifyAdapter(), { logger: false });
  const passing = { intercept: (_context, next) => next.handle().pipe(map((value) => value)) };
  app.useGlobalInterceptors(passing, passing);
  await app.init();
  const get = { method: 'GET', url: '/get' };
  const post = { method: 'POST', url: '/post', payload: { a: 1 } };
  const results = {};
  for (const [name, request] of Object.entries({ get, post })) {
    for (let i = 0; i < REQUESTS / 4; i++) await app.inject(request);
    const before = process.cpuUsage();
    for (let i = 0; i < REQUESTS; i++) await app.inject(request);
    const { user, system } = process.cpuUsage(before);
    results[name] = (user + system) / REQUESTS;
  }
  await app.close();
  return results;
}

const mode = process.argv[2];
if (mode !== undefined) {
  console.log(JSON.stringify(await measure(mode === 'ours')));
} else {
  const samples = { native: [], ours: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const bind of ['native', 'ours']) {
      const output = execFileSync(process.execPath, [fileURLToPath(import.meta.url), bind], {
        encoding: 'utf8',
      });
      samples[bind].push(JSON.parse(output));
    }
  }
  const median = (bind, request) =>
    Math.round(samples[bind].map((sample) => sample[request]).toSorted((a, b) => a - b)[(ROUNDS - 1) / 2]);
  console.log(`Node ${process.version}: CPU time a request in µs, median of ${ROUNDS} rounds`);
  for (const request of ['get', 'post']) {
    console.log(`${request}: native ${median('native', request)}, ours ${median('ours', request)}`);
  }
}
