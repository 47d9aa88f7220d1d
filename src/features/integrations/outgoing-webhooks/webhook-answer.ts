/** The formats in which webhooks are called. */
export const WebhookInterface = { own: 1, slack: 2 } as const;

/** What a webhook made of a message: a reply, nothing, or a fault for the owner to fix. */
export type WebhookAnswer = { readonly reply: string | null } | { readonly fault: string };

/** The keys under which a reply may be, the better known first. */
const REPLY_KEYS: Readonly<Record<number, readonly string[]>> = {
  [WebhookInterface.own]: ['content', 'response_string'],
  [WebhookInterface.slack]: ['text'],
};

/** Reads the body of a successful answer. An empty one is no reply, nor is an object without one. */
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
