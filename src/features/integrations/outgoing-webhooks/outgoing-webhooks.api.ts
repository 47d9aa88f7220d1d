import type { MessageWire, RecipientWire } from '../../messages/messages.module';
import type { WebhookDelivery } from './webhook-delivery.entity';
import { PathParameter } from '../../../platform/http/parameters/parameter.decorator';

/** Reasons to call a bot's webhook for a message. */
export const WebhookTrigger = { mention: 'mention', directMessage: 'direct_message' } as const;

/** The bot whose webhook is called, with the token by which the receiver recognizes it. */
export interface WebhookBot {
  readonly id: number;
  readonly email: string;
  readonly fullName: string;
  readonly token: string;
}

/** The message for which a webhook is called. */
export interface WebhookMessage {
  /** The message with its content as Markdown. */
  readonly record: MessageWire;
  /** The content as HTML. */
  readonly renderedContent: string;
  readonly trigger: string;
}

/** Request body of a webhook call. */
export interface WebhookPayload {
  readonly contentType: string;
  readonly body: string;
}

/** Builds the payload in Zulip's own format. */
export function ownPayload(
  bot: WebhookBot,
  { record, renderedContent, trigger }: WebhookMessage,
): WebhookPayload {
  const payload = {
    bot_email: bot.email,
    bot_full_name: bot.fullName,
    data: record.content,
    message: { ...record, rendered_content: renderedContent },
    token: bot.token,
    trigger,
  };
  return { contentType: 'application/json', body: JSON.stringify(payload) };
}

/** Builds the payload in Slack's format, which supports only channel messages. @param host of this server */
export function slackPayload(
  bot: WebhookBot,
  { record, trigger }: WebhookMessage,
  host: string,
): WebhookPayload {
  const fields: Record<string, string> = {
    token: bot.token,
    team_id: 'T1',
    team_domain: host,
    channel_id: `C${record.stream_id}`,
    channel_name: record.display_recipient as string,
    thread_ts: String(record.timestamp),
    timestamp: String(record.timestamp),
    user_id: `U${record.sender_id}`,
    user_name: record.sender_full_name,
    command: `@**${bot.fullName}**`,
    text: record.content,
    trigger_word: trigger,
    service_id: String(bot.id),
  };
  return {
    contentType: 'application/x-www-form-urlencoded',
    body: new URLSearchParams(fields).toString(),
  };
}

/** Recipient of a reply, as in `POST /messages`: the topic or participants of the message. */
export function replyPlace(record: MessageWire): ReplyPlace {
  if (record.type === 'stream') {
    return { kind: 'channel', to: String(record.stream_id), topic: record.subject };
  }
  const people = record.display_recipient as readonly RecipientWire[];
  return { kind: 'direct', to: JSON.stringify(people.map(({ id }) => id)) };
}

interface ReplyPlace {
  readonly kind: 'channel' | 'direct';
  readonly to: string;
  readonly topic?: string;
}

/** A call of a bot's webhook, and its result. */
export interface WebhookDeliveryRecord {
  readonly id: number;
  /** The message for which it was called, which may no longer exist. */
  readonly message_id: number;
  /** End of the call, in UNIX seconds. */
  readonly called_at: number;
  readonly duration_ms: number;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Response status; null if there was no response. */
  readonly status: number | null;
  /** Failure reason; null if the call succeeded. */
  readonly error: string | null;
  /** Beginning of the response if the call failed. */
  readonly answer: string | null;
}

/** The record of a call. */
export function deliveryRecord(delivery: WebhookDelivery): WebhookDeliveryRecord {
  const { id, messageId, calledAt, durationMs, attempt, status, error, answer } = delivery;
  return {
    id,
    message_id: messageId,
    called_at: calledAt,
    duration_ms: durationMs,
    attempt,
    status,
    error,
    answer,
  };
}

/** Parameters of `GET /bots/{bot_id}/deliveries`. */
export class WebhookDeliveriesDto {
  /** ID of the bot. */
  @PathParameter() bot_id!: number;
}
