import { addTo } from '../../../platform/collections';
import type { Integration, IntegrationCall, IntegrationPost } from '../reading/integration';
import type { Payload } from '../reading/payload';
import { bullets, link, safe, type SafeText } from '../reading/safe-text';

/** A label, or else an annotation. */
function valueOf(alert: Payload, name: string): string | null {
  for (const [key, value] of [...alert.texts('labels'), ...alert.texts('annotations')]) {
    if (key === name) return value;
  }
  return null;
}

function lineOf(alert: Payload, about: string): SafeText {
  const text = valueOf(alert, about) ?? `(no ${about})`;
  // Of the two views that Prometheus has of an expression, the graph says more.
  const source = alert.textOr('generatorURL', '').replace('tab=1', 'tab=0');
  return source === '' ? safe`${text}` : safe`${text} (${link('source', source)})`;
}

function postFor(topic: string, status: string, lines: readonly SafeText[]): IntegrationPost {
  const mark = status === 'resolved' ? safe`:squared_ok: **Resolved**` : safe`:alert: **FIRING**`;
  const [only] = lines;
  const content = lines.length === 1 && only ? safe`${mark} ${only}` : safe`${mark}\n${bullets(lines)}`;
  return { event: null, topic, content };
}

function read(call: IntegrationCall): IntegrationPost[] {
  const { payload } = call;
  if (!Array.isArray(payload.at('alerts').value)) payload.refuse('alerts');
  const [name, about] = [call.option('name') ?? 'instance', call.option('desc') ?? 'alertname'];
  const groups = new Map<string, SafeText[]>();
  for (const alert of payload.list('alerts')) {
    const topic = valueOf(alert, name) ?? '(unknown)';
    const status = alert.is('status', 'resolved') ? 'resolved' : 'firing';
    addTo(groups, `${status} ${topic}`, lineOf(alert, about));
  }
  return [...groups].map(([key, lines]) => {
    const [status = ''] = key.split(' ', 1);
    return postFor(key.slice(status.length + 1), status, lines);
  });
}

/** Alertmanager, which sends what Prometheus notices. */
export const ALERTMANAGER: Integration = {
  name: 'alertmanager',
  displayName: 'Alertmanager',
  about: 'Alerts of Prometheus that fire and are resolved: one message for each instance.',
  events: null,
  options: [
    { name: 'name', about: 'Label or annotation that alerts are put together by; `instance` if left out.' },
    { name: 'desc', about: 'Label or annotation that says what an alert is; `alertname` if left out.' },
  ],
  read,
};
