// CPU time of a request through Nest without interceptors, with two that Nest runs, and with the same two run leanly.
// Run `npm run build`, then `node bench/interceptors.mjs`. See docs/decisions/0005-lean-interceptors.md.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const ROUNDS = 5;
const REQUESTS = 20_000;
const WAYS = ['none', 'Nest', 'lean'];
const require = createRequire(import.meta.url);

/** @returns microseconds a request */
async function measure(way) {
  require('reflect-metadata');
  const { Controller, Get, Module } = require('@nestjs/common');
  const { NestFactory } = require('@nestjs/core');
  const { FastifyAdapter } = require('@nestjs/platform-fastify');
  const { LeanInterceptor, runLean } = require('../dist/platform/http/lean-interceptors.js');
  const { map } = require('rxjs');

  class BenchController {
    answer() {
      return { ok: true };
    }
  }
  const handler = Object.getOwnPropertyDescriptor(BenchController.prototype, 'answer');
  Get('get')(BenchController.prototype, 'answer', handler);
  Controller()(BenchController);
  class BenchModule {}
  Module({ controllers: [BenchController] })(BenchModule);
  class Passing {
    intercept(_context, next) {
      return next.handle().pipe(map((value) => value));
    }
  }
  class LeanPassing extends LeanInterceptor {
    after(value) {
      return value;
    }
  }

  const app = await NestFactory.create(BenchModule, new FastifyAdapter(), { logger: false });
  runLean();
  if (way === 'lean') app.useGlobalInterceptors(new LeanPassing(), new LeanPassing());
  if (way === 'Nest') app.useGlobalInterceptors(new Passing(), new Passing());
  await app.init();
  const request = { method: 'GET', url: '/get' };
  for (let i = 0; i < REQUESTS / 4; i++) await app.inject(request);
  const before = process.cpuUsage();
  for (let i = 0; i < REQUESTS; i++) await app.inject(request);
  const { user, system } = process.cpuUsage(before);
  await app.close();
  return (user + system) / REQUESTS;
}

const only = process.argv[2];
if (only !== undefined) {
  console.log(await measure(only));
} else {
  const samples = Object.fromEntries(WAYS.map((way) => [way, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const way of WAYS) {
      const output = execFileSync(process.execPath, [fileURLToPath(import.meta.url), way], {
        encoding: 'utf8',
      });
      samples[way].push(Number(output));
    }
  }
  console.log(`Node ${process.version}: CPU time a request in µs, median of ${ROUNDS} rounds`);
  for (const way of WAYS) {
    console.log(`${way}: ${Math.round(samples[way].toSorted((a, b) => a - b)[(ROUNDS - 1) / 2])}`);
  }
}
