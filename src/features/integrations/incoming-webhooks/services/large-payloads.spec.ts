import { IntegrationCall, type IntegrationPost } from '../reading/integration';
import { Payload } from '../reading/payload';
import { INTEGRATIONS } from '.';

const bot = { id: 1, fullName: 'Bot', email: 'bot@example.com' };
const request = { header: () => null, parameter: () => null };

function read(service: string, payload: unknown): readonly IntegrationPost[] {
  const integration = INTEGRATIONS.find(({ name }) => name === service)!;
  const { displayName } = integration;
  const call = new IntegrationCall(displayName, new Payload(payload, displayName), request, bot, false);
  return [integration.read(call) ?? []].flat();
}

const listOf = <Item>(length: number, item: Item) => Array.from({ length }, () => item);
const contentOf = ([post]: readonly IntegrationPost[]) => post!.content.source;

afterEach(() => jest.restoreAllMocks());

describe('Of a large payload', () => {
  it.each([
    ['a list', listOf(100_000, 1)],
    ['long texts', listOf(400, '*'.repeat(9_000))],
    ['lists in lists', listOf(20_000, [[[[1]]]])],
    ['an object', Object.fromEntries(listOf(30_000, 0).map((_, at) => [`key ${at}`, { at }]))],
  ])('no more of %s is written as JSON than is shown', (_what, payload) => {
    const whole = JSON.stringify(payload, null, 2);
    const written = jest.spyOn(JSON, 'stringify');
    const content = contentOf(read('json', payload));
    expect(content.length).toBeGreaterThan(8_900);
    expect(content).toBe(`\`\`\`json\n${whole.slice(0, 8_999)}…\n\`\`\``);
    for (const { value } of written.mock.results) expect((value as string).length).toBeLessThan(400_000);
  });

  it.each([
    ['grafana', { alerts: listOf(1_000, { status: 'x', labels: { alertname: 'hot' } }) }],
    [
      'pagerduty',
      { messages: listOf(1_000, { event: 'incident.trigger', incident: { incident_number: 1 } }) },
    ],
    ['alertmanager', { alerts: listOf(1_000, 0).map((_, at) => ({ labels: { instance: `${at}` } })) }],
  ])('%s writes only what is sent', (service, payload) => {
    const looked = jest.spyOn(Payload.prototype, 'textOr');
    const posts = read(service, payload);
    expect(posts).toHaveLength(1_000);
    const before = looked.mock.calls.length;
    expect(before).toBeLessThanOrEqual(2_000);
    expect(posts.at(-1)!.content.source).not.toBe('');
    expect(looked.mock.calls.length).toBeGreaterThan(before);
  });

  it('only the innermost frames of an exception are looked at', () => {
    const frame = { filename: 'soup.py', in_app: false };
    const values = listOf(100, { stacktrace: { frames: listOf(500, frame) } });
    const looked = jest.spyOn(Payload.prototype, 'has');
    const data = { event: { title: 'hot', web_url: 'https://a.example', exception: { values } } };
    expect(contentOf(read('sentry', { action: 'triggered', data }))).toContain('soup.py');
    expect(looked.mock.calls.length).toBeLessThan(3_000);
  });

  it.each([
    [
      'fields',
      { blocks: listOf(50, { type: 'section', fields: listOf(100, { text: 'soup '.repeat(100) }) }) },
    ],
    ['attachments', { attachments: listOf(100, { text: 'soup '.repeat(3_000) }) }],
    [
      'rich text',
      {
        blocks: listOf(50, {
          type: 'rich_text',
          elements: listOf(50, {
            type: 'rich_text_section',
            elements: listOf(40, { text: 'soup '.repeat(20) }),
          }),
        }),
      },
    ],
  ])('no more %s of Slack are written than a message holds', (_what, payload) => {
    const content = contentOf(read('slack_incoming', payload));
    expect(content.length).toBeGreaterThan(10_000);
    expect(content.length).toBeLessThan(100_000);
  });
});
