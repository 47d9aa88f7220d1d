import { defineHook } from '../../../platform/hooks/hook';

/** One call of the webhook of a bot, and what came of it. */
export interface WebhookCall {
  readonly botId: number;
  readonly messageId: number;
  readonly url: string;
  readonly contentType: string;
  readonly body: string;
  /** Status and body of the answer; null where there was none. */
  readonly answer: { readonly status: number; readonly body: string } | null;
  /** Why there was no answer; null where there was one. */
  readonly failure: string | null;
}

/** The webhook of a bot was called, and answered or did not. Listeners cannot change what follows. */
export const webhookCalled = defineHook<[call: WebhookCall]>('webhookCalled');
