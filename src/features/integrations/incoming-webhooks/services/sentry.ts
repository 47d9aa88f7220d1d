import type { Integration, IntegrationCall, IntegrationPost } from '../reading/integration';
import type { Payload } from '../reading/payload';
import { bold, code, codeBlock, joined, link, safe, type SafeText } from '../reading/safe-text';

/** Code block languages by Sentry platform. */
const LANGUAGES: Readonly<Record<string, string>> = {
  go: 'go',
  java: 'java',
  javascript: 'javascript',
  node: 'javascript',
  php: 'php',
  python: 'python',
  ruby: 'ruby',
};

/** Quoted lines of names and values, without empty values. */
function facts(...lines: readonly (readonly [name: string, value: SafeText | string])[]): SafeText {
  const known = lines.filter(([, value]) => (typeof value === 'string' ? value !== '' : !value.isEmpty));
  return joined(
    known.map(([name, value]) => safe`> ${bold(`${name}:`)} ${value}`),
    '\n',
  );
}

/** Formats the event time, which is in ISO 8601 or UNIX seconds. */
function timeOf(event: Payload): string {
  const text = event.textOr('datetime', event.textOr('timestamp', event.textOr('received', '')));
  const time = new Date(/^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : text);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString().slice(0, 19).replace('T', ' ');
}

/** The frame where the error occurred: the innermost one in the file of the event. */
function frameOf(event: Payload): Payload | undefined {
  const traced = event.list('exception.values').findLast((exception) => exception.has('stacktrace'));
  const frames = traced?.list('stacktrace.frames') ?? [];
  const name = event.textOr('metadata.filename', frames.at(-1)?.textOr('filename', '') ?? '');
  return frames.findLast((frame) => frame.is('filename', name));
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

/** Whether an event comes from Sentry's deprecated Python client; not its sample event, which is supported. */
function isRaven(event: Payload): boolean {
  return (
    event.is('platform', 'python') &&
    event.has('version') &&
    Number(event.textOr('version', '')) < 7 &&
    !event.is('title', 'This is an example Python exception')
  );
}

function eventPost(call: IntegrationCall, event: Payload, url: string): IntegrationPost {
  if (isRaven(event)) throw call.unsupported('Raven SDK');
  const title = event.firstText('title', 'message');
  const isException = event.has('exception');
  if (!isException && !event.has('logentry') && !event.has('message'))
    throw call.unsupported('unknown-event type');
  const head = safe`${bold(isException ? 'New exception:' : 'New message event:')} ${link(title, url)}`;
  const about = facts(
    ['level', event.textOr('level', '')],
    ['timestamp', timeOf(event)],
    [
      'filename',
      code(
        isException ? event.textOr('metadata.filename', frameOf(event)?.textOr('filename', '') ?? '') : '',
      ),
    ],
  );
  return {
    event: null,
    topic: title,
    content: joined([head, about, isException ? traceback(event) : safe``], '\n\n'),
  };
}

/** Texts for changes of existing issues. */
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
    const last = new Date(issue.textOr('lastSeen', issue.textOr('firstSeen', '')));
    const seen = Number.isNaN(last.getTime()) ? '' : last.toISOString().slice(0, 19).replace('T', ' ');
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

/** Sentry, both sentry.io and self-hosted, with all of its payload formats. */
export const SENTRY: Integration = {
  name: 'sentry',
  displayName: 'Sentry',
  about: 'New errors, and issues that are created, assigned, resolved and archived.',
  events: null,
  read(call) {
    const { payload } = call;
    if (payload.has('data.event')) {
      const event = payload.object('data.event');
      return eventPost(call, event, event.textOr('web_url', ''));
    }
    if (payload.has('data.issue')) return issuePost(call, payload.object('data.issue'));
    if (payload.has('event.event_id')) {
      const event = payload.object('event');
      return eventPost(call, event, `${payload.textOr('url', '')}events/${event.textOr('event_id', '')}/`);
    }
    if (payload.has('data')) throw call.unsupported(`${payload.textOr('action', 'unknown')} action`);
    const level = payload.textOr('level', 'error').toUpperCase();
    const content = safe`New ${link('issue', payload.text('url'))} (level: ${level}): ${payload.text('message')}`;
    return { event: null, topic: payload.text('project_name'), content };
  },
};
