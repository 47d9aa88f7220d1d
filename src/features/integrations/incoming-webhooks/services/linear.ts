import type { Integration, IntegrationCall, IntegrationPost } from '../reading/integration';
import type { Payload } from '../reading/payload';
import { bold, joined, link, safe, quoted, type SafeText } from '../reading/safe-text';

const IGNORED = new Set([
  'IssueLabel',
  'Project',
  'ProjectUpdate',
  'Cycle',
  'Reaction',
  'Attachment',
  'IssueRelation',
]);

const WORDS: Readonly<Record<string, string>> = { create: 'created', update: 'updated', remove: 'removed' };

const actorOf = (payload: Payload) => payload.textOr('actor.name', '');

function issue(call: IntegrationCall, did: string): SafeText {
  const { payload } = call;
  const data = payload.object('data');
  const number = data.textOr('identifier', `#${data.textOr('number', '?')}`);
  const kind = data.has('parentId') ? 'Sub-issue' : 'Issue';
  const shown = link(`${number} ${data.text('title')}`, payload.textOr('url', ''));
  const who = actorOf(payload);
  const team = data.textOr('team.name', '');
  const of = team === '' ? safe`` : safe` in team ${team}`;
  const head = safe`${kind} ${shown} was ${did}${of}${who === '' ? safe`` : safe` by ${who}`}`;
  if (did === 'removed') return safe`${head}.`;
  const priority = data.textOr('priorityLabel', '');
  const facts = [
    ['Status', data.textOr('state.name', '')],
    ['Priority', priority === 'No priority' ? '' : priority],
    ['Assignee', data.textOr('assignee.name', '')],
  ] as const;
  const line = joined(
    facts.filter(([, value]) => value !== '').map(([name, value]) => safe`${name}: ${bold(value)}`),
    ', ',
  );
  const last = line.isEmpty ? line : safe`${line}.`;
  return joined([safe`${head}:`, quoted(data.textOr('description', '')), last], '\n\n');
}

function comment({ payload }: IntegrationCall, did: string): SafeText {
  const data = payload.object('data');
  const who = data.textOr('user.name', actorOf(payload) || 'Someone');
  const place = link(data.textOr('issue.title', 'an issue'), payload.textOr('url', ''));
  if (did === 'removed') return safe`${who} removed a comment on ${place}.`;
  const head =
    did === 'updated' ? safe`${who} edited a comment on ${place}:` : safe`${who} commented on ${place}:`;
  return joined([head, quoted(data.textOr('body', ''))], '\n\n');
}

function topicOf(payload: Payload): string {
  if (payload.is('type', 'Comment')) return `Issue: ${payload.textOr('data.issue.title', 'comments')}`;
  return `${payload.has('data.parentId') ? 'Sub-Issue' : 'Issue'}: ${payload.text('data.title')}`;
}

/** Linear. */
export const LINEAR: Integration = {
  name: 'linear',
  displayName: 'Linear',
  about: 'Issues and comments that are created, changed and removed.',
  events: null,
  read(call): IntegrationPost | null {
    const { payload } = call;
    const [type, action] = [payload.text('type'), payload.text('action')];
    if (IGNORED.has(type)) return null;
    const did = Object.hasOwn(WORDS, action) ? WORDS[action] : undefined;
    if (did === undefined || (type !== 'Issue' && type !== 'Comment'))
      throw call.unsupported(`${type}:${action}`);
    const content = type === 'Issue' ? issue(call, did) : comment(call, did);
    return { event: null, topic: topicOf(payload), content };
  },
};
