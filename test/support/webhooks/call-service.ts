import type { Answer } from '../api-client';
import type { Member } from '../cast';
import type { TestApp } from '../test-app';

/** A service's request: URL parameters besides the key, headers, and the raw body. */
export interface ServiceCall {
  readonly address?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, unless it is a text. */
  readonly payload?: unknown;
  readonly key?: string;
}

/** Calls the URL of a bot like a service: without credentials, with the service's own body. */
export function callService(
  app: TestApp,
  bot: Pick<Member, 'id'>,
  service: string,
  { address = {}, headers = {}, payload, key = app.credentialsOf(bot).apiKey }: ServiceCall,
): Promise<Answer> {
  const query = new URLSearchParams({ api_key: key });
  for (const [name, value] of Object.entries(address)) {
    query.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return app.client().send({
    method: 'POST',
    url: `/api/v1/external/${service}?${query.toString()}`,
    headers: { 'content-type': 'application/json', ...headers },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });
}
