import type { Integration, IntegrationCall, IntegrationPost } from '../reading/integration';
import type { Payload } from '../reading/payload';
import { bold, bullets, joined, link, safe, quoted, type SafeText } from '../reading/safe-text';

const IGNORED = new Set([
  'attachment_created',
  'issuelink_created',
  'issuelink_deleted',
  'jira:version_released',
  'jira:worklog_updated',
  'sprint_closed',
  'sprint_started',
  'worklog_created',
  'worklog_updated',
]);

/** Fields whose changes say nothing to people. */
const QUIET_FIELDS = new Set(['Rank', 'WorklogId', 'timeestimate', 'timespent']);

/** Jira's own marks, in those of Markdown. */
function asMarkdown(text: string): string {
  return text
    .replace(/\{(?:noformat|code(?::[\w|=.]*)?)\}/g, '\n```\n')
    .replace(/\{\{([^{}\n]*)\}\}/g, '`$1`')
    .replace(/(?<![*\w])\*([^*\n]+)\*(?![*\w])/g, '**$1**')
    .replace(/^bq\. /gm, '> ')
    .replace(/\{quote\}/g, '\n')
    .replace(/\[([^[\]|\n]{1,500})\|(https?:[^[\]|\s]{1,2000})\]/g, '[$1]($2)')
    .replace(/\[~(?:accountid:)?([^\]\n]{1,100})\]/g, '**$1**');
}

function issueLink(payload: Payload): SafeText {
  const key = payload.text('issue.key');
  const base = payload.textOr('issue.self', '').split('/rest/api/', 1)[0] ?? '';
  return link(titleOf(payload), `${base}/browse/${key}`);
}

function titleOf(payload: Payload): string {
  const key = payload.text('issue.key');
  const summary = payload.textOr('issue.fields.summary', '');
  return summary === '' ? key : `${key}: ${summary}`;
}

const userOf = (payload: Payload) =>
  payload.firstText('user.displayName', 'comment.author.displayName', 'user.name');

function assignee(payload: Payload): SafeText {
  const name = payload.textOr('issue.fields.assignee.displayName', '');
  return name === '' ? safe`` : safe` (assigned to ${bold(name)})`;
}

function created(payload: Payload): SafeText {
  const facts = [
    safe`Priority: ${bold(payload.textOr('issue.fields.priority.name', 'none'))}`,
    safe`Assignee: ${bold(payload.textOr('issue.fields.assignee.displayName', 'no one'))}`,
  ];
  const head = safe`${userOf(payload)} created ${issueLink(payload)}:`;
  return joined(
    [head, bullets(facts), quoted(asMarkdown(payload.textOr('issue.fields.description', '')))],
    '\n\n',
  );
}

/** How comments are told of, by what the payload calls what was done. */
const COMMENT_WORDS: Readonly<Record<string, string>> = {
  issue_commented: 'commented on',
  issue_comment_edited: 'edited a comment on',
  issue_comment_deleted: 'deleted a comment from',
  comment_created: 'commented on',
  comment_updated: 'edited a comment on',
  comment_deleted: 'deleted a comment from',
};

function commented(payload: Payload, kind: string): SafeText {
  const did = COMMENT_WORDS[kind] ?? 'changed a comment on';
  const text = kind.endsWith('deleted') ? '' : asMarkdown(payload.textOr('comment.body', ''));
  const head = safe`${userOf(payload)} ${did} ${issueLink(payload)}${assignee(payload)}`;
  return text === '' ? safe`${head}.` : joined([safe`${head}:`, quoted(text)], '\n\n');
}

function updated(payload: Payload): SafeText | null {
  const changes = payload
    .list('changelog.items')
    .filter((item) => !QUIET_FIELDS.has(item.textOr('field', '')));
  const lines = changes.map((item) => {
    const before = item.textOr('fromString', '');
    const now = bold(item.textOr('toString', '') || 'nothing');
    const from = before === '' ? safe`` : safe` from ${bold(before)}`;
    return safe`Changed ${item.text('field')}${from} to ${now}`;
  });
  if (payload.has('transition.to_status')) {
    const [from, to] = [payload.textOr('transition.from_status', '?'), payload.text('transition.to_status')];
    lines.push(safe`Changed status from ${bold(from)} to ${bold(to)}`);
  }
  if (lines.length === 0) return null;
  return joined(
    [safe`${userOf(payload)} updated ${issueLink(payload)}${assignee(payload)}:`, bullets(lines)],
    '\n\n',
  );
}

function contentOf(call: IntegrationCall, event: string): SafeText | null {
  const { payload } = call;
  if (event === 'jira:issue_created') return created(payload);
  if (event === 'jira:issue_deleted') return safe`${userOf(payload)} deleted ${issueLink(payload)}.`;
  if (event.startsWith('comment_') && Object.hasOwn(COMMENT_WORDS, event)) return commented(payload, event);
  if (event !== 'jira:issue_updated') throw call.unsupported(event);
  if (!payload.has('comment')) return updated(payload);
  return commented(payload, payload.textOr('issue_event_type_name', 'issue_commented'));
}

/** Jira, in the cloud and on servers. */
export const JIRA: Integration = {
  name: 'jira',
  displayName: 'Jira',
  about: 'Issues that are made, changed, commented on and deleted.',
  events: [
    'jira:issue_created',
    'jira:issue_updated',
    'jira:issue_deleted',
    'comment_created',
    'comment_updated',
    'comment_deleted',
  ],
  read(call): IntegrationPost | null {
    const { payload } = call;
    const event = payload.has('transition') ? 'jira:issue_updated' : payload.text('webhookEvent');
    if (IGNORED.has(event)) return null;
    const content = contentOf(call, event);
    return content && { event, topic: titleOf(payload), content };
  },
};
