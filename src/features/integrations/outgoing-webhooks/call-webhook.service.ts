import { Injectable } from '@nestjs/common';
import {
  ownPayload,
  slackPayload,
  type WebhookBot,
  type WebhookMessage,
  type WebhookPayload,
} from './outgoing-webhooks.api';
import { webhookCalled } from './outgoing-webhooks.hooks';
import { Config } from '../../../platform/config/config';
import { Hooks } from '../../../platform/hooks/hooks';
import { AddressRules } from '../../../platform/outbound/address-rules';
import { type OutboundAnswer, OutboundFailure } from '../../../platform/outbound/outbound-request';
import { Traces } from '../../../platform/traces/traces';
import { ADVERTISED_VERSION } from '../../../platform/version';
import type { BotEndpoint } from '../../users/users.module';

/** Payload formats of webhooks. */
export const WebhookInterface = { own: 1, slack: 2 } as const;

/** A webhook's response: a reply, nothing, or an error for the owner to fix. */
type WebhookAnswer = { readonly reply: string | null } | { readonly fault: string };

/** Keys that may contain the reply, in order of precedence. */
const REPLY_KEYS: Readonly<Record<number, readonly string[]>> = {
  [WebhookInterface.own]: ['content', 'response_string'],
  [WebhookInterface.slack]: ['text'],
};

/** Parses the body of a successful response, which may be empty or an object without a reply. */
export function readAnswer(interfaceType: number, body: Buffer): WebhookAnswer {
  const text = body.toString('utf8').trim();
  if (text === '') return { reply: null };
  const answer = parseObject(text);
  if (!answer) return { fault: 'the response is not a JSON object' };
  if (answer.response_not_required === true) return { reply: null };
  const keys = REPLY_KEYS[interfaceType] ?? [];
  const key = keys.find((name) => answer[name] !== undefined && answer[name] !== null);
  if (key === undefined) return { reply: null };
  const reply = answer[key];
  if (typeof reply !== 'string') return { fault: `\`${key}\` in the response is not a string` };
  return { reply: reply.trim() === '' ? null : reply };
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Why a call failed. */
export interface CallFailure {
  readonly reason: string;
  /** Beginning of the response body. */
  readonly answer?: string;
  /** Whether a retry may succeed. */
  readonly isPassing: boolean;
}

/** The result of a call. */
type CallOutcome = { readonly status: number | null } & (
  { readonly kind: 'answered'; readonly reply: string | null } | (CallFailure & { readonly kind: 'failed' })
);

const MAX_ANSWER_BYTES = 256 * 1024;
const SHOWN_CHARACTERS = 500;

/** Client error statuses after which a retry may succeed. */
const PASSING = [408, 425, 429];

/** Posts messages to webhooks, and reads the responses. */
@Injectable()
export class CallWebhookService {
  private readonly rules: AddressRules;

  constructor(
    private readonly config: Config,
    private readonly hooks: Hooks,
    private readonly traces: Traces,
  ) {
    this.rules = new AddressRules(config.webhookPrivateNetworks);
  }

  /** Calls a webhook. @param signal aborts the call, which is a temporary failure */
  async call(
    service: BotEndpoint,
    bot: WebhookBot,
    message: WebhookMessage,
    signal: AbortSignal,
  ): Promise<CallOutcome> {
    if (service.payloadUrl === null) return failed('it has no address');
    const payload = this.payload(service, bot, message);
    if (!payload) return failed('its format knows no direct messages');
    const { contentType, body } = payload;
    const call = { botId: bot.id, messageId: message.record.id, url: service.payloadUrl, contentType, body };
    try {
      const answer = await this.traces.post(
        'webhook',
        this.request(service.payloadUrl, payload, signal),
        this.rules,
      );
      const shown = { status: answer.status, body: answer.body.toString('utf8') };
      await this.hooks.run(webhookCalled, { ...call, answer: shown, failure: null });
      return this.outcome(service, answer);
    } catch (error) {
      if (!(error instanceof OutboundFailure)) throw error;
      await this.hooks.run(webhookCalled, { ...call, answer: null, failure: error.message });
      return { kind: 'failed', status: null, reason: error.message, isPassing: !error.isFinal };
    }
  }

  private payload(service: BotEndpoint, bot: WebhookBot, message: WebhookMessage): WebhookPayload | null {
    if (service.interface !== WebhookInterface.slack) return ownPayload(bot, message);
    if (message.record.type === 'private') return null;
    return slackPayload(bot, message, new URL(this.config.externalUrl).hostname);
  }

  private request(url: string, { contentType, body }: WebhookPayload, signal: AbortSignal) {
    return {
      url,
      headers: {
        'content-type': contentType,
        accept: 'application/json',
        'user-agent': `ZulipOutgoingWebhook/${ADVERTISED_VERSION}`,
      },
      body,
      timeoutMs: this.config.webhookTimeoutSeconds * 1000,
      maxBytes: MAX_ANSWER_BYTES,
      signal,
    };
  }

  private outcome(service: BotEndpoint, { status, body }: OutboundAnswer): CallOutcome {
    if (status < 200 || status > 299) {
      const isPassing = status >= 500 || PASSING.includes(status);
      return { ...failed(`response status ${status}`, status, body), isPassing };
    }
    const answer = readAnswer(service.interface, body);
    return 'fault' in answer
      ? failed(answer.fault, status, body)
      : { kind: 'answered', status, reply: answer.reply };
  }
}

function failed(
  reason: string,
  status: number | null = null,
  body?: Buffer,
): CallOutcome & { readonly kind: 'failed' } {
  const text = body
    ?.subarray(0, 4 * SHOWN_CHARACTERS)
    .toString('utf8')
    .slice(0, SHOWN_CHARACTERS);
  return { kind: 'failed', status, reason, isPassing: false, ...(text ? { answer: text } : {}) };
}
