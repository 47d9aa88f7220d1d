import { ApiError } from '../../../../platform/errors/api-error';
import { ALERT_CASES } from '../../../../../test/support/webhooks/alert-cases';
import { FORGE_CASES } from '../../../../../test/support/webhooks/forge-cases';
import { GITHUB_CASES } from '../../../../../test/support/webhooks/github-cases';
import { OTHER_CASES } from '../../../../../test/support/webhooks/other-cases';
import type { ServiceCase } from '../../../../../test/support/webhooks/service-case';
import { IntegrationCall, type IntegrationPost } from '../reading/integration';
import { Payload } from '../reading/payload';
import { INTEGRATIONS } from '.';

const cases = [...GITHUB_CASES, ...FORGE_CASES, ...ALERT_CASES, ...OTHER_CASES];

/** Values that replace valid ones. */
const STRANGE: readonly unknown[] = [
  null,
  -7.5,
  true,
  '',
  'x'.repeat(30_000),
  '\ud800',
  '@**all** ```\n~~~',
  [],
  [[null]],
  {},
  { a: { b: [] }, text: 7 },
];

/** Yields every copy of a payload with one value replaced. */
function* spoiled(payload: unknown): Generator<unknown> {
  for (const strange of STRANGE) yield strange;
  if (typeof payload !== 'object' || payload === null) return;
  for (const [key, value] of Object.entries(payload as Record<string, unknown>)) {
    for (const other of spoiled(value)) {
      const copy = Array.isArray(payload) ? [...(payload as unknown[])] : { ...payload };
      (copy as Record<string, unknown>)[key] = other;
      yield copy;
    }
  }
}

/** Reads a case with another payload; empty if the integration refuses it, which is allowed. */
function read(
  { service, headers = {}, address = {} }: ServiceCase,
  payload: unknown,
): readonly IntegrationPost[] {
  const integration = INTEGRATIONS.find(({ name }) => name === service)!;
  const given = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const request = {
    header: (name: string) => given.get(name) ?? null,
    parameter: (name: string) => (typeof address[name] === 'string' ? address[name] : null),
  };
  const { displayName } = integration;
  const bot = { id: 1, fullName: 'Bot', email: 'bot@example.com' };
  const call = new IntegrationCall(displayName, new Payload(payload, displayName), request, bot, false);
  try {
    const posts = [integration.read(call) ?? []].flat();
    integration.answer?.(call);
    return posts;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return [];
    throw error;
  }
}

describe('Payloads that no service sends', () => {
  it.each(cases.filter(({ payload }) => typeof payload === 'object'))(
    'are refused, or told as far as they go: $service, $about',
    (each) => {
      for (const strange of spoiled(each.payload)) {
        for (const { topic, content } of read(each, strange)) {
          expect(topic.length).toBeLessThan(100_000);
          expect(content.source.length).toBeLessThan(150_000);
          expect(content.source).not.toMatch(/undefined|\[object|NaN/);
        }
      }
    },
  );
});
