import { defineHook } from '../../../platform/hooks/hook';

/** A call of a bot's webhook, and its result. */
export interface WebhookCall {
  readonly botId: number;
  readonly messageId: number;
  readonly url: string;
  readonly contentType: string;
  readonly body: string;
  /** Status and body of the response; null if there was none. */
  readonly answer: { readonly status: number; readonly body: string } | null;
  /** Why there was no response; null if there was one. */
  readonly failure: string | null;
}

/** Runs after each call of a bot's webhook, with or without a response. Listeners cannot change the outcome. */
export const webhookCalled = defineHook<[call: WebhookCall]>('webhookCalled');
