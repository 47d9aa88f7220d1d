import { addTo } from '../../../../platform/collections';
import type { Integration, IntegrationCall, IntegrationPost } from '../reading/integration';
import type { Payload } from '../reading/payload';
import {
  bold,
  bulletsOf,
  code,
  joined,
  link,
  moment,
  NOTHING,
  quoted,
  safe,
  type SafeText,
} from '../reading/safe-text';

/** Value of a label, or else of an annotation. */
function valueOf(alert: Payload, name: string): string | null {
  for (const texts of [alert.at('labels'), alert.at('annotations')]) {
    const text = texts.memberText(name);
    if (text !== null) return text;
  }
  return null;
}

function lineOf(alert: Payload, about: string): SafeText {
  const text = valueOf(alert, about) ?? `(no ${about})`;
  // Links the graph of the expression instead of Prometheus' table view.
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

/** Alertmanager, which sends the alerts of Prometheus. */
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

/** Grafana's end time of an alert that is still firing. */
const NOT_ENDED = '0001-01-01T00:00:00Z';

function facts(name: string, pairs: readonly (readonly [string, string])[]): SafeText {
  if (pairs.length === 0) return NOTHING;
  return safe`${name}:\n${bulletsOf(pairs, ([key, value]) => safe`${key}: ${value}`)}`;
}

function alertPost(alert: Payload): IntegrationPost {
  const status = alert.text('status');
  const name = alert.textOr('labels.alertname', '');
  return {
    event: status === 'resolved' ? 'resolved' : 'firing',
    topic: name === '' ? `[${alert.textOr('fingerprint', 'alert')}]` : `[${name}]`,
    get content() {
      return alertContent(alert, status, name);
    },
  };
}

function alertContent(alert: Payload, status: string, name: string): SafeText {
  const mark =
    status === 'resolved' ? safe`:checkbox: **RESOLVED**` : safe`:alert: ${bold(status.toUpperCase())}`;
  const [start, end] = [alert.textOr('startsAt', ''), alert.textOr('endsAt', NOT_ENDED)];
  const values = alert.texts('values');
  const links = [
    ['Source', 'generatorURL'],
    ['Silence', 'silenceURL'],
    ['Dashboard', 'dashboardURL'],
    ['Panel', 'panelURL'],
    ['Image', 'imageURL'],
  ] as const;
  return joined(
    [
      mark,
      bold(name),
      start === '' ? NOTHING : safe`This alert was fired at ${moment(start)}.`,
      end === NOT_ENDED ? NOTHING : safe`This alert was resolved at ${moment(end)}.`,
      facts('Labels', alert.texts('labels')),
      values.length > 0 ? facts('Values', values) : code(alert.textOr('valueString', '')),
      facts('Annotations', alert.texts('annotations')),
      joined(
        links
          .filter(([, key]) => alert.textOr(key, '') !== '')
          .map(([label, key]) => link(label, alert.text(key))),
        ' · ',
      ),
    ],
    '\n\n',
  );
}

/** Markers for the states of older releases. */
const MARKS: Readonly<Record<string, SafeText>> = {
  alerting: safe`:alert: **ALERTING**`,
  ok: safe`:squared_ok: **OK**`,
};

/** Reads the format of Grafana 7, and of legacy alerts in Grafana 8. */
function legacyPost(payload: Payload): IntegrationPost {
  const state = payload.text('state');
  const mark = Object.hasOwn(MARKS, state) ? MARKS[state]! : safe`:info: ${bold(state.toUpperCase())}`;
  const matches = payload.list('evalMatches');
  const content = joined(
    [
      mark,
      link(payload.firstText('ruleName', 'title'), payload.textOr('ruleUrl', '')),
      safe`${payload.textOr('message', '')}`,
      matches.length === 0
        ? NOTHING
        : bulletsOf(matches, (match) => safe`${match.text('metric')}: ${match.textOr('value', 'none')}`),
      payload.has('imageUrl') ? link('Picture', payload.text('imageUrl')) : NOTHING,
    ],
    '\n\n',
  );
  return { event: state, topic: payload.text('title'), content };
}

/** Grafana: alerting since release 8, with one message per alert, and legacy alerting. */
export const GRAFANA: Integration = {
  name: 'grafana',
  displayName: 'Grafana',
  about: 'Firing and resolved alerts.',
  events: ['firing', 'resolved', 'alerting', 'ok', 'pending', 'paused', 'no_data', 'unknown'],
  read: ({ payload }) =>
    Array.isArray(payload.at('alerts').value) ? payload.list('alerts').map(alertPost) : legacyPost(payload),
};

/** UptimeRobot, whose alert contacts send variables as JSON or as a form. */
export const UPTIME_ROBOT: Integration = {
  name: 'uptimerobot',
  displayName: 'UptimeRobot',
  about: 'Monitors going down and up.',
  events: ['up', 'down'],
  takesForm: true,
  read({ payload }): IntegrationPost {
    const type = payload.text('alert_type_friendly_name');
    const name = payload.text('monitor_friendly_name');
    const address = payload.textOr('monitor_url', '');
    // The URL often has no scheme, so `link` shows it as text.
    const monitor = address === '' ? safe`${name}` : safe`${name} (${link(address, address)})`;
    const details = payload.textOr('alert_details', 'no details');
    if (type === 'Down')
      return { event: 'down', topic: name, content: safe`:alert: ${monitor} is DOWN (${details}).` };
    if (type !== 'Up') payload.refuse('alert_type_friendly_name');
    const duration = payload.textOr('alert_friendly_duration', '');
    const since = duration === '' ? safe`` : safe`\nIt was down for ${duration}.`;
    return {
      event: 'up',
      topic: name,
      content: safe`:squared_ok: ${monitor} is back UP (${details}).${since}`,
    };
  },
};

/** The name of the incident or component, with the status of the page. */
function topicOf(payload: Payload, name: string): string {
  const page = payload.textOr('page.status_description', '');
  return page === '' ? name : `${name}: ${page}`;
}

function incident(payload: Payload): IntegrationPost {
  const incident = payload.object('incident');
  const name = incident.text('name');
  const named = link(name, incident.textOr('shortlink', ''));
  const [newest] = incident.list('incident_updates');
  const [status, impact] = [incident.text('status'), incident.textOr('impact', 'unknown')];
  const head = safe`${named}: the incident is now ${bold(status)}, its impact ${bold(impact)}.`;
  return {
    event: 'incident',
    topic: topicOf(payload, name),
    content: joined([head, quoted(newest?.textOr('body', '') ?? '')], '\n\n'),
  };
}

function component(payload: Payload): IntegrationPost {
  const name = payload.text('component.name');
  const [before, now] = [
    payload.textOr('component_update.old_status', ''),
    payload.text('component_update.new_status'),
  ];
  const from = before === '' ? safe`` : safe` from ${bold(before)}`;
  return {
    event: 'component',
    topic: topicOf(payload, name),
    content: safe`${bold(name)} went${from} to ${bold(now)}.`,
  };
}

/** Statuspage by Atlassian, and other status pages with the same payloads. */
export const STATUSPAGE: Integration = {
  name: 'statuspage',
  displayName: 'Statuspage',
  about: 'State changes of incidents and components.',
  events: ['incident', 'component'],
  read({ payload }) {
    if (payload.has('incident')) return incident(payload);
    return component(payload);
  },
};
