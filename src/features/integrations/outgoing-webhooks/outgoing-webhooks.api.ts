import type { MessageWire, RecipientWire } from '../../messages/messages.module';
import type { WebhookDelivery } from './webhook-delivery.entity';
import { PathParameter } from '../../../platform/http/parameters/parameter.decorator';

/** Why a message concerns a bot. */
export const WebhookTrigger = { mention: 'mention', directMessage: 'direct_message' } as const;

/** The bot whose webhook is called, and how the receiver recognizes it. */
export interface ToldBot {
  readonly id: number;
  readonly email: string;
  readonly fullName: string;
  readonly token: string;
}

/** The message that a webhook is called for. */
export interface ToldMessage {
  /** With the content as Markdown. */
  readonly record: MessageWire;
  /** HTML. */
  readonly renderedContent: string;
  readonly trigger: string;
}

/** The body with which a webhook is called. */
export interface WebhookPayload {
  readonly contentType: string;
  readonly body: string;
}

/** The interface's own format. */
export function ownPayload(bot: ToldBot, { record, renderedContent, trigger }: ToldMessage): WebhookPayload {
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

/** The format of Slack's outgoing webhooks, which supports messages in channels only. @param host of this server */
export function slackPayload(bot: ToldBot, { record, trigger }: ToldMessage, host: string): WebhookPayload {
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

/** Where a reply goes, as `POST /messages` takes it: to the topic or the people of the message. */
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

/** One call of the webhook of a bot, and what came of it. */
export interface WebhookDeliveryRecord {
  readonly id: number;
  /** The message that it was about, which may be gone. */
  readonly message_id: number;
  /** When the call ended. UNIX seconds. */
  readonly called_at: number;
  readonly duration_ms: number;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Status of the answer; null where there was none. */
  readonly status: number | null;
  /** Why it failed; null where it succeeded. */
  readonly error: string | null;
  /** The beginning of an answer that was a failure. */
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
