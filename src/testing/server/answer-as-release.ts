import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import type { INestApplicationContext } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { NotFound } from '../../platform/errors/request.errors';
import { MultipartBody } from '../../platform/http/body/multipart-body';
import { type ReadBody, UnreadBody } from '../../platform/http/body/unread-body';
import { sentParameters } from '../../platform/http/body/sent-parameters';
import { Database } from '../../platform/database/database.service';
import { ChannelDirectory } from '../../features/channels/channels.module';
import { loadMessages } from '../../features/messages/messages.module';
import { GroupDirectory } from '../../features/user-groups/user-groups.module';
import { AccountDirectory } from '../../features/users/users.module';
import type { Json, LevelContext } from '../levels/level-change';
import type { AskedRoute, OlderRelease, Reading } from '../levels/older-release';
import { ExpiredMessages } from './expired-messages';
import { isOwnRequest } from './inner-caller';
import type { ServerPeople } from './server-people';
import { isTestRoute } from './test-route';

/** Has the server answer as an older release did. To be called before the application has its routes. */
export function answerAsRelease(server: FastifyInstance, release: OlderRelease): void {
  const readings = new WeakMap<FastifyRequest, Reading>();
  server.addHook('onRequest', async (request) => {
    if (!isSpared(request) && release.lacks(routeOf(request))) throw new NotFound();
  });
  server.addHook('preHandler', async (request) => {
    if (isSpared(request)) return;
    const read = (parameters: Map<string, string>) =>
      readings.set(request, release.read(routeOf(request), parameters));
    const readAll = () => {
      const parameters = new Map(sentParameters(request));
      read(parameters);
      request.parameterTexts = parameters;
    };
    const { body } = request;
    if (body instanceof MultipartBody) readFormLater(body, read);
    else if (body instanceof UnreadBody) readLater(request, body, readAll);
    else readAll();
  });
  server.addHook('onSend', async (request, reply, payload) => {
    const type = String(reply.getHeader('content-type') ?? '');
    if (isSpared(request) || reply.statusCode !== 200 || !type.includes('json')) return payload;
    const sent = await textOf(payload);
    if (typeof sent !== 'string' || !sent.startsWith('{')) return sent;
    const answer = JSON.parse(sent) as Json;
    const { unknown: names = [], client = null } = readings.get(request) ?? {};
    await release.answer(routeOf(request), answer, request.actor?.userId ?? null, client);
    if (names.length > 0) noteIgnored(answer, names);
    return JSON.stringify(answer);
  });
}

/** The text of an answer, which comes as bytes or as a stream where it is large; anything else as it is. */
function textOf(payload: unknown): unknown {
  if (payload instanceof Readable) return text(payload);
  return Buffer.isBuffer(payload) ? payload.toString() : payload;
}

/** What changes look up in the application. */
export function levelContext(app: INestApplicationContext, people: ServerPeople): LevelContext {
  const accounts = app.get(AccountDirectory, { strict: false });
  const channels = app.get(ChannelDirectory, { strict: false });
  const groups = app.get(GroupDirectory, { strict: false });
  const database = app.get(Database, { strict: false });
  const expired = new ExpiredMessages(app);
  return {
    asker: null,
    client: null,
    systemGroup: (name) => groups.byName(name)?.id ?? 0,
    groupName: (id) => groups.namedById(id)?.name ?? null,
    account: (id) => {
      const account = accounts.byId(id);
      if (!account) return null;
      const { email, full_name, api_key, bot_type } = people.answerFor(account);
      return {
        email,
        full_name,
        api_key,
        bot_type,
        owner_id: account.botOwnerId,
        is_active: account.isActive,
      };
    },
    channel: (id) => channels.byId(id) ?? null,
    sentAt: async (ids) =>
      new Map((await loadMessages(database.read, ids)).map(({ id, sentAt }) => [id, sentAt])),
    hasExpired: (id) => expired.has(id),
  };
}

function isSpared(request: FastifyRequest): boolean {
  return isTestRoute(request) || isOwnRequest(request);
}

function routeOf({ method, url }: FastifyRequest): AskedRoute {
  return { method, path: url.split('?')[0] ?? '' };
}

/** Bodies are read once the caller is known. */
function readLater(request: FastifyRequest, body: UnreadBody, readAll: () => void): void {
  const readBody = body.read.bind(body);
  body.read = async (limits) => {
    request.body = await readBody(limits);
    readAll();
    return request.body as ReadBody;
  };
}

/** The same for forms with files; those of file routes are left alone. */
function readFormLater(form: MultipartBody, read: (parameters: Map<string, string>) => void): void {
  const open = form.open.bind(form);
  form.open = async (upload, limits) => {
    const file = await open(upload, limits);
    if (upload === null) read(form.fields);
    return file;
  };
}

function noteIgnored(answer: Json, names: readonly string[]): void {
  const key = 'ignored_parameters_unsupported';
  const known = Array.isArray(answer[key]) ? (answer[key] as string[]) : [];
  answer[key] = [...new Set([...known, ...names])].sort();
}
