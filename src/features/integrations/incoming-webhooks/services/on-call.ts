import { namesOf } from './git-text';
import type { Integration, IntegrationCall, IntegrationPost } from '../reading/integration';
import type { Payload } from '../reading/payload';
import {
  bold,
  bullets,
  code,
  joined,
  link,
  NOTHING,
  quoted,
  safe,
  type SafeText,
} from '../reading/safe-text';

/** Opsgenie's built-in actions; organizations can add others, which are also reported. */
const ACTIONS = [
  'Create',
  'Close',
  'Delete',
  'Acknowledge',
  'UnAcknowledge',
  'AddNote',
  'AddTags',
  'RemoveTags',
  'AddTeam',
  'AddRecipient',
  'TakeOwnership',
  'AssignOwnership',
  'Escalate',
  'EscalateNext',
  'Snooze',
  'SnoozeEnded',
  'UpdatePriority',
  'UpdateMessage',
  'UpdateDescription',
  'CustomAction',
];

/** Opsgenie, and alerts of Jira Service Management, which have the same payloads. */
export const OPSGENIE: Integration = {
  name: 'opsgenie',
  displayName: 'Opsgenie',
  about: 'Alerts that are created, acknowledged, assigned, escalated and closed.',
  events: ACTIONS,
  read({ payload }): IntegrationPost {
    const action = payload.text('action');
    const alert = payload.object('alert');
    const id = alert.textOr('alertId', '');
    const message = alert.textOr('message', '');
    const integration = payload.textOr('integrationName', '');
    const page = `https://app.opsgenie.com/alert/V2#/show/${encodeURIComponent(id)}`;
    const tags = alert.list('tags').flatMap(({ value }) => (typeof value === 'string' ? code(value) : []));
    const facts: [string, SafeText][] = [
      ['Note', shown(alert, 'note')],
      ['Recipient', shown(alert, 'recipient')],
      ['Added tags', shown(alert, 'addedTags')],
      ['Team', shown(alert, 'team')],
      ['Owner', shown(alert, 'owner')],
      ['Removed tags', shown(alert, 'removedTags')],
      ['Message', shown(alert, 'message')],
      ['Priority', shown(alert, 'priority')],
      ['Source', shown(alert, 'source')],
      ['Tags', joined(tags, ', ')],
      ['Escalation', shown(payload, 'escalationName')],
    ];
    const lines = facts
      .filter(([, value]) => !value.isEmpty)
      .map(([name, value]) => safe`${bold(name)}: ${value}`);
    const by = alert.textOr('username', '');
    const head = safe`${link(integration || 'Opsgenie', page)}: ${bold(action)}${by === '' ? safe`` : safe` by ${by}`}.`;
    const text = action === 'Create' ? alert.textOr('description', '') : '';
    return {
      event: action,
      topic: integration || message || id,
      content: joined([head, bullets(lines), quoted(text)], '\n\n'),
    };
  },
};

const shown = (holder: Payload, key: string) => safe`${holder.textOr(key, '')}`;

/** Verbs for events, by their names in all three versions of PagerDuty's webhooks. */
const WORDS: Readonly<Record<string, string>> = {
  'incident.trigger': 'triggered',
  'incident.triggered': 'triggered',
  'incident.acknowledge': 'acknowledged',
  'incident.acknowledged': 'acknowledged',
  'incident.unacknowledge': 'unacknowledged',
  'incident.unacknowledged': 'unacknowledged',
  'incident.resolve': 'resolved',
  'incident.resolved': 'resolved',
  'incident.reopened': 'reopened',
  'incident.assign': 'assigned',
  'incident.reassigned': 'reassigned',
  'incident.escalate': 'escalated',
  'incident.escalated': 'escalated',
  'incident.delegate': 'delegated',
  'incident.delegated': 'delegated',
};

/** Maximum people to name. */
const MAX_PEOPLE = 50;

interface Incident {
  readonly word: string;
  readonly named: SafeText;
  readonly service: SafeText;
  readonly assignees: readonly SafeText[];
  readonly who: SafeText;
  /** Text to quote. */
  readonly about: string;
}

function sentenceOf({ word, named, service, assignees, who }: Incident): SafeText {
  const people = assignees.length === 0 ? safe`nobody` : joined(assignees, ', ');
  if (word === 'triggered' || word === 'unacknowledged') {
    const by = service.isEmpty ? NOTHING : safe` by ${service}`;
    return safe`Incident ${named} ${word}${by} (assigned to ${people}).`;
  }
  if (word === 'assigned' || word === 'reassigned' || word === 'delegated')
    return safe`Incident ${named} ${word} to ${people}.`;
  // The person who acknowledges an incident becomes its assignee.
  const by = word === 'resolved' || assignees.length === 0 ? who : people;
  return safe`Incident ${named} ${word}${by.isEmpty ? NOTHING : safe` by ${by}`}.`;
}

function contentOf(incident: Incident): SafeText {
  return joined([sentenceOf(incident), quoted(incident.about)], '\n\n');
}

function wordFor(call: IntegrationCall, event: string): string {
  const word = Object.hasOwn(WORDS, event) ? WORDS[event] : undefined;
  if (word === undefined) throw call.unsupported(event);
  return word;
}

/** Links a person; version 1 has no names, so the local part of the email address serves as one. */
function personLink(person: Payload): SafeText {
  const [local = ''] = person.textOr('email', '').split('@');
  const name = person.textOr('summary', local || person.textOr('name', 'unknown user'));
  return link(name, person.textOr('html_url', ''));
}

/** Reads versions 1 and 2, whose messages contain the whole incident. */
function older(call: IntegrationCall, message: Payload): IntegrationPost {
  const isFirst = message.has('type');
  const word = wordFor(call, message.text(isFirst ? 'type' : 'event'));
  const incident = message.object(isFirst ? 'data.incident' : 'incident');
  const number = incident.text('incident_number');
  return {
    event: word,
    topic: `Incident ${number}`,
    get content() {
      return contentOf(olderIncident(incident, isFirst, word, number));
    },
  };
}

function olderIncident(incident: Payload, isFirst: boolean, word: string, number: string): Incident {
  const assigned = isFirst
    ? [incident.at('assigned_to_user')]
    : incident
        .list('assignments')
        .slice(0, MAX_PEOPLE)
        .map((each) => each.at('assignee'));
  const resolver = incident.at(isFirst ? 'resolved_by_user' : 'last_status_change_by');
  const trigger = incident.at('trigger_summary_data');
  return {
    word,
    named: link(number, incident.textOr('html_url', '')),
    service: link(
      incident.textOr('service.name', incident.textOr('service.summary', '')),
      incident.textOr('service.html_url', ''),
    ),
    assignees: assigned.filter(({ value }) => value != null).map((person) => personLink(person)),
    who: resolver.value == null ? NOTHING : personLink(resolver),
    about: isFirst
      ? [trigger.textOr('subject', ''), trigger.textOr('description', '')].filter(Boolean).join('\n')
      : incident.textOr('description', ''),
  };
}

/** Reads version 3, PagerDuty's current one. */
function current(call: IntegrationCall): IntegrationPost {
  const event = call.payload.object('event');
  const word = wordFor(call, event.text('event_type'));
  const incident = event.object('data');
  const number = incident.textOr('number', '?');
  const content = contentOf({
    word,
    named: link(`${incident.textOr('title', '')} (#${number})`, incident.textOr('html_url', '')),
    service: link(incident.textOr('service.summary', ''), incident.textOr('service.html_url', '')),
    assignees: incident
      .list('assignees')
      .slice(0, MAX_PEOPLE)
      .map((person) => personLink(person)),
    who: event.has('agent') ? personLink(event.object('agent')) : NOTHING,
    about: '',
  });
  return { event: word, topic: `Incident ${incident.textOr('title', '')} (#${number})`, content };
}

/** PagerDuty, with all versions of its webhooks. */
export const PAGERDUTY: Integration = {
  name: 'pagerduty',
  displayName: 'PagerDuty',
  about: `Incidents that are ${namesOf(['triggered', 'acknowledged', 'assigned', 'escalated', 'resolved'])}.`,
  events: [...new Set(Object.values(WORDS))],
  read(call) {
    const { payload } = call;
    if (!payload.has('messages')) {
      const isTest = !payload.has('event') || payload.is('event.event_type', 'pagey.ping');
      return isTest ? null : current(call);
    }
    return payload.list('messages').map((message) => older(call, message));
  },
};
