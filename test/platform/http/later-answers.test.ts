import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { BadRequest } from '../../../src/platform/errors/shared.errors';
import { LaterAnswer, RawJson, SharedJson } from '../../../src/platform/http/envelope.interceptor';
import { AnswersLater } from '../../../src/platform/http/later-answers';
import { as, createHttpApp, type HttpApp } from './http-app';

/** Answers that wait, in the order in which they were asked for. */
const waiting: LaterAnswer[] = [];
let wake = (): void => undefined;

async function nextWaiting(): Promise<LaterAnswer> {
  while (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve));
  return waiting.shift() as LaterAnswer;
}

@Controller('api/v1')
class WaitingController {
  @Get('later')
  @AnswersLater()
  async later(@Res() reply: FastifyReply): Promise<LaterAnswer> {
    const answer = new LaterAnswer(reply);
    await Promise.resolve();
    waiting.push(answer);
    wake();
    return answer;
  }

  @Get('refused')
  @AnswersLater()
  async refused(): Promise<LaterAnswer> {
    await Promise.resolve();
    throw new BadRequest('Not at any time.');
  }
}

let http: HttpApp;
beforeAll(async () => {
  http = await createHttpApp([WaitingController]);
});
afterAll(() => http.app.close());

const ask = (path: string) => http.app.inject({ url: `/api/v1/${path}`, headers: as() });

it('answers once there is something, with what every success has', async () => {
  const asked = ask('later?colour=red');
  (await nextWaiting()).send({ number: 7, raw: new RawJson('[1]') });
  const answer = await asked;
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual({
    result: 'success',
    msg: '',
    number: 7,
    raw: [1],
    ignored_parameters_unsupported: ['colour'],
  });
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
  });
});

it('sends one text to many, and to each what it ignored', async () => {
  const shared = new SharedJson('{"number":7}');
  const asked = [ask('later'), ask('later?colour=red'), ask('later')];
  for (let n = 0; n < asked.length; n++) (await nextWaiting()).send(shared);
  const [one, other, third] = await Promise.all(asked);
  expect(one?.json()).toEqual({ result: 'success', msg: '', number: 7 });
  expect(third?.body).toBe(one?.body);
  expect(other?.json()).toMatchObject({ number: 7, ignored_parameters_unsupported: ['colour'] });
});

it('answers with an error, at once or later', async () => {
  expect((await ask('refused')).json()).toMatchObject({ result: 'error', msg: 'Not at any time.' });
  const asked = ask('later');
  (await nextWaiting()).refuse(new BadRequest('Not any more.'));
  const answer = await asked;
  expect([answer.statusCode, answer.json()]).toMatchObject([400, { result: 'error', msg: 'Not any more.' }]);
});

it('knows when the client goes', async () => {
  await http.app.listen(0, '127.0.0.1');
  const request = get(`${await http.app.getUrl()}/api/v1/later`, { headers: as() });
  request.on('error', () => undefined);
  const answer = await nextWaiting();
  expect(answer.isUnwanted).toBe(false);
  const closed = new Promise<void>((resolve) => answer.onClosed(resolve));
  request.destroy();
  await closed;
  expect(answer.isUnwanted).toBe(true);
  answer.send({ reaches: 'nobody' });
});

it('keeps the connection for the next request', async () => {
  const { port } = new URL(await http.app.getUrl());
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ports: (number | undefined)[] = [];
  for (let n = 0; n < 2; n++) {
    const request = get({ port, path: '/api/v1/later', headers: as(), agent });
    (await nextWaiting()).send({ n });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    ports.push(response.socket.localPort);
    response.resume();
    await once(response, 'end');
  }
  expect(ports[0]).toBe(ports[1]);
  agent.destroy();
});
