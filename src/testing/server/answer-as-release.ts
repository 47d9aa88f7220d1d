import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ExecutionContext, INestApplication, INestApplicationContext } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FormerBotEvents } from './former-bot-events';
import { type InnerCaller, isOwnRequest } from './inner-caller';
import { isTestRoute } from './request-checks';
import type { ServerPeople } from './server-people';
import { ChannelAccess, ChannelDirectory, PostingAccess } from '../../features/channels/channels.module';
import { loadMessages, messagesDeleted } from '../../features/messages/messages.module';
import { OrganizationDirectory } from '../../features/organization-settings/organization-settings.module';
import { GroupDirectory } from '../../features/user-groups/user-groups.module';
import { AccountDirectory, type AccountRecord, actorOf, avatarUrl } from '../../features/users/users.module';
import { Role } from '../../platform/actor';
import { Clock } from '../../platform/clock';
import { Database } from '../../platform/database/database.service';
import { TransactionService } from '../../platform/database/transaction.service';
import { ApiError } from '../../platform/errors/api-error';
import { NotFound } from '../../platform/errors/request.errors';
import { BadRequest } from '../../platform/errors/shared.errors';
import { EventLogReader } from '../../platform/events/event-log-reader';
import { Hooks } from '../../platform/hooks/hooks';
import { MultipartBody } from '../../platform/http/body/multipart-body';
import { sentParameters } from '../../platform/http/body/sent-parameters';
import { type ReadBody, UnreadBody } from '../../platform/http/body/unread-body';
import type { Json, LevelContext } from '../levels/level-change';
import type { RequestedRoute, OlderRelease, Reading } from '../levels/older-release';

const SECONDS_A_DAY = 86_400;

/** Messages deleted by the retention policy, as far as can be determined. */
class ExpiredMessages {
  private readonly ids = new Set<number>();

  constructor(app: INestApplicationContext) {
    const clock = app.get(Clock, { strict: false });
    const channels = app.get(ChannelDirectory, { strict: false });
    const organization = app.get(OrganizationDirectory, { strict: false });
    const daysOf = (channelId: number | null) =>
      (channelId === null ? null : channels.byId(channelId)?.messageRetentionDays) ??
      organization.settings.message_retention_days;
    app.get(Hooks, { strict: false }).on(messagesDeleted, async (tx, messageIds) => {
      for (const { id, channelId, sentAt } of await loadMessages(tx, messageIds)) {
        const days = daysOf(channelId);
        const isDue = days !== null && days >= 0 && sentAt < clock.nowSeconds() - days * SECONDS_A_DAY;
        // After a reset, IDs start over.
        if (isDue) this.ids.add(id);
        else this.ids.delete(id);
      }
    });
  }

  has(messageId: number): boolean {
    return this.ids.has(messageId);
  }
}

/** Makes the server answer like an older release. Call it before the application has its routes. */
export function answerAsRelease(app: INestApplication, server: FastifyInstance, release: OlderRelease): void {
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
  // After all others, so that the caller is known and parameters are read.
  app.useGlobalGuards({
    canActivate: (context: ExecutionContext) => {
      const request = context.switchToHttp().getRequest<FastifyRequest>();
      if (isSpared(request)) return true;
      const asker = request.actor?.userId ?? null;
      const reason = release.refusalOf(routeOf(request), asker, readings.get(request));
      if (reason !== null) throw new BadRequest(reason);
      return true;
    },
  });
  server.addHook('onSend', async (request, reply, payload) => {
    const answer = isSpared(request) ? null : await answerIn(reply, payload);
    if (answer === null) return payload;
    if (!('answer' in answer)) return answer.sent;
    const reading = readings.get(request);
    const { result } = answer.answer;
    const told = await release.answer(
      routeOf(request),
      answer.answer,
      request.actor?.userId ?? null,
      reading,
    );
    const isSuccess = told['result'] === 'success';
    if (told['result'] !== result) reply.code(isSuccess ? 200 : 400);
    if (isSuccess && reading && reading.unknown.length > 0) noteIgnored(told, reading.unknown);
    return JSON.stringify(told);
  });
}

/** The answer in the form that releases may change: a success, or a refusal not caused by credentials. */
async function answerIn(
  reply: FastifyReply,
  payload: unknown,
): Promise<{ readonly answer: Json } | { readonly sent: unknown } | null> {
  const type = String(reply.getHeader('content-type') ?? '');
  if ((reply.statusCode !== 200 && reply.statusCode !== 400) || !type.includes('json')) return null;
  const sent = await textOf(payload);
  if (typeof sent !== 'string' || !sent.startsWith('{')) return { sent };
  const answer = JSON.parse(sent) as Json;
  return 'result' in answer ? { answer } : { sent };
}

/** The text of an answer, which is bytes or a stream if it is large; anything else unchanged. */
function textOf(payload: unknown): unknown {
  if (payload instanceof Readable) return text(payload);
  return Buffer.isBuffer(payload) ? payload.toString() : payload;
}

/** Implements the lookups for changes. */
export function levelContext(
  app: INestApplicationContext,
  people: ServerPeople,
  call: InnerCaller,
): LevelContext {
  const accounts = app.get(AccountDirectory, { strict: false });
  const channels = app.get(ChannelDirectory, { strict: false });
  const groups = app.get(GroupDirectory, { strict: false });
  const access = app.get(ChannelAccess, { strict: false });
  const posting = app.get(PostingAccess, { strict: false });
  const database = app.get(Database, { strict: false });
  const botEvents = new FormerBotEvents(
    accounts,
    app.get(TransactionService, { strict: false }),
    app.get(EventLogReader, { strict: false }),
  );
  const expired = new ExpiredMessages(app);
  return {
    asker: null,
    client: null,
    systemGroup: (name) => groups.byName(name)?.id ?? 0,
    groupName: (id) => groups.namedById(id)?.name ?? null,
    isDeactivatedGroup: (id) => groups.namedById(id)?.isDeactivated ?? false,
    account: (id) => {
      const account = accounts.byId(id);
      if (!account) return null;
      const { email, full_name, api_key, bot_type } = people.answerFor(account);
      return {
        email,
        full_name,
        api_key,
        avatar_url: avatarUrl(account),
        bot_type,
        owner_id: account.botOwnerId,
        is_active: account.isActive,
      };
    },
    channel: (id) => channels.byId(id) ?? null,
    channelNamed: (name) => channels.byName(name) ?? null,
    rightTo: (userId, channelId) => {
      const [account, channel] = [accounts.byId(userId), channels.byId(channelId)];
      if (!account || !channel) return null;
      const who = actorOf(account);
      if (access.administers(who, channel)) return 'administer';
      return access.hasMetadataAccess(who, channel) ? 'see' : null;
    },
    postingRefusal: (userId, channelId) => {
      const [account, channel] = [accounts.byId(userId), channels.byId(channelId)];
      if (!account || !channel) return null;
      try {
        posting.checkMayPost(actorOf(account), channel);
        return null;
      } catch (error) {
        if (error instanceof ApiError) return error.message;
        throw error;
      }
    },
    request: async (who, request) => {
      const isOwner = ({ role, isActive, isBot }: AccountRecord) => role === Role.owner && isActive && !isBot;
      const account = who === null ? accounts.all().find(isOwner) : accounts.byId(who);
      if (!account) throw new Error('No account to make the request with.');
      const { body } = await call(people.answerFor(account), { ...request, isOwn: true });
      return body as Json;
    },
    tellOfBot: (id, changed) => botEvents.tell(id, changed),
    toldOfBot: (userId, botId, eventId) => botEvents.toldOf(userId, botId, eventId),
    sentAt: async (ids) =>
      new Map((await loadMessages(database.read, ids)).map(({ id, sentAt }) => [id, sentAt])),
    hasExpired: (id) => expired.has(id),
  };
}

function isSpared(request: FastifyRequest): boolean {
  return isTestRoute(request) || isOwnRequest(request);
}

function routeOf({ method, url }: FastifyRequest): RequestedRoute {
  return { method, path: url.split('?')[0] ?? '' };
}

/** Reads the body once the caller is known. */
function readLater(request: FastifyRequest, body: UnreadBody, readAll: () => void): void {
  const readBody = body.read.bind(body);
  body.read = async (limits) => {
    request.body = await readBody(limits);
    readAll();
    return request.body as ReadBody;
  };
}

/** The same for forms with files; those of file routes are not touched. */
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
