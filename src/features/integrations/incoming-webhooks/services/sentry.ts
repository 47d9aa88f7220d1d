import type { Integration, IntegrationCall, IntegrationPost } from '../reading/integration';
import type { Payload } from '../reading/payload';
import { bold, code, codeBlock, joined, link, safe, type SafeText } from '../reading/safe-text';

/** How many of the innermost frames are looked at, at least. */
const MAX_FRAMES = 500;

/** The languages of code blocks, by Sentry's names of platforms. */
const LANGUAGES: Readonly<Record<string, string>> = {
  go: 'go',
  java: 'java',
  javascript: 'javascript',
  node: 'javascript',
  php: 'php',
  python: 'python',
  ruby: 'ruby',
};

/** Lines of facts, marked as a quotation. */
function facts(...lines: readonly (readonly [name: string, value: SafeText | string])[]): SafeText {
  const known = lines.filter(([, value]) => (typeof value === 'string' ? value !== '' : !value.isEmpty));
  return joined(
    known.map(([name, value]) => safe`> ${bold(`${name}:`)} ${value}`),
    '\n',
  );
}

/** ISO 8601, or seconds. */
function timeOf(event: Payload): string {
  const text = event.textOr('datetime', event.textOr('timestamp', ''));
  const time = new Date(/^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : text);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString().slice(0, 19).replace('T', ' ');
}

/** The innermost place that is part of the program itself. */
function frameOf(event: Payload): Payload | undefined {
  const frames: Payload[] = [];
  for (const exception of event.list('exception.values').reverse()) {
    if (frames.length >= MAX_FRAMES) break;
    frames.unshift(...exception.list('stacktrace.frames'));
  }
  return (
    frames.filter((frame) => frame.has('context_line')).findLast((frame) => !frame.is('in_app', false)) ??
    frames.at(-1)
  );
}

function traceback(event: Payload): SafeText {
  const frame = frameOf(event);
  if (!frame?.has('context_line')) return safe``;
  const lines = (key: string) =>
    frame.list(key).flatMap(({ value }) => (typeof value === 'string' ? [`     ${value}`] : []));
  const text = [...lines('pre_context'), `---> ${frame.text('context_line')}`, ...lines('post_context')].join(
    '\n',
  );
  const platform = event.textOr('platform', '');
  const language = Object.hasOwn(LANGUAGES, platform) ? (LANGUAGES[platform] ?? '') : '';
  return safe`Where it happened:\n${codeBlock(text, language)}`;
}

function eventPost(event: Payload, url: string): IntegrationPost {
  const title = event.firstText('title', 'message');
  const isException = event.has('exception');
  const frame = isException ? frameOf(event) : undefined;
  const head = safe`${bold(isException ? 'New exception:' : 'New message event:')} ${link(title, url)}`;
  const about = facts(
    ['level', event.textOr('level', '')],
    ['timestamp', timeOf(event)],
    ['filename', code(frame?.textOr('filename', '') ?? '')],
  );
  return {
    event: null,
    topic: title,
    content: joined([head, about, isException ? traceback(event) : safe``], '\n\n'),
  };
}

/** What was done to an issue that there was. */
const ISSUE_WORDS: Readonly<Record<string, string>> = {
  resolved: 'was marked as resolved by',
  ignored: 'was ignored by',
  archived: 'was archived by',
  unresolved: 'was marked as unresolved by',
};

function assigneeOf(issue: Payload): string {
  if (!issue.has('assignedTo')) return 'No one';
  const name = issue.firstText('assignedTo.name', 'assignedTo.email');
  return issue.is('assignedTo.type', 'team') ? `team ${name}` : name;
}

function issuePost(call: IntegrationCall, issue: Payload): IntegrationPost {
  const action = call.payload.text('action');
  const title = issue.text('title');
  const actor = call.payload.textOr('actor.name', 'Sentry');
  const named = link(title, issue.textOr('web_url', issue.textOr('permalink', '')));
  const post = (content: SafeText): IntegrationPost => ({ event: null, topic: title, content });
  if (action === 'created') {
    const first = new Date(issue.textOr('firstSeen', ''));
    const seen = Number.isNaN(first.getTime()) ? '' : first.toISOString().slice(0, 19).replace('T', ' ');
    const about = facts(
      ['level', issue.textOr('level', '')],
      ['timestamp', seen],
      ['assignee', assigneeOf(issue)],
    );
    return post(joined([safe`${bold('New issue created:')} ${named}`, about], '\n\n'));
  }
  if (action === 'assigned')
    return post(safe`Issue ${named} was assigned to ${bold(assigneeOf(issue))} by ${bold(actor)}.`);
  const did = Object.hasOwn(ISSUE_WORDS, action) ? ISSUE_WORDS[action] : undefined;
  if (did === undefined) throw call.unsupported(`${action} action`);
  return post(safe`Issue ${named} ${did} ${bold(actor)}.`);
}

/** Sentry, sentry.io and servers of its own, in each of the forms that it sends. */
export const SENTRY: Integration = {
  name: 'sentry',
  displayName: 'Sentry',
  about: 'Errors when they come up, and issues that are made, assigned, resolved and archived.',
  events: null,
  read(call) {
    const { payload } = call;
    if (payload.has('data.event')) {
      const event = payload.object('data.event');
      return eventPost(event, event.textOr('web_url', ''));
    }
    if (payload.has('data.issue')) return issuePost(call, payload.object('data.issue'));
    if (payload.has('event')) {
      const event = payload.object('event');
      return eventPost(event, `${payload.textOr('url', '')}events/${event.textOr('event_id', '')}/`);
    }
    if (payload.has('data')) throw call.unsupported(`${payload.textOr('action', 'unknown')} action`);
    const level = payload.textOr('level', 'error').toUpperCase();
    const content = safe`New ${link('issue', payload.text('url'))} (level: ${level}): ${payload.text('message')}`;
    return { event: null, topic: payload.text('project_name'), content };
  },
};
