import { browserOf, FROM_OWN_PAGE } from '../support/browser-client';
import { PASSWORD } from '../support/cast';
import { TestApp } from '../support/test-app';

const OTHER = 'https://evil.example';
const OWN = 'http://chat.example.com';
const EXPECTED = {
  done: { status: 200, body: { result: 'success' } },
  forged: { status: 403, body: { result: 'error', code: 'CSRF_FAILED' } },
  unknown: { status: 401, body: { result: 'error', code: 'UNAUTHORIZED' } },
  'not found': { status: 404 },
  refused: { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } },
  // Companion interface.
  'done there': { status: 200, body: { ended: expect.any(Number) } },
  'refused there': {
    status: 400,
    body: { detail: expect.stringContaining('Paths under /json require a session cookie') },
  },
  'forged there': { status: 403, body: { detail: expect.stringContaining('CSRF error') } },
  'no business': {
    status: 403,
    body: { detail: 'This endpoint is not available to browser sessions. Use an API key under /api.' },
  },
  // Pages.
  'led on': { status: 302 },
  'forged page': {
    status: 403,
    body: expect.stringContaining('This form was not sent from a page of this server.'),
  },
} as const;

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

/** What a browser with Mia's session is made to send, and what comes of it. `TOKEN` stands for that of the session. */
const REQUESTS: readonly (readonly [
  what: string,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  headers: Readonly<Record<string, string>>,
  outcome: keyof typeof EXPECTED,
  form?: string,
])[] = [
  ['reads without a token', 'GET', '/json/users/me', {}, 'done'],
  ['reads for another site, which gets nothing of it', 'GET', '/json/users/me', { origin: OTHER }, 'done'],
  ['changes with the token', 'POST', '/json/mark_all_as_read', { 'x-csrftoken': 'TOKEN' }, 'done'],
  [
    'changes as a page does',
    'POST',
    '/json/mark_all_as_read',
    { ...FROM_OWN_PAGE, 'x-csrftoken': 'TOKEN' },
    'done',
  ],
  ['has the token in the form', 'POST', '/json/mark_all_as_read', {}, 'done', 'csrfmiddlewaretoken=TOKEN'],
  ['has the token in the query', 'POST', '/json/mark_all_as_read?csrfmiddlewaretoken=TOKEN', {}, 'forged'],
  [
    'has the token in the query and a form',
    'POST',
    '/json/mark_all_as_read?csrfmiddlewaretoken=TOKEN',
    FROM_OWN_PAGE,
    'forged',
    'other=1',
  ],
  [
    'signs out with the token in the query',
    'POST',
    '/accounts/logout/?csrfmiddlewaretoken=TOKEN',
    FROM_OWN_PAGE,
    'forged page',
  ],
  [
    'is typed, not followed',
    'POST',
    '/json/mark_all_as_read',
    { 'sec-fetch-site': 'none', 'x-csrftoken': 'TOKEN' },
    'done',
  ],
  ['has no token', 'POST', '/json/mark_all_as_read', FROM_OWN_PAGE, 'forged'],
  ['has an empty token', 'POST', '/json/mark_all_as_read', { 'x-csrftoken': '' }, 'forged'],
  ['has another token', 'POST', '/json/mark_all_as_read', { 'x-csrftoken': 'a'.repeat(24) }, 'forged'],
  ['has part of the token', 'POST', '/json/mark_all_as_read', { 'x-csrftoken': 'TOKENx' }, 'forged'],
  ['changes by PATCH', 'PATCH', '/json/settings', FROM_OWN_PAGE, 'forged', 'full_name=Forged'],
  [
    'changes by a form that says PATCH',
    'POST',
    '/json/settings',
    FROM_OWN_PAGE,
    'forged',
    'method=PATCH&full_name=Forged',
  ],
  ['deletes', 'DELETE', '/json/users/me/avatar', FROM_OWN_PAGE, 'forged'],
  [
    'comes from another site',
    'POST',
    '/json/mark_all_as_read',
    { 'sec-fetch-site': 'cross-site', 'x-csrftoken': 'TOKEN' },
    'forged',
  ],
  [
    'comes from a neighbour',
    'POST',
    '/json/mark_all_as_read',
    { 'sec-fetch-site': 'same-site', 'x-csrftoken': 'TOKEN' },
    'forged',
  ],
  [
    'has another origin',
    'POST',
    '/json/mark_all_as_read',
    { origin: OTHER, 'x-csrftoken': 'TOKEN' },
    'forged',
  ],
  [
    'has an origin that is a secret',
    'POST',
    '/json/mark_all_as_read',
    { origin: 'null', 'x-csrftoken': 'TOKEN' },
    'forged',
  ],
  [
    'has an origin with our name in it',
    'POST',
    '/json/mark_all_as_read',
    { origin: `${OWN}.evil.example`, 'x-csrftoken': 'TOKEN' },
    'forged',
  ],
  [
    'has another port as origin',
    'POST',
    '/json/mark_all_as_read',
    { origin: `${OWN}:8080`, 'x-csrftoken': 'TOKEN' },
    'forged',
  ],
  [
    'has an origin that is none',
    'POST',
    '/json/mark_all_as_read',
    { origin: 'chat.example.com', 'x-csrftoken': 'TOKEN' },
    'forged',
  ],
  [
    'brings other credentials along',
    'GET',
    '/json/users/me',
    { authorization: 'Basic bWlhOmtleQ==' },
    'refused',
  ],
  [
    'brings a token along',
    'GET',
    '/json/companion/auth/me',
    { authorization: 'Bearer abc' },
    'refused there',
  ],
  ['has no door: the interface itself', 'GET', '/api/v1/users/me', {}, 'unknown'],
  [
    'has no door: the interface itself, changing',
    'POST',
    '/api/v1/mark_all_as_read',
    { 'x-csrftoken': 'TOKEN' },
    'unknown',
  ],
  ['has no door: two slashes', 'GET', '//json/users/me', {}, 'not found'],
  ['has no door: large letters', 'GET', '/JSON/users/me', {}, 'not found'],
  ['has no door: an escape', 'GET', '/%6ason/users/me', {}, 'not found'],
  ['has no door: no slash', 'GET', '/json', {}, 'not found'],
  [
    'makes a key with nothing but the session',
    'POST',
    '/json/fetch_api_key',
    { 'x-csrftoken': 'TOKEN' },
    'refused',
    'password=guessed',
  ],
  [
    'is for the companion interface',
    'DELETE',
    '/json/companion/auth/sessions',
    { 'x-csrftoken': 'TOKEN' },
    'done there',
  ],
  ['is forged for the companion interface', 'DELETE', '/json/companion/auth/sessions', {}, 'forged there'],
  [
    'asks for a token of the companion interface',
    'POST',
    '/json/companion/auth/login',
    { 'x-csrftoken': 'TOKEN' },
    'no business',
  ],
  ['signs out without a token', 'POST', '/accounts/logout/', FROM_OWN_PAGE, 'forged page'],
  [
    'signs out for another site',
    'POST',
    '/accounts/logout/',
    { origin: OTHER },
    'forged page',
    'csrfmiddlewaretoken=TOKEN',
  ],
  [
    'signs in as somebody else for another site',
    'POST',
    '/login/',
    { origin: OTHER },
    'forged page',
    `username=max@example.com&password=${PASSWORD}`,
  ],
  [
    'signs in and does not say for whom',
    'POST',
    '/login/',
    {},
    'forged page',
    `username=max@example.com&password=${PASSWORD}`,
  ],
];

const table = REQUESTS.map(([what, method, url, headers, outcome, form]) => ({
  what,
  method,
  url,
  headers,
  outcome,
  form,
}));

describe('A request that a browser with a session sends', () => {
  it.each(table)('$what: $method $url: $outcome', async ({ method, url, headers, outcome, form }) => {
    const browser = await browserOf(app, app.cast.mia);
    const token = await browser.csrfToken();
    const fill = (text: string) => text.replaceAll('TOKEN', token);
    const answer = await browser.send({
      method,
      url: fill(url),
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)])),
      form: form === undefined ? undefined : fill(form),
    });
    expect(answer).toMatchObject(EXPECTED[outcome]);
    expect(await browser.whoAmI()).toBe(app.cast.mia.id);
  });
});
