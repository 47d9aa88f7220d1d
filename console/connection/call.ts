import * as words from '../words';

/** A refusal by the server, or by the console before a request, with its message. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    message: string,
    readonly status = 400,
    readonly code = '',
    /** Seconds until a retry is allowed, if the server reports them. */
    readonly retryAfter?: number,
    /** Other fields of the response. */
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

/** Parameters of a call: strings are sent unchanged, other values as JSON; undefined values are omitted. */
export type Parameters = Readonly<Record<string, unknown>>;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** CSRF token of the session; empty if the page has none. */
export const sessionToken = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]')?.content ?? '';

function fieldsOf(parameters: Parameters): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) fields.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return fields;
}

/** The message in the language of the console, or the server's own if the translations cannot be loaded. */
const inProductWords = (sentence: string, status: number): Promise<string> =>
  import('./refusals').then(
    ({ wordsOf }) => wordsOf(sentence, status),
    () => sentence,
  );

/** Redirects to sign-in when the session has ended, and back to this page afterwards. */
export function goToSignIn(): void {
  location.assign(`/login/?next=${encodeURIComponent(location.pathname + location.search)}`);
}

/**
 * The page belongs to another session or user, because of a sign-in in another window. Reloads once per token; drafts
 * survive that.
 */
function restart(): void {
  if (sessionStorage.getItem('refused') === sessionToken()) return;
  sessionStorage.setItem('refused', sessionToken());
  location.reload();
}

/** Asks the user to confirm their identity in a dialog. @returns whether they did */
let confirmIdentity = (): Promise<boolean> => Promise.resolve(false);

/** Sets the dialog that refused calls open. */
export function confirmIdentityWith(ask: typeof confirmIdentity): void {
  confirmIdentity = ask;
}

interface Sending extends RequestInit {
  /** Whether errors must not redirect or open dialogs, because no user action caused the request. */
  readonly isQuiet?: boolean;
}

async function send<T>(
  method: Method,
  path: string,
  { isQuiet = false, ...init }: Sending,
  isAgain = false,
): Promise<T> {
  const answer = await fetch(path, {
    method,
    ...init,
    headers: { ...init.headers, ...(method !== 'GET' && { 'X-CSRFToken': sessionToken() }) },
  });
  const body = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
  if (answer.ok) return body as T;
  const { status } = answer;
  const code = body['code'];
  // A second factor that the organization requires is also set up on the sign-in page.
  if (!isQuiet && (status === 401 || code === 'SECOND_FACTOR_REQUIRED')) goToSignIn();
  if (code === 'REAUTHENTICATION_REQUIRED' && !isAgain && !isQuiet && (await confirmIdentity())) {
    return send(method, path, init, true);
  }
  if (code === 'CSRF_FAILED' && !isQuiet) restart();
  // The two APIs name the message differently.
  const sentence = body['msg'] ?? body['detail'];
  const isTold = typeof sentence === 'string';
  // If the server does not respond, proxies return error pages of their own.
  if (!isTold && status >= 502) throw new TypeError();
  // The caller must store unsent data before the page leaves, so there is no time to load translations.
  const isLeaving = status === 401 || code === 'CSRF_FAILED' || code === 'SECOND_FACTOR_REQUIRED';
  const own = status === 413 ? words.tooLarge : words.refused(status);
  const told = isTold && !isLeaving ? await inProductWords(sentence, status) : sentence;
  throw new Refusal(
    typeof told === 'string' ? told : own,
    status,
    typeof code === 'string' ? code : '',
    Number(body['retry-after'] ?? answer.headers.get('retry-after')) || undefined,
    body,
  );
}

/**
 * Calls the main API, like other clients: `call('GET', 'users/me')`.
 * @throws {Refusal} if the server refuses
 * @throws {TypeError} if the server cannot be reached
 */
export function call<T>(
  method: Method,
  path: string,
  parameters: Parameters = {},
  signal?: AbortSignal,
): Promise<T> {
  const fields = fieldsOf(parameters);
  const query = method === 'GET' && fields.size > 0 ? `?${fields}` : '';
  return send(method, `/json/${path}${query}`, {
    ...(method !== 'GET' && { body: fields }),
    ...(signal && { signal }),
  });
}

/** Browsers limit the body size of requests that outlive their page. */
const LONGEST_LAST_WORDS = 30_000;

/**
 * Calls the main API in the background: short requests outlive the page, and refusals neither redirect to sign-in nor
 * reload the page.
 */
export function callQuietly<T>(method: Method, path: string, parameters: Parameters): Promise<T> {
  const body = fieldsOf(parameters);
  return send(method, `/json/${path}`, {
    body,
    keepalive: String(body).length < LONGEST_LAST_WORDS,
    isQuiet: true,
  });
}

/** Calls the companion API, which is for administration and takes JSON: `companion('GET', 'users')`. */
export function companion<T>(method: Method, path: string, body?: Parameters): Promise<T> {
  return send(method, `/json/companion/${path}`, {
    ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  });
}

/** Uploads a file. */
export function upload<T>(path: string, file: File): Promise<T> {
  const form = new FormData();
  form.set('file', file);
  return send('POST', `/json/${path}`, { body: form });
}
