import type { Integration, IntegrationCall, IntegrationPost } from '../reading/integration';
import type { Payload } from '../reading/payload';
import { link, safe } from '../reading/safe-text';
import { assignedTo, branchesOf, branchTopic, itemLink, itemTopic, pushPost, withQuote } from './git-text';

const sender = ({ payload }: IntegrationCall) =>
  payload.firstText('sender.login', 'sender.username', 'pusher.login', 'pusher.username');

const firstWord = (name: string) => name.split(' ', 1)[0] ?? '';

const repository = ({ payload }: IntegrationCall) => payload.text('repository.name');

function push(call: IntegrationCall): IntegrationPost | null {
  const { payload } = call;
  const branch = payload.text('ref').replace(/^refs\/(?:heads|tags)\//, '');
  if (!call.optionNames('branches', branch)) return null;
  return pushPost('push', {
    repository: repository(call),
    branch,
    user: payload.firstText('sender.username', 'sender.login', 'pusher.username', 'pusher.login'),
    url: payload.textOr('compare_url', payload.textOr('repository.html_url', '')),
    commits: payload.list('commits').map((commit) => ({
      message: commit.text('message'),
      url: commit.text('url'),
      hash: commit.text('id'),
      author: commit.textOr('author.username', '') || firstWord(commit.text('author.name')),
    })),
    total: payload.has('total_commits') ? payload.number('total_commits') : undefined,
  });
}

/** A created branch or tag. */
function created(call: IntegrationCall): IntegrationPost {
  const { payload } = call;
  const ref = payload.text('ref');
  const named = link(ref, `${payload.textOr('repository.html_url', '')}/src/${ref}`);
  const content = safe`${sender(call)} created ${payload.textOr('ref_type', 'branch')} ${named}.`;
  return { event: 'create', topic: branchTopic(repository(call), ref), content };
}

function deleted(call: IntegrationCall): IntegrationPost {
  const { payload } = call;
  const ref = payload.text('ref');
  const content = safe`${sender(call)} deleted ${payload.textOr('ref_type', 'branch')} ${ref}.`;
  return { event: 'delete', topic: branchTopic(repository(call), ref), content };
}

/** Texts for actions whose names do not fit into a sentence. */
const WORDS: Readonly<Record<string, string>> = {
  synchronized: 'updated',
  label_updated: 'changed the labels of',
  label_cleared: 'removed the labels of',
  milestoned: 'set the milestone of',
  demilestoned: 'removed the milestone of',
  review_requested: 'asked for a review of',
  review_request_removed: 'no longer asks for a review of',
};

/** @param topicNumber key of the number in the topic; for pull requests, the ID instead of the visible number */
function itemOf({ payload, namesItself }: IntegrationCall, at: string, topicNumber = 'number') {
  const kind = at === 'pull_request' ? 'PR' : 'issue';
  const [number, title] = [payload.text(`${at}.number`), payload.text(`${at}.title`)];
  const url = payload.textOr(
    `${at}.html_url`,
    `${payload.textOr('repository.html_url', '')}/${kind === 'PR' ? 'pulls' : 'issues'}/${number}`,
  );
  const topic = itemTopic(
    payload.text('repository.name'),
    kind,
    payload.textOr(`${at}.${topicNumber}`, number),
    title,
  );
  return { topic, shown: itemLink({ kind, number, title, url, isNamed: namesItself }) };
}

const wordOf = (action: string) => (Object.hasOwn(WORDS, action) ? (WORDS[action] ?? action) : action);

function pullRequest(call: IntegrationCall): IntegrationPost {
  const { payload } = call;
  const action = payload.text('action');
  const request = payload.object('pull_request');
  const { topic, shown } = itemOf(call, 'pull_request', 'id');
  const isMerged = action === 'closed' && request.is('merged', true);
  const who = isMerged
    ? request.textOr('merged_by.username', request.textOr('merged_by.login', sender(call)))
    : request.textOr('user.username', request.textOr('user.login', sender(call)));
  const branches =
    action === 'edited'
      ? safe``
      : branchesOf(
          request.textOr('head.ref', request.textOr('head_branch', '')),
          request.textOr('base.ref', request.textOr('base_branch', '')),
        );
  // Gogs sends the assignee with every action.
  const hasPeople = !request.has('head_branch') || action === 'assigned';
  const people = hasPeople ? peopleOf(request) : [];
  const sentence = safe`${who} ${isMerged ? 'merged' : wordOf(action)} ${shown}${branches}${assignedTo(people)}.`;
  return { event: 'pull_request', topic, content: sentence };
}

function peopleOf(item: Payload): string[] {
  const listed = item.list('assignees').map((person) => person.firstText('login', 'username'));
  if (listed.length > 0 || !item.has('assignee')) return listed;
  return [item.object('assignee').firstText('login', 'username')];
}

function issue(call: IntegrationCall): IntegrationPost {
  const { payload } = call;
  const { topic, shown } = itemOf(call, 'issue');
  const did = wordOf(payload.text('action'));
  const people = peopleOf(payload.object('issue'));
  const sentence = safe`${sender(call)} ${did} ${shown}${assignedTo(people)}`;
  return { event: 'issues', topic, content: withQuote(sentence, payload.textOr('issue.body', '')) };
}

function comment(call: IntegrationCall): IntegrationPost {
  const { payload } = call;
  const { topic, shown } = itemOf(call, payload.has('issue') ? 'issue' : 'pull_request');
  const [action, page] = [payload.textOr('action', 'created'), payload.textOr('comment.html_url', '')];
  const did = action === 'created' ? link('commented', page) : safe`${action} a ${link('comment', page)}`;
  const content = withQuote(safe`${sender(call)} ${did} on ${shown}`, payload.textOr('comment.body', ''));
  return { event: 'issue_comment', topic, content };
}

function release(call: IntegrationCall): IntegrationPost {
  const { payload } = call;
  const tag = payload.text('release.tag_name');
  const name = payload.textOr('release.name', '') || tag;
  const named = link(name, payload.textOr('release.html_url', ''));
  const who = payload.textOr('release.author.username', payload.textOr('release.author.login', sender(call)));
  const content = safe`${who} ${payload.text('action')} release ${named} for tag ${tag}.`;
  return { event: 'release', topic: `${repository(call)} / ${tag} ${name}`, content };
}

const READERS: Readonly<Record<string, (call: IntegrationCall) => IntegrationPost | null>> = {
  push,
  create: created,
  delete: deleted,
  pull_request: pullRequest,
  issues: issue,
  issue_comment: comment,
  release,
};

/** Creates the reader for a service. Forgejo and Gogs send the same payloads as Gitea with different headers. */
function read(header: string, ...others: readonly string[]): Integration['read'] {
  return (call) => {
    const other = others.find((each) => call.header(each) !== null);
    const event = call.eventHeader(other ?? header);
    const reader = Object.hasOwn(READERS, event) ? READERS[event] : undefined;
    if (!reader) throw call.unsupported(event);
    return reader(call);
  };
}

const about = 'Pushes, branches, pull requests, issues, comments and releases.';
const events = Object.keys(READERS);
const options = [{ name: 'branches', about: 'Comma-separated branches whose pushes are reported.' }];

/** Gitea. */
export const GITEA: Integration = {
  name: 'gitea',
  displayName: 'Gitea',
  about,
  events,
  options,
  read: read('X-Gitea-Event'),
};

/** Forgejo, for example Codeberg. */
export const FORGEJO: Integration = {
  name: 'forgejo',
  displayName: 'Forgejo',
  about,
  events,
  options,
  read: read('X-Forgejo-Event', 'X-Gitea-Event'),
};

/** Gogs. */
export const GOGS: Integration = {
  name: 'gogs',
  displayName: 'Gogs',
  about,
  events,
  options,
  read: read('X-Gogs-Event'),
};
