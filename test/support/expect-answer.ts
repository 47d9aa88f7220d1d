import type { Answer } from './api-client';

/** Asserts a success without ignored parameters, except the given ones; returns the body. */
export function expectSuccess(answer: Answer, options: { ignored?: string[] } = {}): Answer['body'] {
  const { status, body } = answer;
  const isPlain = options.ignored === undefined && body.ignored_parameters_unsupported === undefined;
  // Like below, without the cost of `expect` for each of a hundred thousand answers.
  if (status === 200 && isPlain && body.result === 'success' && body.msg === '') return body;
  expect(answer.body).toMatchObject({ result: 'success', msg: '' });
  expect(answer.status).toBe(200);
  expect(answer.body.ignored_parameters_unsupported).toEqual(options.ignored);
  return answer.body;
}

/** Asserts a refusal with exactly this message, code (BAD_REQUEST), status (400) and these extra keys. */
export function expectError(
  answer: Answer,
  msg: string,
  options: { code?: string | null; status?: number; data?: Record<string, unknown> } = {},
): void {
  const code = options.code === undefined ? 'BAD_REQUEST' : options.code;
  expect(answer.body).toEqual({
    result: 'error',
    msg,
    ...(code === null ? {} : { code }),
    ...options.data,
  });
  expect(answer.status).toBe(options.status ?? 400);
}
