import { existing, make } from './elements';

/** The response of `/api/docs/session`; both fields are null without a session. */
interface PageSession {
  readonly name: string | null;
  readonly csrf_token: string | null;
}

/** A request without credentials. */
export interface PlainRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: BodyInit;
}

/**
 * Adds the choice of caller: the browser session, the owner of an API key, or anonymous. The key is kept only in its
 * field.
 * @returns a function that sends a request as the chosen caller
 */
export function addCaller(): (request: PlainRequest) => Promise<Response> {
  const bySession = choice('session', 'The session of this browser');
  const byKey = choice('key', 'An API key, which this page forgets when it is closed');
  const byNobody = choice('nobody', 'Anonymous');
  const email = make('input', { type: 'text', id: 'caller-email', autocomplete: 'off', spellcheck: false });
  const key = make('input', { type: 'password', id: 'caller-secret', autocomplete: 'off' });
  const keyFields = make(
    'div',
    { className: 'fields' },
    make('label', { htmlFor: email.id, textContent: 'E-mail address' }),
    email,
    make('label', { htmlFor: key.id, textContent: 'API key' }),
    key,
  );
  const legend = make('legend', { textContent: 'Who makes the calls that you try' });
  const fields = make(
    'fieldset',
    { className: 'who' },
    legend,
    bySession.line,
    byKey.line,
    keyFields,
    byNobody.line,
  );
  const update = () => {
    keyFields.hidden = !byKey.radio.checked;
  };
  fields.addEventListener('change', update);
  byNobody.radio.checked = true;
  bySession.radio.disabled = true;
  update();
  existing('#try').append(fields);

  let csrfToken = '';
  const offerSession = async () => {
    const session = (await (await fetch('/api/docs/session')).json()) as PageSession;
    if (session.name === null || session.csrf_token === null) {
      const signIn = make('a', { href: '/login/?next=/api/docs', textContent: 'Sign in' });
      bySession.label.append(': sign in first, under ', signIn);
      return;
    }
    csrfToken = session.csrf_token;
    bySession.label.append(`: ${session.name}`);
    bySession.radio.disabled = false;
    bySession.radio.checked = true;
    update();
  };
  // Without a response, the other two choices remain.
  offerSession().catch(() => undefined);

  return ({ url, method, headers, body }) => {
    const options: RequestInit = { method, body, credentials: 'omit', redirect: 'manual', cache: 'no-store' };
    if (bySession.radio.checked) {
      return fetch(url.replace(/^\/api\/v1\//, '/json/').replace(/^\/api\//, '/json/companion/'), {
        ...options,
        credentials: 'same-origin',
        headers: { ...headers, 'X-CSRFToken': csrfToken },
      });
    }
    if (!byKey.radio.checked) return fetch(url, { ...options, headers });
    const bytes = new TextEncoder().encode(`${email.value}:${key.value}`);
    const credentials = btoa(String.fromCharCode(...bytes));
    return fetch(url, { ...options, headers: { ...headers, Authorization: `Basic ${credentials}` } });
  };
}

function choice(value: string, text: string) {
  const radio = make('input', { type: 'radio', name: 'caller', value, id: `caller-${value}` });
  const label = make('label', { htmlFor: radio.id }, text);
  return { radio, label, line: make('p', {}, radio, ' ', label) };
}
