import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import {
  channelOf,
  integrationsState,
  MalformedPayload,
  BotWithoutOwner,
  ReceiveWebhookDto,
  unescapedAgain,
  UnknownIntegration,
} from './incoming-webhooks.api';
import { integrationsSought } from './incoming-webhooks.hooks';
import { isWanted } from './reading/event-filter';
import {
  type Integration,
  type IntegrationAnswer,
  IntegrationCall,
  type IntegrationPost,
  MissingEventHeader,
} from './reading/integration';
import { Payload } from './reading/payload';
import { lineOf, safe, SafeText } from './reading/safe-text';
import { INTEGRATIONS } from './services';
import type { Actor } from '../../../platform/actor';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import { ApiError } from '../../../platform/errors/api-error';
import { ParameterProblem } from '../../../platform/errors/request.errors';
import { Hooks } from '../../../platform/hooks/hooks';
import { type ForeignRequest, RawBody } from '../../../platform/http/body/raw-body';
import { supportedNames } from '../../../platform/http/parameters/parameters.decorator';
import {
  BotOwnerNoticeService,
  ChannelNameUnknown,
  SendMessageService,
} from '../../messages/messages.module';
import { AccountDirectory } from '../../users/users.module';

/** Registry of integrations, including those of modules. */
@Injectable()
export class KnownIntegrations implements OnApplicationBootstrap {
  private readonly byName = new Map<string, Integration>();
  private all: readonly Integration[] = [];

  constructor(private readonly hooks: Hooks) {
    hooks.on(
      initialState,
      stateFor('realm_incoming_webhook_bots', () => integrationsState(this.all)),
    );
  }

  /** @throws Error for a duplicate name, which is a bug */
  onApplicationBootstrap(): void {
    this.all = [...INTEGRATIONS, ...this.hooks.ask(integrationsSought).flat()];
    for (const integration of this.all) {
      for (const name of [integration.name, ...(integration.aliases ?? [])]) {
        if (this.byName.has(name)) throw new Error(`Duplicate integration name "${name}".`);
        this.byName.set(name, integration);
      }
    }
  }

  /** @throws UnknownIntegration */
  named(name: string): Integration {
    const integration = this.byName.get(name);
    if (!integration) throw new UnknownIntegration();
    return integration;
  }
}

/** Maximum messages per call; the last one reports how many more there are. */
const MAX_POSTS = 20;

/** Parameters that are not part of the payload if that is a form. A topic serves both purposes. */
const OF_THE_ADDRESS = new Set([...supportedNames(ReceiveWebhookDto)].filter((name) => name !== 'topic'));

/** Posts the webhooks of services as messages of bots. */
@Injectable()
export class ReceiveWebhookService {
  constructor(
    private readonly integrations: KnownIntegrations,
    private readonly accounts: AccountDirectory,
    private readonly sending: SendMessageService,
    private readonly notices: BotOwnerNoticeService,
  ) {}

  /**
   * Posts the messages of a webhook call.
   * @returns response keys that the service expects
   * @throws ApiError of the integration, or of sending a message
   */
  async receive(bot: Actor, sent: ReceiveWebhookDto, request: ForeignRequest): Promise<IntegrationAnswer> {
    const integration = this.integrations.named(sent.integration);
    const input = integration.escapesTwice ? unescapedAgain(sent) : sent;
    const isOption = (name: string) => integration.options?.some((option) => option.name === name) ?? false;
    request.knows((name) => isOption(name) || name === 'payload' || (integration.takesForm ?? false));
    try {
      const call = this.callOf(bot, integration, input, request);
      const posts = [integration.read(call) ?? []].flat();
      const wanted = posts.filter(({ event }) => isWanted(event, filterOf(input)));
      // Evaluates all contents before sending the first message, because any of them may cause a refusal.
      const sent = bounded(wanted).map((post) => ({ ...post }));
      for (const post of sent) await this.send(bot, integration, input, post);
      return integration.answer?.(call) ?? {};
    } catch (error) {
      if (error instanceof MissingEventHeader) await this.tellOwner(bot, integration, error);
      throw integration.refusal && error instanceof ApiError ? withKeys(error, integration) : error;
    }
  }

  private callOf(
    bot: Actor,
    integration: Integration,
    input: ReceiveWebhookDto,
    request: ForeignRequest,
  ): IntegrationCall {
    const { displayName } = integration;
    const payload = new Payload(payloadOf(integration, request), displayName);
    const { id, fullName, deliveryEmail: email } = this.accounts.existing(bot.userId);
    const namesItself = input.topic !== undefined || channelOf(input) === undefined;
    return new IntegrationCall(displayName, payload, request, { id, fullName, email }, namesItself);
  }

  private async send(
    bot: Actor,
    { displayName }: Integration,
    input: ReceiveWebhookDto,
    post: IntegrationPost,
  ): Promise<void> {
    const content = contentFromOutside(post.content.source);
    if (content === '') return;
    const actor = { ...bot, clientName: clientNameOf(displayName) };
    const message = { content: { content, isFromOutside: true }, isMirrored: false, isForged: false };
    const channel = channelOf(input);
    if (channel === undefined) {
      if (bot.ownerId === null) throw new BotWithoutOwner();
      await this.sending.send(actor, { ...message, kind: 'direct', to: `[${bot.ownerId}]` });
      return;
    }
    try {
      await this.sending.send(actor, {
        ...message,
        kind: 'channel',
        to: addressOf(channel),
        topic: input.topic ?? lineOf(post.topic),
      });
    } catch (error) {
      // The bot's owner was notified, and a retry by the service would not help.
      if (!(error instanceof ChannelNameUnknown)) throw error;
    }
  }

  private async tellOwner(bot: Actor, { displayName }: Integration, error: ApiError): Promise<void> {
    await this.notices.tell(
      bot.userId,
      'webhook header',
      ({ fullName }) =>
        safe`Your bot ${fullName} was called by what should be ${displayName}, but without a header that says what happened: ${error.message}.`
          .source,
    );
  }
}

/** @throws MalformedPayload */
function payloadOf({ takesForm }: Integration, request: ForeignRequest): unknown {
  const text = request.hasForm ? request.parameter('payload') : null;
  if (takesForm && request.hasForm && text === null) {
    return Object.fromEntries([...request.parameters].filter(([name]) => !OF_THE_ADDRESS.has(name)));
  }
  try {
    return text === null ? request.json() : new RawBody(Buffer.from(text)).json();
  } catch (error) {
    if (error instanceof ParameterProblem) throw new MalformedPayload(error.message);
    throw error;
  }
}

/** Zulip's client name for an integration; names have at most 30 characters. */
function clientNameOf(displayName: string): string {
  return `Zulip${displayName.replace(/[^A-Za-z0-9]/g, '').slice(0, 18)}Webhook`;
}

/** Recipient for a channel ID or name; quotes make names literal. */
function addressOf(channel: string): string {
  return /^\d{1,15}$/.test(channel) ? String(Number(channel)) : JSON.stringify(channel);
}

function filterOf({ only_events: only, exclude_events: except }: ReceiveWebhookDto) {
  return { only, except };
}

/** Escapes a leading slash, so that external text is never a command such as `/poll`. */
export function contentFromOutside(source: string): string {
  return source.trim().replace(/^\//, '\\/');
}

function bounded(posts: readonly IntegrationPost[]): readonly IntegrationPost[] {
  const more = posts.length - MAX_POSTS;
  const last = posts[MAX_POSTS - 1];
  if (more <= 0 || !last) return posts;
  const content = new SafeText(`${last.content.source}\n\n${more} more not shown.`);
  return [...posts.slice(0, MAX_POSTS - 1), { ...last, content }];
}

function withKeys({ message, status, code, data, headers }: ApiError, integration: Integration): ApiError {
  return new ApiError(message, {
    status,
    code,
    headers,
    data: { ...data, ...integration.refusal?.(message) },
  });
}
