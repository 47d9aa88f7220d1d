import type { Integration, IntegrationPost } from '../reading/integration';
import type { Payload } from '../reading/payload';
import { bold, joined, link, safe, quoted } from '../reading/safe-text';

/** A state as people write it. */
const words = (state: string) => state.replaceAll('_', ' ');

function incident(incident: Payload): IntegrationPost {
  const name = incident.text('name');
  const named = link(name, incident.textOr('shortlink', ''));
  const [newest] = incident.list('incident_updates');
  const status = words(incident.text('status'));
  const impact = words(incident.textOr('impact', 'unknown'));
  const head = safe`${named}: the incident is now ${bold(status)}, its impact ${bold(impact)}.`;
  return {
    event: 'incident',
    topic: name,
    content: joined([head, quoted(newest?.textOr('body', '') ?? '')], '\n\n'),
  };
}

function component(payload: Payload): IntegrationPost {
  const name = payload.text('component.name');
  const [before, now] = [
    payload.textOr('component_update.old_status', ''),
    payload.text('component_update.new_status'),
  ];
  const from = before === '' ? safe`` : safe` from ${bold(words(before))}`;
  return {
    event: 'component',
    topic: name,
    content: safe`${bold(name)} went${from} to ${bold(words(now))}.`,
  };
}

/** Statuspage, by Atlassian, and the status pages of others that send the same. */
export const STATUSPAGE: Integration = {
  name: 'statuspage',
  displayName: 'Statuspage',
  about: 'Incidents and components of a status page whose state changes.',
  events: ['incident', 'component'],
  read({ payload }) {
    if (payload.has('incident')) return incident(payload.object('incident'));
    return component(payload);
  },
};
