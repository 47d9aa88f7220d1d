/** A request to measure. */
export interface Call {
  readonly name: string;
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Under `/api/v1`, unless it begins with `/api/`. */
  readonly path: string;
  readonly form?: Readonly<Record<string, unknown>>;
  readonly body?: { readonly type: string; readonly bytes: Buffer };
  /** Requests to send before each measurement, unmeasured. */
  readonly before?: readonly Call[];
}

/** Repeats a text up to a length. */
export const filled = (unit: string, length = 10_000) => unit.repeat(length / unit.length);

const listOf = <Item>(length: number, item: (at: number) => Item) =>
  Array.from({ length }, (_, at) => item(at));

/** Expensive contents of messages, drafts and invitations, each as large as accepted. */
export function dearContent(): Call[] {
  const send = (what: string, content: string): Call => ({
    name: `send ${what}`,
    path: '/messages',
    form: { type: 'channel', to: 'channel 1', topic: 'dear', content },
  });
  const draft = { type: 'stream', to: [1], topic: 'x'.repeat(60), content: 'y'.repeat(1_900), timestamp: 1 };
  const synchronize = (enabled: boolean): Call => ({
    name: '',
    method: 'PATCH',
    path: '/settings',
    form: { enable_drafts_synchronization: enabled },
  });
  const addresses = listOf(500, (at) => `person${at}@`).join();
  return [
    send('formulas', filled('$$x$$\n')),
    send('different formulas', listOf(1_000, (at) => `$$x_${at}$$`).join('\n')),
    send('points and commas in an address', `http://a${filled('.,', 9_980)}x`),
    send('addresses behind backslashes', filled('\\https://a.b', 9_900)),
    send('points and commas', filled('.,')),
    send('strikethrough and emphasis', filled('~*')),
    {
      name: '500 drafts',
      path: '/drafts',
      form: { drafts: listOf(500, () => draft) },
      before: [synchronize(false), synchronize(true)],
    },
    {
      name: 'commas of an invitation',
      path: '/invites',
      form: { invitee_emails: filled('a,', 200_000), stream_ids: [] },
    },
    {
      name: '500 invalid addresses',
      path: '/invites',
      form: { invitee_emails: addresses, stream_ids: [] },
    },
  ];
}

/** Payloads of services, each as large as accepted. */
export function dearWebhooks(apiKey: string): Call[] {
  const hook = (service: string, what: string, payload: unknown): Call => ({
    name: `${service}: ${what}`,
    path: `/external/${service}?api_key=${apiKey}&stream=channel%201`,
    body: { type: 'application/json', bytes: Buffer.from(JSON.stringify(payload)) },
  });
  const keys = Object.fromEntries(listOf(100, (at) => [`k${at}`, '*'.repeat(20)]));
  const incident = (assignments: number) => ({
    event: 'incident.trigger',
    incident: {
      incident_number: 1,
      title: '>\n'.repeat(1_100),
      assignments: listOf(assignments, () => ({ assignee: { summary: '*', html_url: 'https://a.example' } })),
    },
  });
  return [
    hook(
      'json',
      'short items',
      listOf(118_000, () => 1),
    ),
    hook(
      'json',
      'long texts',
      listOf(400, () => '\n'.repeat(4_500)),
    ),
    hook(
      'json',
      'nested lists',
      listOf(3_900, () => JSON.parse(`${'['.repeat(28)}1${']'.repeat(28)}`) as unknown),
    ),
    hook('pagerduty', 'incidents', { messages: listOf(1_000, () => incident(1)) }),
    hook('pagerduty', 'assignments', { messages: listOf(20, () => incident(1_000)) }),
    hook('grafana', 'alerts', { alerts: listOf(1_000, () => ({ status: 'x', labels: keys })) }),
    hook('grafana', 'labels', {
      alerts: listOf(100, () => ({
        status: 'x',
        labels: Object.fromEntries(listOf(1_000, (at) => [at, 'x'])),
      })),
    }),
    hook('alertmanager', 'alerts', {
      alerts: listOf(1_000, (at) => ({ labels: { ...keys, instance: `${at}` } })),
    }),
    hook('slack_incoming', 'texts', {
      attachments: listOf(100, () => ({ text: '*a* _b_ <https://a|b>'.repeat(900) })),
    }),
  ];
}
