import type { Integration, IntegrationCall, IntegrationPost } from '../reading/integration';
import type { Payload } from '../reading/payload';
import { link, safe, type SafeText } from '../reading/safe-text';
import {
  assignedTo,
  branchesOf,
  itemLink,
  itemTopic,
  pushPost,
  shortHash,
  tagPost,
  withQuote,
} from './git-text';

const actor = (payload: Payload) =>
  payload.firstText('actor.display_name', 'actor.nickname', 'actor.username');

const repository = (payload: Payload) => payload.text('repository.name');

const repositoryUrl = (payload: Payload) => payload.textOr('repository.links.html.href', '');

/** One delivery tells of several branches and tags where they were pushed together. */
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
          author: commit.firstText('author.user.display_name', 'author.raw').replace(/ <.*$/, ''),
        })),
        isForced: change.is('forced', true),
        isDeleted,
      }),
    ];
  });
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
  const hash = payload.text('commit.hash');
  const commit = link(shortHash(hash), payload.textOr('commit.links.html.href', ''));
  const did = link('commented', payload.textOr('comment.links.html.href', ''));
  const content = withQuote(
    safe`${actor(payload)} ${did} on ${commit}`,
    payload.textOr('comment.content.raw', ''),
  );
  return { event: 'commit_comment', topic: repository(payload), content };
}

function commitStatus({ payload }: IntegrationCall): IntegrationPost {
  const status = payload.object('commit_status');
  const named = link(status.firstText('name', 'key'), status.textOr('url', ''));
  const content = safe`${named} changed its status to ${status.text('state').toLowerCase()}.`;
  return { event: 'change_commit_status', topic: repository(payload), content };
}

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

const did =
  (word: string): Say =>
  (payload, item) =>
    safe`${actor(payload)} ${word} ${item}.`;

const createdRequest: Say = (payload, item) => {
  const request = payload.at('pullrequest');
  const branches = branchesOf(
    request.textOr('source.branch.name', ''),
    request.textOr('destination.branch.name', ''),
  );
  const reviewers = request.list('reviewers').map((person) => person.textOr('display_name', '?'));
  const sentence = safe`${actor(payload)} created ${item}${branches}${assignedTo(reviewers)}`;
  return withQuote(sentence, request.textOr('description', ''));
};

const createdIssue: Say = (payload, item) => {
  const assignee = payload.textOr('issue.assignee.display_name', '');
  const sentence = safe`${actor(payload)} created ${item}${assignedTo(assignee === '' ? [] : [assignee])}`;
  return withQuote(sentence, payload.textOr('issue.content.raw', ''));
};

type Reader = (call: IntegrationCall) => IntegrationPost | IntegrationPost[];

/** By the header, what is read and the event that filters name. */
const READERS: Readonly<Record<string, Reader>> = {
  'repo:push': push,
  'repo:fork': fork,
  'repo:commit_comment_created': commitComment,
  'repo:commit_status_created': commitStatus,
  'repo:commit_status_updated': commitStatus,
  'issue:created': about('issue_created', 'issue', createdIssue),
  'issue:updated': about('issue_updated', 'issue', did('updated')),
  'issue:comment_created': about('issue_commented', 'issue', comment),
  'pullrequest:created': about('pull_request_created', 'pullrequest', createdRequest),
  'pullrequest:updated': about('pull_request_updated', 'pullrequest', did('updated')),
  'pullrequest:approved': about('pull_request_approved', 'pullrequest', did('approved')),
  'pullrequest:unapproved': about('pull_request_unapproved', 'pullrequest', did('took back the approval of')),
  'pullrequest:fulfilled': about('pull_request_fulfilled', 'pullrequest', did('merged')),
  'pullrequest:rejected': about('pull_request_rejected', 'pullrequest', did('rejected')),
  'pullrequest:comment_created': about('pull_request_comment_created', 'pullrequest', comment),
  'pullrequest:comment_updated': about(
    'pull_request_comment_updated',
    'pullrequest',
    did('edited a comment on'),
  ),
  'pullrequest:comment_deleted': about(
    'pull_request_comment_deleted',
    'pullrequest',
    did('deleted a comment on'),
  ),
};

/** Bitbucket, the service at bitbucket.org. */
export const BITBUCKET: Integration = {
  name: 'bitbucket2',
  aliases: ['bitbucket'],
  displayName: 'Bitbucket',
  about: 'Pushes, pull requests, issues, comments, forks and what builds say of commits.',
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
  ],
  options: [{ name: 'branches', about: 'Branches, with commas between, whose pushes are told of.' }],
  read(call) {
    const key = call.eventHeader('X-Event-Key');
    if (key === 'repo:updated') return null;
    const reader = Object.hasOwn(READERS, key) ? READERS[key] : undefined;
    if (!reader) throw call.unsupported(key);
    return reader(call);
  },
};
