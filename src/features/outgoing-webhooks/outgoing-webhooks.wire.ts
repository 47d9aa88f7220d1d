import type { MessageWire, RecipientWire } from '../messages';

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
