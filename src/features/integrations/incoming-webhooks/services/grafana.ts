import type { Integration, IntegrationPost } from '../reading/integration';
import type { Payload } from '../reading/payload';
import {
  bold,
  bulletsOf,
  code,
  joined,
  link,
  safe,
  moment,
  NOTHING,
  type SafeText,
} from '../reading/safe-text';

/** What Grafana gives as the end of what goes on. */
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

/** How states of older releases are marked. */
const MARKS: Readonly<Record<string, SafeText>> = {
  alerting: safe`:alert: **ALERTING**`,
  ok: safe`:squared_ok: **OK**`,
};

/** The form of Grafana 7, and of the legacy alerts of 8. */
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

/** Grafana: alerting of release 8 and later, one message for each alert, and that before it. */
export const GRAFANA: Integration = {
  name: 'grafana',
  displayName: 'Grafana',
  about: 'Firing and resolved alerts.',
  events: ['firing', 'resolved', 'alerting', 'ok', 'pending', 'paused', 'no_data', 'unknown'],
  read: ({ payload }) =>
    Array.isArray(payload.at('alerts').value) ? payload.list('alerts').map(alertPost) : legacyPost(payload),
};
