import { redact, redactText } from './logger-options';

describe('redaction', () => {
  it('masks secrets by name, in any spelling and at any depth', () => {
    const entry = {
      Authorization: 'Basic abc',
      api_key: 'k',
      apiKey: 'k',
      newApiKey: 'k',
      password: 'p',
      new_password: 'p',
      oldPassword: 'p',
      passwordHash: 'p',
      key_nonce: 'n',
      SECRET_KEY: 's',
      token: 't',
      body: { headers: { cookie: 'c' }, list: [{ secret: 's' }] },
    };
    expect(JSON.stringify(redact(entry))).not.toMatch(/"[a-z]"|Basic/);
  });

  it('leaves everything else unchanged', () => {
    const entry = {
      path: '/api/v1/users/me',
      status: 200,
      userId: 7,
      tokens: 3,
      nothing: null,
      list: [1, 'a'],
    };
    expect(redact(entry)).toEqual(entry);
  });

  it.each([
    ['Authorization: Basic aWFnbzpzZWNyZXQ=', 'Authorization: Basic [secret]'],
    ['bearer abc.def-ghi_jkl', 'bearer [secret]'],
    ['GET /x?a=1&api_key=abc&b=2', 'GET /x?a=1&api_key=[secret]&b=2'],
    ['new_password=hunter2', 'new_password=[secret]'],
    ['connect postgres://parley:p@w@localhost/parley', 'connect postgres://[secret]@localhost/parley'],
    ['/user_uploads/temporary/bG9uZw.c2ln/a.png', '/user_uploads/temporary/[secret]/a.png'],
    ['//user_uploads//temporary//bG9uZw.c2ln', '//user_uploads//temporary//[secret]'],
    ['/join/abcd2345/', '/join/[secret]/'],
    ['POST //accounts//do_confirm//abcd2345', 'POST //accounts//do_confirm//[secret]'],
    ['https://x.org/accounts/password/reset/5.17.ab', 'https://x.org/accounts/password/reset/[secret]'],
    ['/accounts/password/reset/', '/accounts/password/reset/'],
    ['/login/first?code=1-1700001800-abcd2345', '/login/first?code=[secret]'],
    ['csrfmiddlewaretoken=abcd2345&a=1', 'csrfmiddlewaretoken=[secret]&a=1'],
    ['parley_9991=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI1In0.c2ln-_; a=1', 'parley_9991=[secret]; a=1'],
    ['/user_uploads/1/ab/temporary/a.png', '/user_uploads/1/ab/temporary/a.png'],
    [`/api/v1/fetch_api_key/${'a1B2'.repeat(8)}`, '/api/v1/fetch_api_key/[secret]'],
    [`/messages;key=${'a1B2'.repeat(8)}/x`, '/messages;key=[secret]/x'],
    ['/me/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI1In0.c2ln-_', '/me/[secret]'],
    [`/avatar/${'0a1b'.repeat(8)}`, `/avatar/${'0a1b'.repeat(8)}`],
    [`/uploads/${'a1B2'.repeat(9)}`, `/uploads/${'a1B2'.repeat(9)}`],
    ['a basic idea', 'a basic idea'],
    ['see https://example.com/a@b', 'see https://example.com/a@b'],
  ])('masks %j inside a text', (text, expected) => {
    expect(redactText(text)).toBe(expected);
    expect(redact({ text })).toEqual({ text: expected });
  });

  it('describes an error without the properties that drivers add', () => {
    const cause = Object.assign(new Error('duplicate'), { detail: 'Key (email)=(a@b.c)', code: '23505' });
    const error = Object.assign(new Error('failed at redis://:pw@host', { cause }), {
      query: 'UPDATE account SET password_hash = ?',
      parameters: ['hash'],
      driverError: { password: 'pw' },
    });
    const { err } = redact({ err: error }) as { err: Record<string, unknown> };
    expect(err).toMatchObject({
      type: 'Error',
      message: 'failed at redis://[secret]@host',
      query: 'UPDATE account SET password_hash = ?',
      cause: { message: 'duplicate', code: '23505' },
    });
    expect(JSON.stringify(err)).not.toMatch(/hash"]|:pw|a@b/);
  });

  it('copes with circular objects', () => {
    const loop: Record<string, unknown> = { name: 'loop' };
    loop.self = loop;
    expect(JSON.stringify(redact(loop))).toContain('[...]');
  });
});
