import type { Integration, IntegrationPost } from '../reading/integration';
import type { Payload } from '../reading/payload';
import { bold, joined, link, safe, quoted } from '../reading/safe-text';

/** The incident or component, and the status of the whole page. */
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

/** Statuspage, by Atlassian, and the status pages of others that send the same. */
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
