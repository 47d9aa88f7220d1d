import type { Integration, IntegrationPost } from '../reading/integration';
import { bold, bullets, joined, link, safe, quoted, type SafeText } from '../reading/safe-text';

/** The actions that Opsgenie tells of, and the words for them. */
const WORDS: Readonly<Record<string, string>> = {
  Create: 'was created',
  Close: 'was closed',
  Delete: 'was deleted',
  Acknowledge: 'was acknowledged',
  UnAcknowledge: 'is no longer acknowledged',
  AddNote: 'got a note',
  AddTags: 'got tags',
  RemoveTags: 'lost tags',
  AddTeam: 'was given to a team',
  AddRecipient: 'was given to somebody',
  TakeOwnership: 'was taken over',
  AssignOwnership: 'was assigned',
  Escalate: 'was escalated',
  EscalateNext: 'was escalated',
  Snooze: 'was put off',
  SnoozeEnded: 'is due again',
  UpdatePriority: 'has another priority',
  UpdateMessage: 'has another message',
  UpdateDescription: 'has another description',
  CustomAction: 'got an action of its own',
};

/** Opsgenie, and alerts of Jira Service Management, which sends the same. */
export const OPSGENIE: Integration = {
  name: 'opsgenie',
  displayName: 'Opsgenie',
  about: 'Alerts that are created, acknowledged, assigned, escalated and closed.',
  events: Object.keys(WORDS),
  read(call): IntegrationPost {
    const { payload } = call;
    const action = payload.text('action');
    const did = Object.hasOwn(WORDS, action) ? WORDS[action] : undefined;
    if (did === undefined) throw call.unsupported(action);
    const alert = payload.object('alert');
    const id = alert.textOr('alertId', '');
    const message = alert.textOr('message', id);
    const base =
      /^https:\/\/[a-z0-9.-]+$/.exec(payload.textOr('integrationUrl', ''))?.[0] ?? 'https://app.opsgenie.com';
    const named = link(message, `${base}/alert/detail/${encodeURIComponent(id)}/details`);
    const by = alert.textOr('username', '');
    const facts: [string, string][] = [
      ['Priority', alert.textOr('priority', '')],
      ['Owner', alert.textOr('owner', '')],
      ['Team', alert.textOr('team', '')],
      ['Source', alert.textOr('source', '')],
      ['Added tags', alert.textOr('addedTags', '')],
      ['Removed tags', alert.textOr('removedTags', '')],
      [
        'Tags',
        alert
          .list('tags')
          .map(({ value }) => (typeof value === 'string' ? value : ''))
          .filter(Boolean)
          .join(', '),
      ],
    ];
    const lines: SafeText[] = facts
      .filter(([, value]) => value !== '')
      .map(([name, value]) => safe`${bold(name)}: ${value}`);
    const head = safe`Alert ${named} ${did}${by === '' ? safe`` : safe` by ${by}`}.`;
    const text =
      action === 'AddNote'
        ? alert.textOr('note', '')
        : action === 'Create'
          ? alert.textOr('description', '')
          : '';
    const topic = payload.textOr('integrationName', '') || message;
    return { event: action, topic, content: joined([head, bullets(lines), quoted(text)], '\n\n') };
  },
};
