import type { Integration, IntegrationCall, IntegrationPost } from '../reading/integration';
import type { Payload } from '../reading/payload';
import { bold, bullets, joined, link, quoted, safe, SafeText } from '../reading/safe-text';

const IGNORED_BY_LINEAR = new Set([
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
    if (IGNORED_BY_LINEAR.has(type)) return null;
    const did = Object.hasOwn(WORDS, action) ? WORDS[action] : undefined;
    if (did === undefined || (type !== 'Issue' && type !== 'Comment'))
      throw call.unsupported(`${type}:${action}`);
    const content = type === 'Issue' ? issue(call, did) : comment(call, did);
    return { event: null, topic: topicOf(payload), content };
  },
};

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

/** Fields whose changes are of no interest to people. */
const QUIET_FIELDS = new Set(['Rank', 'WorklogId', 'timeestimate', 'timespent']);

/** Converts Jira's markup to Markdown. */
function asMarkdown(text: string): string {
  return text
    .replace(/\{(?:noformat|code(?::[\w|=.]*)?)\}/g, '\n```\n')
    .replace(/\{\{([^{}\n]*)\}\}/g, '`$1`')
    .replace(/(?<![*\w])\*([^*\n]+)\*(?![*\w])/g, '**$1**')
    .replace(/^bq\. /gm, '> ')
    .replace(
      /\{quote\}([^{}]{0,5000})\{quote\}/g,
      (_all, text: string) => `\n${text.trim().replace(/^/gm, '> ')}\n\n`,
    )
    .replace(/\[([^[\]|\n]{1,500})\|(https?:[^[\]|\s]{1,2000})\]/g, '[$1]($2)')
    .replace(/\[(https?:[^[\]|\s]{1,2000})\](?!\()/g, '[$1]($1)')
    .replace(/\[~(?:accountid:)?([^\]\n]{1,100})\]/g, '**$1**')
    .replaceAll('\\!', '!');
}

function issueLink(payload: Payload): SafeText {
  const [base = '', rest] = payload.textOr('issue.self', '').split('/rest/api/', 2);
  if (rest === undefined) return safe`${titleOf(payload)}`;
  return link(titleOf(payload), `${base}/browse/${payload.text('issue.key')}`);
}

/** Key and summary of the issue. Old servers send comments without it, so its number comes from the comment's URL. */
function titleOf(payload: Payload): string {
  if (!payload.has('issue') && payload.has('comment.self')) {
    const number = payload.text('comment.self').split('/').at(-3) ?? '';
    return `${number}: Upgrade Jira to get the issue title here.`;
  }
  const key = payload.text('issue.key');
  const summary = payload.textOr('issue.fields.summary', '');
  return summary === '' ? key : `${key}: ${summary}`;
}

const userOf = (payload: Payload) =>
  payload.firstText('user.displayName', 'comment.author.displayName', 'user.name', 'comment.author.name');

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

/** Verbs for comments by event type. */
const COMMENT_WORDS: Readonly<Record<string, string>> = {
  issue_commented: 'commented on',
  issue_comment_edited: 'edited a comment on',
  issue_comment_deleted: 'deleted a comment from',
  comment_created: 'commented on',
  comment_updated: 'edited a comment on',
  comment_deleted: 'deleted a comment from',
};

function commented(payload: Payload, kind: string): SafeText {
  const did = COMMENT_WORDS[kind] ?? 'deleted a comment from';
  const text = quoted(asMarkdown(payload.textOr('comment.body', '')));
  const head = safe`${userOf(payload)} ${did} ${issueLink(payload)}${assignee(payload)}`;
  const end = text.isEmpty ? '.' : ':';
  const line = safe`${head}${/[.?!]$/.test(head.source) ? '' : end}`;
  if (text.isEmpty) return line;
  return joined([line, did.startsWith('deleted') ? struck(text) : text], '\n\n');
}

/** Strikes through a quotation of deleted text. */
function struck({ source }: SafeText): SafeText {
  return new SafeText(
    source.replace(/^> (.*\S.*)$/gm, (_line, text: string) => `> ~~${text.replaceAll('~', '\\~')}~~`),
  );
}

function updated(payload: Payload): SafeText | null {
  const all = payload.list('changelog.items');
  const changes = all.filter((item) => !QUIET_FIELDS.has(item.textOr('field', '')));
  const lines = changes.map((item) => {
    const before = item.textOr('fromString', '');
    const now = bold(item.textOr('toString', '') || 'nothing');
    const from = before === '' ? safe`` : safe` from ${bold(before)}`;
    return safe`Changed ${item.text('field')}${from} to ${now}`;
  });
  if (all.length === 0 && payload.has('transition.to_status')) {
    const [from, to] = [payload.textOr('transition.from_status', '?'), payload.text('transition.to_status')];
    lines.push(safe`Changed status from ${bold(from)} to ${bold(to)}`);
  }
  if (lines.length === 0 && all.length > 0) return null;
  const head = safe`${userOf(payload)} updated ${issueLink(payload)}${assignee(payload)}`;
  return lines.length === 0 ? safe`${head}.` : joined([safe`${head}:`, bullets(lines)], '\n\n');
}

function contentOf(call: IntegrationCall, event: string): SafeText | null {
  const { payload } = call;
  if (event === 'jira:issue_created') return created(payload);
  if (event === 'jira:issue_deleted') return safe`${userOf(payload)} deleted ${issueLink(payload)}.`;
  if (event.startsWith('comment_') && Object.hasOwn(COMMENT_WORDS, event)) return commented(payload, event);
  if (event !== 'jira:issue_updated') throw call.unsupported(event);
  const kind = payload.textOr('issue_event_type_name', '');
  const isComment = kind === '' ? payload.has('comment.body') : kind.includes('comment');
  return isComment ? commented(payload, kind || 'issue_commented') : updated(payload);
}

/** Jira, both Cloud and self-hosted. */
export const JIRA: Integration = {
  name: 'jira',
  displayName: 'Jira',
  escapesTwice: true,
  about: 'Issues that are created, changed, commented on and deleted.',
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
    const isTransition = !payload.has('webhookEvent') && payload.has('transition');
    const event = isTransition ? 'jira:issue_updated' : payload.text('webhookEvent');
    if (IGNORED.has(event)) return null;
    const content = contentOf(call, event);
    return content && { event, topic: titleOf(payload), content };
  },
};
