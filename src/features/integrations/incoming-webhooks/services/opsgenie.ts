import type { Integration, IntegrationPost } from '../reading/integration';
import type { Payload } from '../reading/payload';
import { bold, bullets, code, joined, link, safe, quoted, type SafeText } from '../reading/safe-text';

/** The actions of Opsgenie's own; organizations add others, which are sent, too. */
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

/** Opsgenie, and alerts of Jira Service Management, which sends the same. */
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
