import * as words from '../words';

/** A refusal of the server, or of the console before it asks, with its sentence. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    message: string,
    readonly status = 400,
    readonly code = '',
    /** Seconds after which one may try again, where the server says so. */
    readonly retryAfter?: number,
    /** What else the server says of it. */
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

/** What goes into a call: texts as they are, anything else as JSON; what is undefined is left out. */
export type Parameters = Readonly<Record<string, unknown>>;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Belongs to the session; empty where the page has none. */
export const sessionToken = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]')?.content ?? '';

function fieldsOf(parameters: Parameters): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) fields.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return fields;
}

/** The sentence in the language of the console; as the server said it where that cannot be loaded. */
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
 * The page belongs to another session or user: a sign-in happened in another window. Reloads once per token; drafts
 * survive that.
 */
function beginAnew(): void {
  if (sessionStorage.getItem('refused') === sessionToken()) return;
  sessionStorage.setItem('refused', sessionToken());
  location.reload();
}

/** Asks people in a dialog to prove again who they are. @returns whether they did */
let confirmIdentity = (): Promise<boolean> => Promise.resolve(false);

/** Has refused calls ask with the dialog that the page shows. */
export function confirmIdentityWith(ask: typeof confirmIdentity): void {
  confirmIdentity = ask;
}

interface Sending extends RequestInit {
  /** Whether a refusal leads nowhere: the user has not asked for anything. */
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
  // The sign-in page is also where a second factor is set up that the organization requires.
  if (!isQuiet && (status === 401 || code === 'SECOND_FACTOR_REQUIRED')) goToSignIn();
  if (code === 'REAUTHENTICATION_REQUIRED' && !isAgain && !isQuiet && (await confirmIdentity())) {
    return send(method, path, init, true);
  }
  if (code === 'CSRF_FAILED' && !isQuiet) beginAnew();
  // The two interfaces name the sentence differently.
  const sentence = body['msg'] ?? body['detail'];
  const isTold = typeof sentence === 'string';
  // Proxies say so with pages of their own, where the server does not answer.
  if (!isTold && status >= 502) throw new TypeError();
  // What was being sent is kept at once then: there is no time to load words.
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
 * Calls the main interface, as a program would: `call('GET', 'users/me')`.
 * @throws {Refusal} what the server refuses
 * @throws {TypeError} the server cannot be reached
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

/** Browsers carry no more in requests that outlive their page. */
const LONGEST_LAST_WORDS = 30_000;

/**
 * Calls the main interface in the background: the request outlives the page if it is short, and a refusal neither leads
 * to sign-in nor reloads the page.
 */
export function callQuietly<T>(method: Method, path: string, parameters: Parameters): Promise<T> {
  const body = fieldsOf(parameters);
  return send(method, `/json/${path}`, {
    body,
    keepalive: String(body).length < LONGEST_LAST_WORDS,
    isQuiet: true,
  });
}

/** Calls the companion interface, which is for administrators and takes JSON: `companion('GET', 'users')`. */
export function companion<T>(method: Method, path: string, body?: Parameters): Promise<T> {
  return send(method, `/json/companion/${path}`, {
    ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  });
}

/** Sends a file. */
export function upload<T>(path: string, file: File): Promise<T> {
  const form = new FormData();
  form.set('file', file);
  return send('POST', `/json/${path}`, { body: form });
}
