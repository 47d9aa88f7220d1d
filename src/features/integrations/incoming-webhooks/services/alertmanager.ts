import { addTo } from '../../../../platform/collections';
import type { Integration, IntegrationCall, IntegrationPost } from '../reading/integration';
import type { Payload } from '../reading/payload';
import { bulletsOf, link, safe, type SafeText } from '../reading/safe-text';

/** A label, or else an annotation. */
function valueOf(alert: Payload, name: string): string | null {
  for (const texts of [alert.at('labels'), alert.at('annotations')]) {
    const text = texts.memberText(name);
    if (text !== null) return text;
  }
  return null;
}

function lineOf(alert: Payload, about: string): SafeText {
  const text = valueOf(alert, about) ?? `(no ${about})`;
  // Of the two views that Prometheus has of an expression, the graph says more.
  const source = alert.textOr('generatorURL', '').replace('tab=1', 'tab=0');
  return source === '' ? safe`${text}` : safe`${text} (${link('source', source)})`;
}

function postFor(topic: string, status: string, alerts: readonly Payload[], about: string): IntegrationPost {
  const mark = status === 'resolved' ? safe`:squared_ok: **Resolved**` : safe`:alert: **FIRING**`;
  const line = (alert: Payload) => lineOf(alert, about);
  return {
    event: null,
    topic,
    get content() {
      const [only] = alerts;
      if (alerts.length === 1 && only) return safe`${mark} ${line(only)}`;
      return safe`${mark}\n${bulletsOf(alerts, line)}`;
    },
  };
}

function read(call: IntegrationCall): IntegrationPost[] {
  const { payload } = call;
  if (!Array.isArray(payload.at('alerts').value)) payload.refuse('alerts');
  const [name, about] = [call.option('name') ?? 'instance', call.option('desc') ?? 'alertname'];
  const topics = new Map<string, Payload[]>();
  for (const alert of payload.list('alerts')) addTo(topics, valueOf(alert, name) ?? '(unknown)', alert);
  return [...topics].flatMap(([topic, alerts]) =>
    ['firing', 'resolved'].flatMap((status) => {
      const same = alerts.filter((alert) => alert.is('status', 'resolved') === (status === 'resolved'));
      return same.length === 0 ? [] : [postFor(topic, status, same, about)];
    }),
  );
}

/** Alertmanager, which sends what Prometheus notices. */
export const ALERTMANAGER: Integration = {
  name: 'alertmanager',
  displayName: 'Alertmanager',
  about: 'Firing and resolved Prometheus alerts, one message per instance.',
  events: null,
  options: [
    { name: 'name', about: 'Label or annotation to group alerts by; `instance` by default.' },
    { name: 'desc', about: 'Label or annotation that describes an alert; `alertname` by default.' },
  ],
  read,
};
