import type { Integration, IntegrationCall, IntegrationPost } from '../reading/integration';
import { link, safe, type SafeText } from '../reading/safe-text';
import { assignedTo, branchesOf, itemLink, itemTopic, pushPost, withQuote } from './git-text';

const sender = ({ payload }: IntegrationCall) =>
  payload.firstText('sender.login', 'sender.username', 'pusher.login', 'pusher.username');

const repository = ({ payload }: IntegrationCall) => payload.text('repository.name');

function push(call: IntegrationCall): IntegrationPost | null {
  const { payload } = call;
  const branch = payload.text('ref').replace(/^refs\/(?:heads|tags)\//, '');
  if (!call.optionNames('branches', branch)) return null;
  return pushPost('push', {
    repository: repository(call),
    branch,
    user: payload.firstText('pusher.login', 'pusher.username', 'sender.login'),
    url: payload.textOr('compare_url', payload.textOr('repository.html_url', '')),
    commits: payload.list('commits').map((commit) => ({
      message: commit.text('message'),
      url: commit.text('url'),
      hash: commit.text('id'),
      author: commit.firstText('author.username', 'author.name'),
    })),
    total: payload.has('total_commits') ? payload.number('total_commits') : undefined,
  });
}

function reference(did: string): (call: IntegrationCall) => IntegrationPost {
  return (call) => {
    const { payload } = call;
    const content = safe`${sender(call)} ${did} ${payload.textOr('ref_type', 'branch')} ${payload.text('ref')}.`;
    return { event: did === 'created' ? 'create' : 'delete', topic: repository(call), content };
  };
}

/** Actions whose own word is none of a sentence. */
const WORDS: Readonly<Record<string, string>> = {
  synchronized: 'updated',
  label_updated: 'changed the labels of',
  label_cleared: 'removed the labels of',
  milestoned: 'set the milestone of',
  demilestoned: 'removed the milestone of',
  review_requested: 'asked for a review of',
  review_request_removed: 'no longer asks for a review of',
};

function itemOf({ payload, namesItself }: IntegrationCall, at: string) {
  const kind = at === 'pull_request' || payload.has('issue.pull_request') ? 'PR' : 'issue';
  const [number, title] = [payload.text(`${at}.number`), payload.text(`${at}.title`)];
  const url = payload.textOr(`${at}.html_url`, payload.textOr('comment.html_url', ''));
  const topic = itemTopic(payload.text('repository.name'), kind, number, title);
  return { topic, shown: itemLink({ kind, number, title, url, isNamed: namesItself }) };
}

function item(event: string, at: string): (call: IntegrationCall) => IntegrationPost {
  return (call) => {
    const { payload } = call;
    const action = payload.text('action');
    const { topic, shown } = itemOf(call, at);
    const isMerged = action === 'closed' && payload.is(`${at}.merged`, true);
    const did = isMerged ? 'merged' : Object.hasOwn(WORDS, action) ? (WORDS[action] ?? action) : action;
    const isNew = action === 'opened';
    const branches = isNew
      ? branchesOf(payload.textOr(`${at}.head.ref`, ''), payload.textOr(`${at}.base.ref`, ''))
      : safe``;
    const people = payload.list(`${at}.assignees`).map((person) => person.firstText('login', 'username'));
    const sentence = safe`${sender(call)} ${did} ${shown}${branches}${assignedTo(people)}`;
    return { event, topic, content: withQuote(sentence, isNew ? payload.textOr(`${at}.body`, '') : '') };
  };
}

function comment(call: IntegrationCall): IntegrationPost {
  const { payload } = call;
  const { topic, shown } = itemOf(call, payload.has('issue') ? 'issue' : 'pull_request');
  const did = link('commented', payload.textOr('comment.html_url', ''));
  const said: SafeText = payload.is('action', 'deleted')
    ? safe`${sender(call)} deleted a comment on ${shown}.`
    : payload.is('action', 'edited')
      ? withQuote(safe`${sender(call)} edited a comment on ${shown}`, payload.textOr('comment.body', ''))
      : withQuote(safe`${sender(call)} ${did} on ${shown}`, payload.textOr('comment.body', ''));
  return { event: 'issue_comment', topic, content: said };
}

function release(call: IntegrationCall): IntegrationPost {
  const { payload } = call;
  const tag = payload.text('release.tag_name');
  const name = payload.textOr('release.name', '') || tag;
  const named = link(name, payload.textOr('release.html_url', ''));
  const content = safe`${sender(call)} ${payload.text('action')} release ${named} for tag ${tag}.`;
  return { event: 'release', topic: `${repository(call)} / ${tag} ${name}`, content };
}

const READERS: Readonly<Record<string, (call: IntegrationCall) => IntegrationPost | null>> = {
  push,
  create: reference('created'),
  delete: reference('deleted'),
  pull_request: item('pull_request', 'pull_request'),
  issues: item('issues', 'issue'),
  issue_comment: comment,
  release,
};

/** Forgejo and Gogs send the same as Gitea, under headers of their own. */
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
const options = [{ name: 'branches', about: 'Branches, with commas between, whose pushes are told of.' }];

/** Gitea. */
export const GITEA: Integration = {
  name: 'gitea',
  displayName: 'Gitea',
  about,
  events,
  options,
  read: read('X-Gitea-Event'),
};

/** Forgejo, such as Codeberg. */
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
