import type { Integration, IntegrationCall, IntegrationPost } from '../reading/integration';
import type { Payload } from '../reading/payload';
import { bold, joined, link, safe, type SafeText } from '../reading/safe-text';
import {
  assignedTo,
  branchesOf,
  branchTopic,
  itemLink,
  itemTopic,
  pushPost,
  shortHash,
  tagPost,
  withQuote,
} from './git-text';

const actor = (payload: Payload) =>
  payload.textOr(
    'actor.display_name',
    payload.textOr('actor.nickname', payload.textOr('actor.username', 'Unknown user')),
  );

const repository = (payload: Payload) => payload.text('repository.name');

const repositoryUrl = (payload: Payload) => payload.textOr('repository.links.html.href', '');

/** One delivery may contain several branches and tags that were pushed together. */
function push(call: IntegrationCall): IntegrationPost[] {
  const { payload } = call;
  return payload.list('push.changes').flatMap((change): IntegrationPost[] => {
    const isDeleted = !change.has('new');
    const branch = change.object(isDeleted ? 'old' : 'new');
    const name = branch.text('name');
    if (branch.is('type', 'tag')) {
      const url = branch.textOr('links.html.href', '');
      const tag = {
        repository: repository(payload),
        user: actor(payload),
        tag: name,
        url,
        isGone: isDeleted,
      };
      return [tagPost('push', tag)];
    }
    if (!call.optionNames('branches', name)) return [];
    if (change.is('forced', true) && !isDeleted) return [forcedPush(payload, change, name)];
    return [
      pushPost('push', {
        repository: repository(payload),
        branch: name,
        user: actor(payload),
        url: change.textOr('links.html.href', repositoryUrl(payload)),
        commits: change.list('commits').map((commit) => ({
          message: commit.text('message'),
          url: commit.textOr('links.html.href', ''),
          hash: commit.text('hash'),
          author: authorOf(commit),
        })),
        isTruncated: change.is('truncated', true),
        isDeleted,
      }),
    ];
  });
}

function authorOf(commit: Payload): string {
  const [first = ''] = commit.textOr('author.raw', '').split(' ');
  return commit.textOr('author.user.display_name', commit.textOr('author.user.nickname', first));
}

/** Omits the commits, which do not show what is new after a forced push. */
function forcedPush(payload: Payload, change: Payload, branch: string): IntegrationPost {
  const did = link('force pushed', change.textOr('links.html.href', repositoryUrl(payload)));
  const head = change.textOr('new.target.hash', '');
  const content = safe`${actor(payload)} ${did} to branch ${branch}. Head is now ${head}.`;
  return { event: 'push', topic: branchTopic(repository(payload), branch), content };
}

function fork({ payload }: IntegrationCall): IntegrationPost {
  const forked = link(payload.text('fork.full_name'), payload.textOr('fork.links.html.href', ''));
  return {
    event: 'fork',
    topic: repository(payload),
    content: safe`${actor(payload)} forked the repository as ${forked}.`,
  };
}

function commitComment({ payload }: IntegrationCall): IntegrationPost {
  const commented = payload.at(payload.has('comment.commit') ? 'comment.commit' : 'commit');
  const hash = commented.text('hash');
  const commit = link(shortHash(hash), commented.textOr('links.html.href', ''));
  const did = link('commented', payload.textOr('comment.links.html.href', ''));
  const content = withQuote(
    safe`${actor(payload)} ${did} on ${commit}`,
    payload.textOr('comment.content.raw', ''),
  );
  return { event: 'commit_comment', topic: repository(payload), content };
}

function commitStatus({ payload }: IntegrationCall): IntegrationPost {
  const status = payload.object('commit_status');
  const named = link(status.firstText('key', 'name'), status.textOr('url', ''));
  const hash = status.textOr('links.commit.href', '').split('/').at(-1) ?? '';
  const commit =
    hash === '' ? safe`a commit` : link(shortHash(hash), `${repositoryUrl(payload)}/commits/${hash}`);
  const content = safe`${named} changed the status of ${commit} to ${status.text('state')}.`;
  return { event: 'change_commit_status', topic: repository(payload), content };
}

/** Repository fields that may change, and their names in sentences. */
const REPOSITORY_PARTS: readonly (readonly [key: string, name: string])[] = [
  ['website', 'website'],
  ['name', 'name'],
  ['links', 'links'],
  ['language', 'language'],
  ['full_name', 'full name'],
  ['description', 'description'],
];

function updatedRepository({ payload }: IntegrationCall): IntegrationPost | null {
  const changes = payload.at('changes');
  const lines = REPOSITORY_PARTS.flatMap(([key, name]) => {
    const [before, now] = [valueOf(changes.at(`${key}.old`)), valueOf(changes.at(`${key}.new`))];
    if (now === '') return [];
    const from = before === '' ? safe`` : safe` from ${bold(before)}`;
    return [
      safe`${actor(payload)} changed the ${name} of ${link(repository(payload), repositoryUrl(payload))}${from} to ${bold(now)}.`,
    ];
  });
  if (lines.length === 0) return null;
  return { event: 'repo:updated', topic: repository(payload), content: joined(lines, '\n') };
}

/** Text of a value; for links, which are objects, the URL of the repository page. */
const valueOf = (payload: Payload) => payload.textOr('', payload.textOr('html.href', ''));

function itemOf({ payload, namesItself }: IntegrationCall, at: string, kind: string) {
  const [number, title] = [payload.text(`${at}.id`), payload.text(`${at}.title`)];
  const url = payload.textOr(`${at}.links.html.href`, '');
  return {
    topic: itemTopic(repository(payload), kind, number, title),
    shown: itemLink({ kind, number, title, url, isNamed: namesItself }),
  };
}

type Say = (payload: Payload, item: SafeText) => SafeText;

function about(event: string, at: 'issue' | 'pullrequest', say: Say) {
  return (call: IntegrationCall): IntegrationPost => {
    const { topic, shown } = itemOf(call, at, at === 'issue' ? 'issue' : 'PR');
    return { event, topic, content: say(call.payload, shown) };
  };
}

const comment: Say = (payload, item) => {
  const did = link('commented', payload.textOr('comment.links.html.href', ''));
  return withQuote(safe`${actor(payload)} ${did} on ${item}`, payload.textOr('comment.content.raw', ''));
};

/** Comments on issues are linked, but not quoted. */
const issueComment: Say = (payload, item) =>
  safe`${actor(payload)} ${link('commented', payload.textOr('comment.links.html.href', ''))} on ${item}.`;

const did =
  (word: string): Say =>
  (payload, item) =>
    safe`${actor(payload)} ${word} ${item}.`;

const request =
  (word: string, hasBranches: boolean): Say =>
  (payload, item) => {
    const asked = payload.at('pullrequest');
    const branches = hasBranches ? branchesOfRequest(asked) : safe``;
    const reviewers = asked.list('reviewers').map((person) => person.textOr('display_name', '?'));
    const sentence = safe`${actor(payload)} ${word} ${item}${branches}${assignedTo(reviewers)}`;
    return withQuote(sentence, asked.textOr('description', ''));
  };

const branchesOfRequest = (asked: Payload) =>
  branchesOf(asked.textOr('source.branch.name', ''), asked.textOr('destination.branch.name', ''));

const merged: Say = (payload, item) =>
  safe`${actor(payload)} merged ${item}${branchesOfRequest(payload.at('pullrequest'))}.`;

/** An edited or deleted comment, with its text quoted. */
const changedComment =
  (word: string): Say =>
  (payload, item) => {
    const shown = link('comment', payload.textOr('comment.links.html.href', ''));
    const sentence = safe`${actor(payload)} ${word} a ${shown} on ${item}`;
    return withQuote(sentence, payload.textOr('comment.content.raw', ''));
  };

const createdIssue: Say = (payload, item) => {
  const assignee = payload.textOr('issue.assignee.display_name', '');
  const sentence = safe`${actor(payload)} created ${item}${assignedTo(assignee === '' ? [] : [assignee])}`;
  return withQuote(sentence, payload.textOr('issue.content.raw', ''));
};

type Reader = (call: IntegrationCall) => IntegrationPost | IntegrationPost[];

/** Readers by event key. */
const READERS: Readonly<Record<string, Reader>> = {
  'repo:push': push,
  'repo:fork': fork,
  'repo:commit_comment_created': commitComment,
  'repo:commit_status_created': commitStatus,
  'repo:commit_status_updated': commitStatus,
  'issue:created': about('issue_created', 'issue', createdIssue),
  'issue:updated': about('issue_updated', 'issue', did('updated')),
  'issue:comment_created': about('issue_commented', 'issue', issueComment),
  'pullrequest:created': about('pull_request_created', 'pullrequest', request('created', true)),
  'pullrequest:updated': about('pull_request_updated', 'pullrequest', request('updated', false)),
  'pullrequest:approved': about('pull_request_approved', 'pullrequest', did('approved')),
  'pullrequest:unapproved': about('pull_request_unapproved', 'pullrequest', did('took back the approval of')),
  'pullrequest:fulfilled': about('pull_request_fulfilled', 'pullrequest', merged),
  'pullrequest:rejected': about('pull_request_rejected', 'pullrequest', did('rejected')),
  'pullrequest:comment_created': about('pull_request_comment_created', 'pullrequest', comment),
  'pullrequest:comment_updated': about(
    'pull_request_comment_updated',
    'pullrequest',
    changedComment('edited'),
  ),
  'pullrequest:comment_deleted': about(
    'pull_request_comment_deleted',
    'pullrequest',
    changedComment('deleted'),
  ),
};

/** Bitbucket, the service at bitbucket.org. */
export const BITBUCKET: Integration = {
  name: 'bitbucket2',
  aliases: ['bitbucket'],
  displayName: 'Bitbucket',
  escapesTwice: true,
  about: 'Pushes, pull requests, issues, comments, forks and build results.',
  events: [
    'push',
    'fork',
    'commit_comment',
    'change_commit_status',
    'issue_created',
    'issue_updated',
    'issue_commented',
    'pull_request_created',
    'pull_request_updated',
    'pull_request_approved',
    'pull_request_unapproved',
    'pull_request_fulfilled',
    'pull_request_rejected',
    'pull_request_comment_created',
    'pull_request_comment_updated',
    'pull_request_comment_deleted',
    'repo:updated',
  ],
  options: [{ name: 'branches', about: 'Comma-separated branches whose pushes are reported.' }],
  read(call) {
    if (call.payload.has('canon_url')) return oldPush(call);
    const key = eventOf(call);
    if (key === 'repo:updated') return updatedRepository(call);
    const reader = Object.hasOwn(READERS, key) ? READERS[key] : undefined;
    if (!reader) throw call.unsupported(key);
    return reader(call);
  },
};

/** Derives the event key from the payload; only pull requests need the header. */
function eventOf(call: IntegrationCall): string {
  const { payload } = call;
  if (payload.has('push')) return 'repo:push';
  if (payload.has('fork')) return 'repo:fork';
  if (payload.has('comment') && payload.has('commit')) return 'repo:commit_comment_created';
  if (payload.has('commit_status')) return 'repo:commit_status_updated';
  if (payload.has('issue')) {
    if (payload.has('changes')) return 'issue:updated';
    return payload.has('comment') ? 'issue:comment_created' : 'issue:created';
  }
  return call.eventHeader('X-Event-Key');
}

/** The POST hook of Bitbucket Server. */
function oldPush(call: IntegrationCall): IntegrationPost | null {
  const { payload } = call;
  const commits = payload.list('commits');
  const page = `${payload.text('canon_url')}${payload.text('repository.absolute_url')}`;
  const user = payload.textOr('user', 'Someone');
  const branch = commits.at(-1)?.textOr('branch', '') ?? '';
  if (commits.length === 0) {
    const content = safe`${user} ${link('force pushed', page)}.`;
    return { event: 'push', topic: repository(payload), content };
  }
  if (!call.optionNames('branches', branch)) return null;
  return pushPost('push', {
    repository: repository(payload),
    branch,
    user,
    url: '',
    commits: commits.map((commit) => ({
      message: commit.textOr('message', ''),
      url: `${page}commits/${commit.textOr('raw_node', '')}`,
      hash: commit.textOr('raw_node', ''),
      author: commit.textOr('author', ''),
    })),
  });
}
